# claude-resume for bash: eval "$(claude-resume init bash)" in ~/.bashrc

# Resumes a session and leaves this shell in its directory. An alias of the same name would
# take precedence.
unalias @CR@ 2>/dev/null
function @CR@ {
    local __claude_resume_file __claude_resume_code __claude_resume_dir __claude_resume_trap
    __claude_resume_file=$(mktemp "${TMPDIR:-/tmp}/claude-resume.XXXXXX") || return 1
    # A session that ends with an interrupt must not end this function as well.
    __claude_resume_trap=$(trap -p INT)
    trap : INT
    CLAUDE_RESUME_CD_FILE=$__claude_resume_file command claude-resume@ROOTS@ "$@"
    __claude_resume_code=$?
    eval "${__claude_resume_trap:-trap - INT}"
    __claude_resume_dir=$(command cat -- "$__claude_resume_file")
    command rm -f -- "$__claude_resume_file"
    if [[ -n $__claude_resume_dir ]]; then
        # Return the exit code of the session, even if its directory is gone by now.
        builtin cd -- "$__claude_resume_dir" || :
    fi
    return "$__claude_resume_code"
}

# Completes ids, titles, options and their values.
__claude_resume_complete() {
    local rest=$COMP_LINE word trimmed out code value description i
    local -a words=()
    # Bash also splits words at colons and the like: join parts that no space separates.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        trimmed=${rest#"${rest%%[![:space:]]*}"}
        if ((i > 1)) && [[ $trimmed == "$rest" ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        rest=${trimmed#"$word"}
    done
    COMPREPLY=()
    # Bash keeps the part before such a character and inserts only the rest of the word.
    out=$(command claude-resume@ROOTS@ complete --shell bash --breaks "${COMP_WORDBREAKS//[^=:@]/}" -- "${words[@]:1}" 2>/dev/null)
    code=$?
    case $code in
        3) compopt -o dirnames 2>/dev/null ;;
        4) compopt -o default 2>/dev/null ;;
    esac
    while IFS=$'\t' read -r value description; do
        [[ -z $value ]] || COMPREPLY+=("$value")
    done <<<"$out"
    ((${#COMPREPLY[@]} > 1)) || return 0
    compopt -o nosort 2>/dev/null
    # Titles match anywhere. Their common prefix must not replace the typed text.
    ((code != 5)) || COMPREPLY+=(" ")
}
complete -F __claude_resume_complete claude-resume @CR@

# Binds a key in every editing mode.
__claude_resume_bind() {
    local keys
    for keys in emacs vi-insert vi-command; do
        bind -m "$keys" "$@"
    done
}

# @KEY@ opens the picker and runs the chosen session as a command. The typed line is one Up away.
__claude_resume_widget() {
    local chosen
    chosen=$(command claude-resume@ROOTS@ --print-words </dev/tty)
    if [[ -n $chosen ]]; then
        [[ -z $READLINE_LINE ]] || history -s -- "$READLINE_LINE"
        READLINE_LINE="@CR@ $chosen"
        READLINE_POINT=${#READLINE_LINE}
        __claude_resume_bind '"\C-x\C-_2": accept-line'
    else
        __claude_resume_bind '"\C-x\C-_2": ""'
    fi
}
if [[ $- == *i* && -n "@BIND@" ]]; then
    __claude_resume_bind -x '"\C-x\C-_1": __claude_resume_widget'
    __claude_resume_bind '"\C-x\C-_2": ""'
    __claude_resume_bind '"@BIND@": "\C-x\C-_1\C-x\C-_2"'
fi
