//! What of a prompt a listing shows: openings that hide the subject are passed over.
//!
//! Works on the one line that a listing keeps, and adds nothing but `$`, `…` and the `#` of a pull
//! request: every word that is shown was stored, and no line gets wider. Names that a person or
//! Claude gave do not come here, and a search reads what is stored.

use std::borrow::Cow;
use std::ops::Range;

use super::prompt::is_command;
use super::user_text::CONTINUED;

/// What Claude Code writes before a plan that was accepted.
const PLAN_REQUEST: &str = "Implement the following plan:";
/// What plans are called before their subject.
const PLANS: [&str; 3] = ["Plan", "Implementation Plan", "Implementation plan"];
/// What stands in a prompt for something that was pasted, up to a bracket.
const PLACEHOLDERS: [&str; 3] = ["[Image #", "[Pasted text #", "[...Truncated text #"];
/// How a shell begins an error, which is where the output of a pasted command begins.
const SHELL_ERRORS: [&str; 4] = [" zsh: ", " bash: ", " -bash: ", " sh: "];
/// A longer path hides what is said about it, in characters.
const LONG_PATH: usize = 24;
/// Paths are looked for within so many characters: what comes later hides nothing.
const NEAR: usize = 60;

/// The part of a prompt that says what it is about. Empty if it says nothing: a continuation, a
/// command such as `/clear`, or nothing but what is passed over.
pub fn headline(prompt: &str) -> Cow<'_, str> {
    // Claude Code writes its `last-prompt` on one line; another program may not. Of a line break of
    // Windows that was put on one line, a return and a space are left.
    if prompt.contains(['\n', '\r']) {
        let line = prompt.replace("\r\n", " ").replace("\r ", " ");
        let line = line.replace(['\n', '\r'], " ");
        return headline(&line).into_owned().into();
    }
    let prompt = prompt.trim();
    if prompt.starts_with(CONTINUED) || is_command(prompt) {
        return Cow::Borrowed("");
    }
    let text = subject(prompt);
    let (sign, line) = match shell_line(&text) {
        Some(command) => ("$ ", command),
        None => ("", &*text),
    };
    match shortened(line) {
        None if sign.is_empty() => text,
        short => format!("{sign}{}", short.as_deref().unwrap_or(line)).into(),
    }
}

/// The prompt without what comes before its subject, and of a plan only the first heading.
fn subject(prompt: &str) -> Cow<'_, str> {
    let mut text = prompt;
    let (mut is_heading, mut is_bold) = (false, false);
    loop {
        text = text.trim_start();
        if let Some(rest) = text.strip_prefix(PLAN_REQUEST) {
            is_heading = true;
            text = rest;
        } else if let Some(rest) = without_hashes(text) {
            is_heading = true;
            text = rest;
        } else if let Some(rest) = without_bold(text) {
            is_bold = true;
            text = rest;
        } else if let Some(rest) = without_plan(text, is_heading) {
            text = rest;
        } else if let Some(rest) = without_placeholder(text) {
            text = rest;
        } else {
            break;
        }
    }
    if is_heading {
        text = up_to_heading(text);
    }
    if is_bold && let Some((bold, rest)) = text.split_once("**") {
        let plain = format!("{bold}{rest}");
        return plain.trim().to_owned().into();
    }
    text.into()
}

/// The text of a Markdown heading. `#412` is none.
fn without_hashes(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('#')?.trim_start_matches('#');
    rest.starts_with(char::is_whitespace).then_some(rest)
}

/// What follows the marks that open a bold text. `**kwargs` and `src/**/*.rs` open none.
fn without_bold(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("**")?;
    let (bold, _) = rest.split_once("**")?;
    let is_text = !bold.starts_with('*') && !bold.is_empty() && bold.trim() == bold;
    is_text.then_some(rest)
}

/// What a plan is about. "Plan the release" is about that, and `Plan::new()` is code.
fn without_plan(text: &str, is_heading: bool) -> Option<&str> {
    let rest = PLANS.iter().find_map(|plan| {
        let rest = text.strip_prefix(plan)?;
        rest.starts_with([':', ' ']).then_some(rest)
    })?;
    if let Some(rest) = rest.strip_prefix(':') {
        let ends = rest.chars().next();
        return ends
            .is_none_or(|c| c.is_whitespace() || c == '*')
            .then_some(rest);
    }
    let dashes = [" – ", " — ", " - "];
    let rest_of = |dash: &&str| rest.strip_prefix(*dash);
    // A heading ends at a blank line, which is stored as two spaces.
    let alone = || rest.strip_prefix("  ").filter(|_| is_heading);
    dashes.iter().find_map(rest_of).or_else(alone)
}

fn without_placeholder(text: &str) -> Option<&str> {
    let is_one = PLACEHOLDERS.iter().any(|opening| text.starts_with(opening));
    let (_, rest) = text.split_once(']').filter(|_| is_one)?;
    Some(rest)
}

/// The text before the next Markdown heading.
fn up_to_heading(text: &str) -> &str {
    let mut marks = text.match_indices("  #").map(|(at, _)| at);
    let is_heading = |at: &usize| {
        let rest = text[at + 2..].trim_start_matches('#');
        rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '…')
    };
    let end = marks.find(is_heading).unwrap_or(text.len());
    text[..end].trim_end()
}

/// The command of a shell line: typed after an exclamation mark, or pasted with its prompt.
fn shell_line(text: &str) -> Option<&str> {
    let command = match text.strip_prefix("! ") {
        Some(command) => command,
        None => pasted_command(text)?,
    };
    let command = command.trim();
    (!command.is_empty()).then_some(command)
}

/// The command after `user@host dir %` or `user@host:dir$`, without what it printed as far as that
/// can be told.
fn pasted_command(text: &str) -> Option<&str> {
    let line = match text.strip_prefix('(') {
        // The name of a Python environment.
        Some(rest) => rest.split_once(") ").filter(|(name, _)| is_name(name))?.1,
        None => text,
    };
    let (opening, rest) = line.split_once(' ')?;
    let (user, host) = opening.split_once('@')?;
    let (host, command) = if let Some((host, dir)) = host.split_once(':') {
        let ends = dir.ends_with(['$', '#', '%']);
        (host, ends.then_some(rest)?)
    } else {
        let (_, rest) = rest.split_once(' ')?;
        (host, rest.strip_prefix("% ")?)
    };
    if !is_name(user) || !is_name(host) {
        return None;
    }
    // The whole opening, so that the environment of a second prompt is cut off, too.
    let again = &text[..text.len() - line.len() + opening.len()];
    let printed = SHELL_ERRORS.iter().chain([&again]);
    let end = printed.filter_map(|mark| command.find(mark)).min();
    Some(&command[..end.unwrap_or(command.len())])
}

fn is_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.chars().all(is_of_name)
}

/// The text with its web addresses and long paths shortened; `None` if it has none.
fn shortened(text: &str) -> Option<String> {
    if !text.contains(['/', '\\']) {
        return None;
    }
    let near = text.char_indices().nth(NEAR);
    let near = near.map_or(text.len(), |(at, _)| at);
    let mut short = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()) {
        let start = at + start;
        let rest = &text[start..];
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let found = match word.contains(['/', '\\']) {
            true if start < near => link(word).or_else(|| path(rest)),
            true => link(word),
            false => None,
        };
        if let Some((place, shown)) = found {
            short.push_str(&text[copied..start + place.start]);
            short.push_str(&shown);
            copied = start + place.end;
            at = copied;
        } else {
            at = start + word.len();
        }
    }
    (copied > 0).then(|| short + &text[copied..])
}

/// The first web address in a word, and how it is shown.
fn link(word: &str) -> Option<(Range<usize>, String)> {
    let mut schemes = ["https://", "http://"].into_iter();
    let (start, scheme) = schemes.find_map(|scheme| Some((word.find(scheme)?, scheme)))?;
    if !word[..start].is_empty() && !word[..start].ends_with(|c: char| c.is_ascii_punctuation()) {
        return None;
    }
    let address = &word[start + scheme.len()..];
    let is_end = |c: char| {
        matches!(
            c,
            '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']' | '|'
        )
    };
    let address = address.split(is_end).next()?;
    let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let end = start + scheme.len() + address.len();
    let mut parts = address.split(['?', '#']).next()?.split('/');
    let host = parts.next().filter(|host| !host.is_empty())?;
    // A name and a password may come before it.
    let host = host.rsplit('@').next()?;
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let shown = match (host, parts.as_slice()) {
        (
            "github.com",
            [
                owner,
                repository,
                "pull" | "issues" | "discussions",
                number,
                ..,
            ],
        ) if is_number(number) => {
            format!("{owner}/{repository}#{number}")
        }
        ("github.com", [owner, repository]) => format!("{owner}/{repository}"),
        ("github.com", [owner, repository, last]) => format!("{owner}/{repository}/{last}"),
        ("github.com", [owner, repository, .., last]) => format!("{owner}/{repository}/…/{last}"),
        (host, []) => host.to_owned(),
        (host, [last]) => format!("{host}/{last}"),
        (host, [.., last]) => format!("{host}/…/{last}"),
    };
    Some((start..end, shown))
}

/// The long path that a text opens with, after its quote, and how it is shown.
fn path(text: &str) -> Option<(Range<usize>, String)> {
    let is_opening = |c: char| matches!(c, '"' | '\'' | '`' | '(' | '[' | '<' | '@');
    let body = text.trim_start_matches(is_opening);
    let start = text.len() - body.len();
    let separator = body.chars().find(|c| matches!(c, '/' | '\\'))?;
    let is_rooted = is_rooted(body);
    let quote = text[..start].chars().next_back();
    let quoted = quote.filter(|c| is_rooted && matches!(c, '"' | '\'' | '`'));
    let path = match quoted.and_then(|quote| body.split_once(quote)) {
        Some((path, _)) => path,
        None => unquoted(body, separator),
    };
    let mut names = path.trim_end_matches(separator).rsplit(separator);
    let last = names.next().filter(|last| !last.is_empty())?;
    // Two separators, so that it is no "and/or". `unquoted` has left `<a href="…">` its brackets.
    let is_path = names.count() > 1
        && (is_rooted || last.contains('.'))
        && !path.contains(['<', '>', '|', '=', '"', '{', '}'])
        && path.chars().nth(LONG_PATH).is_some();
    is_path.then(|| (start..start + path.len(), format!("…{separator}{last}")))
}

/// A path up to the next space that is not escaped, without the punctuation of the sentence.
fn unquoted(text: &str, separator: char) -> &str {
    let is_end = |(at, c): &(usize, char)| {
        c.is_whitespace() && !(separator == '/' && text[..*at].ends_with('\\'))
    };
    let end = text.char_indices().find(is_end);
    let path = &text[..end.map_or(text.len(), |(at, _)| at)];
    path.trim_end_matches(['"', '\'', '`', ')', ']', '>', '.', ',', ';', ':', '!', '?'])
}

/// Does a path begin at a root, a drive, home, or a directory?
fn is_rooted(path: &str) -> bool {
    let drive = path.strip_prefix(|c: char| c.is_ascii_alphabetic());
    let is_drive = drive.is_some_and(|rest| rest.starts_with(":\\") || rest.starts_with(":/"));
    is_drive
        || path.starts_with(['/', '\\', '~'])
        || path.starts_with("./")
        || path.starts_with("../")
}

#[cfg(test)]
#[path = "headline_tests.rs"]
mod tests;
