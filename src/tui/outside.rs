//! Other programs that use the terminal for a while: the pager and the editor.
//!
//! The text goes into a temporary file that is deleted when the program ends. No shell is involved.

use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, ExitStatus};

use super::Opener;
#[cfg(unix)]
use super::terminal::tty;

/// The commands that start them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs {
    pub pager: Vec<String>,
    pub editor: Vec<String>,
}

/// Shows a text in a program and waits until it ends. The terminal must have been given back.
pub fn show(programs: &Programs, opener: Opener, text: &str) -> io::Result<()> {
    let words = match opener {
        Opener::Pager => &programs.pager,
        Opener::Editor => &programs.editor,
    };
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::other("set $PAGER or $EDITOR to a program"));
    };
    let mut file = tempfile::Builder::new()
        .prefix("message-")
        .suffix(".md")
        .tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    let mut command = Command::new(program);
    command.args(arguments);
    if program.rsplit(['/', '\\']).next() == Some("less") {
        // Overrides $LESS: a short text must not disappear before it is read.
        command.arg("-+F");
    }
    command.arg(file.path());
    // Our own streams may be pipes.
    #[cfg(unix)]
    command
        .stdin(Stdio::from(tty()?))
        .stdout(Stdio::from(tty()?))
        .stderr(Stdio::from(tty()?));
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{program}: {error}"));
    let status = command.status().map_err(named)?;
    if status.success() || is_interrupted(status) {
        return Ok(());
    }
    // Its own message is gone with its screen.
    Err(io::Error::other(match status.code() {
        Some(code) => format!("{program}: ended with code {code}"),
        None => format!("{program}: killed ({status})"),
    }))
}

/// Was it stopped with Ctrl+C? Shells end with code 130 if what they run was.
fn is_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    if status.signal() == Some(signal_hook::consts::SIGINT) {
        return true;
    }
    status.code() == Some(130)
}
