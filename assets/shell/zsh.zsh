# claude-resume for zsh: eval "$(claude-resume init zsh)" in ~/.zshrc

# Resumes a session and leaves this shell in its directory. An alias of the same name would
# take precedence.
unalias @CR@ 2>/dev/null
function @CR@ {
    emulate -L zsh
    local code level=$ZSH_SUBSHELL
    typeset -g __claude_resume_file
    __claude_resume_file=$(mktemp "${TMPDIR:-/tmp}/claude-resume.XXXXXX") || return 1
    # A session that ends with an interrupt must not end this function as well.
    trap : INT
    CLAUDE_RESUME_CD_FILE=$__claude_resume_file command claude-resume@ROOTS@ "$@"
    code=$?
    trap - INT
    # After Ctrl+Z, zsh continues this function in a subshell, whose directory does not matter.
    (( ZSH_SUBSHELL == level )) && __claude_resume_land
    # Return the exit code of the session, even if its directory is gone by now.
    return $code
}
# Goes to the directory of the session: at the end of the function above, or before the prompt
# after Ctrl+Z. An empty file while the job exists means that the picker is suspended.
__claude_resume_land() {
    emulate -L zsh
    [[ -n $__claude_resume_file ]] || return 0
    local dir file=$__claude_resume_file
    [[ -s $file ]] || (( ! ${#jobstates} )) || [[ -n $funcstack[(r)@CR@] ]] || return 0
    unset __claude_resume_file
    [[ ! -e $file ]] || dir=$(command cat -- "$file")
    command rm -f -- "$file"
    [[ -z $dir ]] || builtin cd -- "$dir" || :
}
autoload -Uz add-zsh-hook
add-zsh-hook precmd __claude_resume_land

# Completes ids, titles, options and their values.
__claude_resume_complete() {
    local -a values descriptions
    local out line
    out=$(command claude-resume@ROOTS@ complete --shell zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    # The shell completes paths itself.
    case $? in
        3) [[ $PREFIX != --*=* ]] || compset -P '*='; _directories; return ;;
        4) [[ $PREFIX != --*=* ]] || compset -P '*='; _files; return ;;
        # Titles match anywhere. Their common prefix must not replace the typed text.
        5) compstate[insert]=menu ;;
    esac
    for line in "${(@f)out}"; do
        [[ -n $line ]] || continue
        values+=("${line%%$'\t'*}")
        descriptions+=("${line//$'\t'/  }")
    done
    # The shell must not filter them again.
    (( ${#values} )) && compadd -U -l -V claude-resume -d descriptions -a values
}
if (( ${+functions[compdef]} )); then
    compdef __claude_resume_complete claude-resume @CR@
fi

# Binds a key in every editing mode.
__claude_resume_bind() {
    local keys
    for keys in emacs viins vicmd; do
        bindkey -M $keys "$@"
    done
}

# @KEY@ opens the picker and runs the chosen session as a command. The typed line comes back.
__claude_resume_widget() {
    local chosen
    zle -I
    chosen=$(command claude-resume@ROOTS@ --print-words </dev/tty)
    if [[ -n $chosen ]]; then
        zle push-line
        BUFFER="@CR@ $chosen"
        zle accept-line
    else
        zle reset-prompt
    fi
}
if [[ -o interactive && -n "@BIND@" ]]; then
    zle -N __claude_resume_widget
    __claude_resume_bind "@BIND@" __claude_resume_widget
fi
