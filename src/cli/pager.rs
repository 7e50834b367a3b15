//! Long output on a terminal goes through the person's pager.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Writes through `$PAGER`, or `less`; straight to stdout if there is none. The words of the
/// setting become arguments: no shell sees them.
pub fn page(text: &str) -> io::Result<()> {
    let setting = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = setting.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else {
        return print(text);
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git has it: leave at once if it fits, keep colours, do not clear the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return print(text);
    };
    // Ctrl+C is for the pager: to die before it would leave it alone on the terminal.
    let unused = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, unused);
    if let Some(mut input) = child.stdin.take() {
        // Whoever quits the pager before the end has seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait()?;
    Ok(())
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
