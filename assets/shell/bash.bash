# claude-resume for bash: eval "$(claude-resume init bash)" in ~/.bashrc

# Resumes a session and leaves this shell in its directory.
@CR@() {
    local __claude_resume_file __claude_resume_code __claude_resume_dir
    __claude_resume_file=$(mktemp "${TMPDIR:-/tmp}/claude-resume.XXXXXX") || return 1
    CLAUDE_RESUME_CD_FILE=$__claude_resume_file command claude-resume "$@"
    __claude_resume_code=$?
    __claude_resume_dir=$(command cat -- "$__claude_resume_file")
    command rm -f -- "$__claude_resume_file"
    if [[ -n $__claude_resume_dir ]]; then
        # The session's own code counts, also where its directory is gone by now.
        builtin cd -- "$__claude_resume_dir" || :
    fi
    return "$__claude_resume_code"
}

# Ids and titles, and what begins with a dash.
__claude_resume_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} value description
    COMPREPLY=()
    while IFS=$'\t' read -r value description; do
        COMPREPLY+=("$value")
    done < <(command claude-resume complete --shell bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # An id that is alone is followed by a space, a title may go on.
    [[ ${#COMPREPLY[@]} -le 1 || $current == -* ]] || compopt -o nosort 2>/dev/null
}
complete -F __claude_resume_complete claude-resume @CR@

# @KEY@ opens the picker; what is chosen is run as a command.
__claude_resume_widget() {
    local chosen
    chosen=$(command claude-resume --print </dev/tty)
    # Of several that are marked the first: a second line would be a second command.
    chosen=${chosen%%$'\n'*}
    if [[ -n $chosen ]]; then
        READLINE_LINE="@CR@ $chosen"
        READLINE_POINT=${#READLINE_LINE}
        bind '"\C-x\C-_2": accept-line'
    else
        bind '"\C-x\C-_2": ""'
    fi
}
if [[ $- == *i* && -n "@BIND@" ]]; then
    bind -x '"\C-x\C-_1": __claude_resume_widget'
    bind '"\C-x\C-_2": ""'
    bind '"@BIND@": "\C-x\C-_1\C-x\C-_2"'
fi
