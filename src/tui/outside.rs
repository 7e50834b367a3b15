//! Other programs that have the terminal for a while: the person's pager and editor.
//!
//! The text goes into a temporary file that is gone when the program ends. No shell is involved.

use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, ExitStatus};

use super::message::Opener;
#[cfg(unix)]
use super::terminal::tty;

/// The words that start them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs {
    pub pager: Vec<String>,
    pub editor: Vec<String>,
}

impl Programs {
    fn words(&self, opener: Opener) -> &[String] {
        match opener {
            Opener::Pager => &self.pager,
            Opener::Editor => &self.editor,
        }
    }
}

/// Shows a text in a program and waits until it ends. The terminal must have been given back.
pub fn show(programs: &Programs, opener: Opener, text: &str) -> io::Result<()> {
    let words = programs.words(opener);
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::other(
            "neither $PAGER nor $EDITOR says with what",
        ));
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
        // Whatever else is set: a short text must not be gone before it is read.
        command.arg("-+F");
    }
    command.arg(file.path());
    // Our own streams may be a pipe: the screen is the terminal.
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
    // What it said itself is gone with its screen.
    Err(io::Error::other(format!(
        "{program}: {}",
        how_ended(status)
    )))
}

/// Did the person stop it? Then they know. Shells end with this code if what they run was stopped.
fn is_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    if status.signal() == Some(signal_hook::consts::SIGINT) {
        return true;
    }
    status.code() == Some(130)
}

fn how_ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with code {code}"),
        None => format!("was ended ({status})"),
    }
}
