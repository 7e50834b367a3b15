
# @HISTORY_KEY@ opens the prompt history; what is chosen is put in, quoted, as for `claude "…"`. One that
# looks like an option comes behind `--`, and a single word, which may be a command, ends in a space.
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
