# claude-resume for fish: claude-resume init fish | source in ~/.config/fish/config.fish

# Resumes a session and leaves this shell in its directory.
function @CR@ --description 'Resume a Claude Code session and stay in its directory'
    set -l tmp /tmp
    set -q TMPDIR; and set tmp $TMPDIR
    set -l file (mktemp $tmp/claude-resume.XXXXXX); or return 1
    CLAUDE_RESUME_CD_FILE=$file command claude-resume $argv
    set -l code $status
    set -l dir (command cat -- $file | string collect)
    command rm -f -- $file
    if test -n "$dir"
        # The session's own code counts, also where its directory is gone by now.
        builtin cd -- $dir
    end
    return $code
end

# Ids and titles, and what begins with a dash.
function __claude_resume_complete
    set -l words (commandline -opc)[2..-1] (commandline -ct)
    command claude-resume complete --shell fish -- $words 2>/dev/null
end
complete -c claude-resume -f -k -a '(__claude_resume_complete)'
complete -c @CR@ -f -k -a '(__claude_resume_complete)'

# @KEY@ opens the picker; what is chosen is run as a command.
function __claude_resume_widget
    # Of several that are marked the first: a second line would be a second command.
    set -l chosen (command claude-resume --print </dev/tty)[1]
    if test -n "$chosen"
        commandline -r "@CR@ $chosen"
        commandline -f execute
    else
        commandline -f repaint
    end
end
if status is-interactive; and test -n "@BIND@"
    bind @BIND@ __claude_resume_widget
    bind -M insert @BIND@ __claude_resume_widget 2>/dev/null
end
