# claude-resume for fish: claude-resume init fish | source in ~/.config/fish/config.fish

# Resumes a session and leaves this shell in its directory.
function @CR@ --description 'Resume a Claude Code session and stay in its directory'
    set -l tmp /tmp
    set -q TMPDIR; and set tmp $TMPDIR
    set -g __claude_resume_file (mktemp $tmp/claude-resume.XXXXXX); or return 1
    CLAUDE_RESUME_CD_FILE=$__claude_resume_file command claude-resume@ROOTS@ $argv
    set -l code $status
    __claude_resume_land
    # Return the exit code of the session, even if its directory is gone by now.
    return $code
end
# A session that ends with an interrupt also ends the function above. Then this event runs after it.
function __claude_resume_land --on-event fish_postexec
    set -q __claude_resume_file; or return
    set -l file $__claude_resume_file
    set -e __claude_resume_file
    set -l dir (command cat -- $file | string collect)
    command rm -f -- $file
    set -l before $PWD
    test -n "$dir"; and builtin cd -- $dir; and test "$PWD" != "$before"; or return
    # The builtin does not update the history of `cd -`, and a user's own `cd` may do anything.
    set -q dirprev; or set -g dirprev
    set -q dirprev[25]; and set -e dirprev[1]
    set -a dirprev $before
    set -e dirnext
    set -g __fish_cd_direction prev
end

# Completes ids, titles, options and their values.
function __claude_resume_complete
    set -l words (commandline -opc)[2..-1] (commandline -ct)
    set -l found (command claude-resume@ROOTS@ complete --shell fish -- $words 2>/dev/null)
    set -l code $status
    set -l option (string match -r -- '^--[^=]+=' $words[-1])
    set -l typed (string replace -- "$option" '' $words[-1])
    # The shell completes paths itself.
    switch $code
        case 3
            set found "$option"(__fish_complete_directories $typed)
        case 4
            set found "$option"(__fish_complete_path $typed)
    end
    string join -- \n $found
end
complete -c claude-resume -f -k -a '(__claude_resume_complete)'
complete -c @CR@ -f -k -a '(__claude_resume_complete)'

# @KEY@ opens the picker and runs the chosen session as a command. The typed line comes back.
function __claude_resume_widget
    set -l chosen (command claude-resume@ROOTS@ --print-words </dev/tty)
    if test -n "$chosen"
        set -g __claude_resume_typed (commandline | string collect)
        commandline -r "@CR@ $chosen"
        # As after Enter, the next line starts in insert mode.
        string match -q -- '*vi*' $fish_key_bindings; and set fish_bind_mode insert
        commandline -f execute
    else
        commandline -f repaint
    end
end
function __claude_resume_come_back --on-event fish_postexec
    if set -q __claude_resume_typed
        commandline -r -- "$__claude_resume_typed"
        set -e __claude_resume_typed
    end
end
if status is-interactive; and test -n "@BIND@"
    bind @BIND@ __claude_resume_widget
    bind -M insert @BIND@ __claude_resume_widget 2>/dev/null
end
