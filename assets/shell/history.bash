
# @HISTORY_KEY@ opens the prompt history and inserts the chosen prompt, quoted, as for `claude "…"`.
# A prompt that looks like an option follows `--`. A single word gets a space at its end, because it
# could be a command of claude.
__claude_resume_history() {
    local chosen
    chosen=$(command claude-resume@ROOTS@ history --print </dev/tty)
    if [[ -n $chosen ]]; then
        local dashes=
        [[ $chosen == -* ]] && dashes='-- '
        [[ $chosen == *[!A-Za-z0-9:_-]* ]] || chosen+=' '
        chosen=$dashes${chosen@Q}
        READLINE_LINE="${READLINE_LINE:0:READLINE_POINT}$chosen${READLINE_LINE:READLINE_POINT}"
        READLINE_POINT=$((READLINE_POINT + ${#chosen}))
    fi
}
if [[ $- == *i* && -n "@HISTORY_BIND@" ]]; then
    __claude_resume_bind -x '"@HISTORY_BIND@": __claude_resume_history'
fi
