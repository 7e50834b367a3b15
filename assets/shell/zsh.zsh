# claude-resume for zsh: eval "$(claude-resume init zsh)" in ~/.zshrc

# Resumes a session and leaves this shell in its directory. An alias of this name would be read in
# the place of it.
unalias @CR@ 2>/dev/null
function @CR@ {
    emulate -L zsh
    local file code dir
    file=$(mktemp "${TMPDIR:-/tmp}/claude-resume.XXXXXX") || return 1
    # A session that ends with an interrupt must not end this function, too.
    trap : INT
    CLAUDE_RESUME_CD_FILE=$file command claude-resume@ROOTS@ "$@"
    code=$?
    trap - INT
    dir=$(command cat -- "$file")
    command rm -f -- "$file"
    if [[ -n $dir ]]; then
        # The session's own code counts, also where its directory is gone by now.
        builtin cd -- "$dir" || :
    fi
    return $code
}

# Ids and titles, options and their values.
__claude_resume_complete() {
    local -a values descriptions
    local out line
    out=$(command claude-resume@ROOTS@ complete --shell zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    # Paths are better known to the shell.
    case $? in
        3) [[ $PREFIX != --*=* ]] || compset -P '*='; _directories; return ;;
        4) [[ $PREFIX != --*=* ]] || compset -P '*='; _files; return ;;
        # Titles match anywhere. What little they share must not replace what was typed.
        5) compstate[insert]=menu ;;
    esac
    for line in "${(@f)out}"; do
        [[ -n $line ]] || continue
        values+=("${line%%$'\t'*}")
        descriptions+=("${line//$'\t'/  }")
    done
    # Nor must the shell sieve them again.
    (( ${#values} )) && compadd -U -l -V claude-resume -d descriptions -a values
}
if (( ${+functions[compdef]} )); then
    compdef __claude_resume_complete claude-resume @CR@
fi

# @KEY@ opens the picker; what is chosen is run as a command, and what was typed comes back.
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
    bindkey "@BIND@" __claude_resume_widget
fi
