//! A plan as a line that a person can paste into a shell.
//!
//! For people, never for running: what runs gets its arguments as they are. A line has no control
//! characters.

use std::fmt::Write;
use std::path::Path;

use super::plan::{Change, Plan};
use crate::text::sanitize;

/// A family of shells with one way of quoting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shell {
    /// sh, bash, zsh, ksh.
    #[default]
    Sh,
    Fish,
    PowerShell,
}

/// The line for a plan.
pub fn line(plan: &Plan, shell: Shell) -> String {
    let words = |words: &[String]| printable_in(words, shell);
    let mut parts: Vec<String> = plan
        .steps
        .iter()
        .map(|step| called(&words(&step.command), &step.command, shell))
        .collect();
    if let Some(directory) = &plan.directory {
        parts.push(change_directory(directory, shell));
    }
    let command = words(&plan.command);
    parts.push(with_environment(
        &plan.environment,
        &called(&command, &plan.command, shell),
        shell,
    ));
    match shell {
        Shell::Sh => parts.join(" && "),
        Shell::Fish => parts.join("; and "),
        // The edition that comes with Windows has no `&&`.
        Shell::PowerShell => {
            let last = parts.pop().unwrap_or_default();
            let before = parts.iter().rev();
            before.fold(last, |rest, part| format!("{part}; if ($?) {{ {rest} }}"))
        }
    }
}

/// PowerShell takes a quoted word for a string, not for a command.
fn called(line: &str, words: &[String], shell: Shell) -> String {
    let program = words.first().map_or("", String::as_str);
    if shell == Shell::PowerShell && !is_plain(program, shell) {
        return format!("& {line}");
    }
    line.to_owned()
}

fn change_directory(directory: &Path, shell: Shell) -> String {
    let path = directory.to_string_lossy();
    let word = quoted(&path, shell);
    match shell {
        Shell::PowerShell => format!("Set-Location -LiteralPath {word}"),
        Shell::Sh | Shell::Fish if path.starts_with('-') => format!("cd -- {word}"),
        Shell::Sh | Shell::Fish => format!("cd {word}"),
    }
}

fn with_environment(changes: &[Change], command: &str, shell: Shell) -> String {
    if changes.is_empty() {
        return command.to_owned();
    }
    if shell == Shell::PowerShell {
        return for_this_run(changes, command);
    }
    let removes = changes
        .iter()
        .any(|change| matches!(change, Change::Remove(_)));
    let mut line = String::new();
    if removes || shell == Shell::Fish {
        line += "env ";
    }
    // Removals come first: the command follows the assignments.
    for change in changes {
        if let Change::Remove(name) = change {
            let _ = write!(line, "-u {name} ");
        }
    }
    for change in changes {
        if let Change::Set(name, value) = change {
            let _ = write!(line, "{name}={} ", quoted(&value.to_string_lossy(), shell));
        }
    }
    line + command
}

/// PowerShell cannot change the environment of one command: a variable stays set in the shell. So it
/// is restored, also after an interrupt.
fn for_this_run(changes: &[Change], command: &str) -> String {
    let mut names = Vec::new();
    let mut set = String::new();
    for change in changes {
        // Writing to a string cannot fail.
        let _ = match change {
            Change::Set(name, value) => {
                names.push(format!("$env:{name}"));
                write!(set, "$env:{name}={}; ", text(&value.to_string_lossy()))
            }
            Change::Remove(name) => {
                names.push(format!("$env:{name}"));
                write!(set, "$env:{name}=$null; ")
            }
        };
    }
    let names = names.join(",");
    format!("& {{ $was={names}; try {{ {set}{command} }} finally {{ {names}=$was }} }}")
}

/// A word as the shell reads it back. An argument cannot contain a NUL.
fn quoted(word: &str, shell: Shell) -> String {
    let word = word.replace('\0', "");
    if is_plain(&word, shell) {
        return word;
    }
    match shell {
        Shell::Sh => for_sh(&word),
        Shell::Fish => for_fish(&word),
        Shell::PowerShell => text(&word),
    }
}

/// Whether a word needs no quotes.
fn is_plain(word: &str, shell: Shell) -> bool {
    let harmless = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '.' | '/' | '-')
            // A comma makes a list of words in PowerShell, an `@` splats one.
            || (shell != Shell::PowerShell && matches!(c, ':' | '+' | ',' | '@'))
    };
    // PowerShell makes two words of an option with a dot in it.
    let is_split = shell == Shell::PowerShell && word.starts_with('-') && word.contains('.');
    !word.is_empty() && !is_split && word.chars().all(harmless)
}

/// Single quotes keep everything but themselves. `printf` writes control characters: every POSIX
/// shell has it, unlike `$'…'`.
fn for_sh(word: &str) -> String {
    if !word.contains(is_unsafe) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    // A substitution drops the newlines at its end.
    let body = word.trim_end_matches('\n');
    let breaks = &word[body.len()..];
    let mut format = String::new();
    for c in body.chars() {
        match c {
            '%' => format += "%%",
            '\\' => format += r"\\",
            // In double quotes even a quoted `!` is expanded from the history.
            '\'' | '!' => spell(&mut format, c, Spelling::Octal),
            c if is_unsafe(c) => spell(&mut format, c, Spelling::Octal),
            c => format.push(c),
        }
    }
    let mut quoted = format!("\"$(printf '{format}')\"");
    if !breaks.is_empty() {
        let _ = write!(quoted, "'{breaks}'");
    }
    quoted
}

/// In fish a backslash in single quotes escapes a quote or another backslash; control characters are
/// written outside of them.
fn for_fish(word: &str) -> String {
    let mut quoted = String::from("'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_unsafe(c) => {
                quoted.push('\'');
                spell(&mut quoted, c, Spelling::Hexadecimal);
                quoted.push('\'');
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// A PowerShell string. Typographic quotes count as quotes, too.
fn text(word: &str) -> String {
    if !word.contains(is_unsafe) {
        let mut quoted = String::from("'");
        for c in word.chars() {
            if matches!(c, '\'' | '\u{2018}'..='\u{201b}') {
                quoted.push(c);
            }
            quoted.push(c);
        }
        quoted.push('\'');
        return quoted;
    }
    let mut quoted = String::from("\"");
    for c in word.chars() {
        match c {
            '`' | '$' | '"' | '\u{201c}'..='\u{201e}' => quoted.extend(['`', c]),
            c if is_unsafe(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(quoted, "$([char]0x{unit:x})");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[derive(Debug, Clone, Copy)]
enum Spelling {
    Octal,
    Hexadecimal,
}

/// Writes the bytes of a character as escapes.
fn spell(text: &mut String, c: char, spelling: Spelling) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let _ = match spelling {
            Spelling::Octal => write!(text, "\\{byte:03o}"),
            Spelling::Hexadecimal => write!(text, "\\X{byte:02x}"),
        };
    }
}

/// Whether a character would act on the terminal.
fn is_unsafe(c: char) -> bool {
    sanitize(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8() || c.is_control()
}

/// Words for a person to read, quoted if they need it.
pub fn printable(words: &[String]) -> String {
    printable_in(words, Shell::Sh)
}

/// The same for a shell.
pub fn printable_in(words: &[String], shell: Shell) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word, shell)).collect();
    quoted.join(" ")
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
