//! A plan as a line to paste into a shell.
//!
//! For reading and pasting, never for running: what runs gets its arguments as they are. A line has
//! no control characters.

use std::fmt::Write;
use std::path::Path;

use super::plan::{Change, Plan};
use super::step::PlanStep;
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

/// The line for a plan, with the words of its steps.
pub fn line(plan: &Plan, shell: Shell, words: fn(&PlanStep) -> Vec<String>) -> String {
    let steps = plan.steps.iter();
    let mut parts: Vec<String> = steps.map(|step| called(&words(step), shell)).collect();
    let directory = plan.directory.as_deref();
    parts.extend(directory.map(|directory| change_directory(directory, shell)));
    let command = called(&plan.command, shell);
    parts.push(with_environment(&plan.environment, &command, shell));
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

/// A command. PowerShell takes a quoted word for a string, unless a `&` calls it.
fn called(words: &[String], shell: Shell) -> String {
    let line = printable_in(words, shell);
    let program = words.first().map_or("", String::as_str);
    if shell == Shell::PowerShell && !is_plain(program, shell) {
        return format!("& {line}");
    }
    line
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
    // Removals come first: the command follows the assignments.
    let mut removals = String::new();
    let mut assignments = String::new();
    for change in changes {
        // Writing to a string cannot fail.
        let _ = match change {
            Change::Remove(name) => write!(removals, "-u {name} "),
            Change::Set(name, value) => {
                let value = quoted(&value.to_string_lossy(), shell);
                write!(assignments, "{name}={value} ")
            }
        };
    }
    let needs_env = !removals.is_empty() || shell == Shell::Fish;
    let env = if needs_env { "env " } else { "" };
    format!("{env}{removals}{assignments}{command}")
}

/// PowerShell cannot change the environment of one command: a variable stays set in the shell. So it
/// is restored, also after an interrupt.
fn for_this_run(changes: &[Change], command: &str) -> String {
    let mut names = Vec::new();
    let mut set = String::new();
    for change in changes {
        let (name, value) = match change {
            Change::Set(name, value) => (name, text(&value.to_string_lossy())),
            Change::Remove(name) => (name, "$null".to_owned()),
        };
        names.push(format!("$env:{name}"));
        let _ = write!(set, "$env:{name}={value}; ");
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
            c if is_unsafe(c) || matches!(c, '\'' | '!') => {
                format += &escaped(c, |byte| format!("\\{byte:03o}"));
            }
            c => format.push(c),
        }
    }
    let breaks = match breaks {
        "" => String::new(),
        breaks => format!("'{breaks}'"),
    };
    format!("\"$(printf '{format}')\"{breaks}")
}

/// In fish a backslash in single quotes escapes a quote or another backslash; control characters are
/// written outside of them.
fn for_fish(word: &str) -> String {
    let quote = |c: char| match c {
        '\'' | '\\' => format!("\\{c}"),
        c if is_unsafe(c) => format!("'{}'", escaped(c, |byte| format!("\\X{byte:02x}"))),
        c => c.to_string(),
    };
    format!("'{}'", word.chars().map(quote).collect::<String>())
}

/// A PowerShell string. Typographic quotes count as quotes, too.
fn text(word: &str) -> String {
    if !word.contains(is_unsafe) {
        let double = |c: char| match c {
            '\'' | '\u{2018}'..='\u{201b}' => [c, c].iter().collect(),
            c => c.to_string(),
        };
        return format!("'{}'", word.chars().map(double).collect::<String>());
    }
    let mut quoted = String::new();
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
    format!("\"{quoted}\"")
}

/// The bytes of a character as escapes.
fn escaped(c: char, escape: impl Fn(u8) -> String) -> String {
    c.encode_utf8(&mut [0; 4]).bytes().map(escape).collect()
}

/// Whether a character would act on the terminal.
fn is_unsafe(c: char) -> bool {
    sanitize(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8() || c.is_control()
}

/// Words to read, quoted if they need it.
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
