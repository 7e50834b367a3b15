//! Long output on a terminal goes through the pager of the environment.

use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::is_broken_pipe;

/// A function that prints a text.
type Print<'a> = &'a mut dyn FnMut(&mut dyn Write) -> anyhow::Result<()>;

/// Prints through `$PAGER`, or `less`; to stdout if there is none. The words of the setting become
/// arguments, without a shell.
pub fn page(print: Print<'_>) -> anyhow::Result<()> {
    let setting = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = setting.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else {
        return print_to(io::stdout().lock(), print);
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As in git: quit if it fits on one screen, keep colors, do not clear the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return print_to(io::stdout().lock(), print);
    };
    // Ctrl+C is for the pager, which would lose its terminal if this program ended first.
    let unused = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, unused);
    let printed = match child.stdin.take() {
        Some(input) => print_to(input, print),
        None => Ok(()),
    };
    child.wait()?;
    match printed {
        // Quitting the pager before the end is not an error.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        printed => printed,
    }
}

fn print_to(out: impl Write, print: Print<'_>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(out);
    print(&mut out)?;
    out.flush()?;
    Ok(())
}
