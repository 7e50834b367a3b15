
# @HISTORY_KEY@ opens the prompt history and inserts the chosen prompt, quoted, as for `claude "…"`.
# A prompt that looks like an option follows `--`. A single word gets a space at its end, because it
# could be a command of claude.
__claude_resume_history() {
    local chosen
    zle -I
    chosen=$(command claude-resume@ROOTS@ history --print </dev/tty)
    if [[ -n $chosen ]]; then
        [[ $chosen == -* ]] && LBUFFER+='-- '
        [[ $chosen == *[^A-Za-z0-9:_-]* ]] || chosen+=' '
        LBUFFER+=${(qq)chosen}
    fi
    zle reset-prompt
}
if [[ -o interactive && -n "@HISTORY_BIND@" ]]; then
    zle -N __claude_resume_history
    __claude_resume_bind "@HISTORY_BIND@" __claude_resume_history
fi
