
# @HISTORY_KEY@ opens the prompt history; what is chosen is put in, quoted, as for `claude "…"`. One that
# looks like an option comes behind `--`, and a single word, which may be a command, ends in a space.
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
