
# @HISTORY_KEY@ opens the prompt history and inserts the chosen prompt, quoted, as for `claude "…"`.
# A prompt that looks like an option follows `--`. A single word gets a space at its end, because it
# could be a command of claude.
function __claude_resume_history
    set -l chosen (command claude-resume@ROOTS@ history --print </dev/tty | string collect)
    if test -n "$chosen"
        string match -q -- '-*' $chosen; and commandline -i -- '-- '
        string match -qr -- '[^A-Za-z0-9:_-]' $chosen; or set chosen "$chosen "
        commandline -i -- (string escape -- $chosen | string collect)
    end
    commandline -f repaint
end
if status is-interactive; and test -n "@HISTORY_BIND@"
    bind @HISTORY_BIND@ __claude_resume_history
    bind -M insert @HISTORY_BIND@ __claude_resume_history 2>/dev/null
end
