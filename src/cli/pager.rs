//! Long output on a terminal goes through the person's pager.

use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::is_broken_pipe;

/// Whatever prints a text, as long as somebody reads it.
type Print<'a> = &'a mut dyn FnMut(&mut dyn Write) -> anyhow::Result<()>;

/// Prints through `$PAGER`, or `less`; straight to stdout if there is none. The words of the
/// setting become arguments: no shell sees them.
pub fn page(print: Print<'_>) -> anyhow::Result<()> {
    let setting = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = setting.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else {
        return print_to(io::stdout().lock(), print);
    };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // As git has it: leave at once if it fits, keep colours, do not clear the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return print_to(io::stdout().lock(), print);
    };
    // Ctrl+C is for the pager: to die before it would leave it alone on the terminal.
    let unused = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, unused);
    let printed = match child.stdin.take() {
        Some(input) => print_to(input, print),
        None => Ok(()),
    };
    child.wait()?;
    match printed {
        // Whoever quits the pager before the end has seen enough.
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
