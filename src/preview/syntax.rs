//! Code with its words told apart: keywords, texts, numbers, comments, names.
//!
//! Slow to make and slow to use, compared with everything else here: whoever draws shows a text
//! without it first. Gives tones, never colours, and never changes a character.

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::line::{Span, Tone};

/// Longer code is left as it is: nobody waits for the colours of ten thousand lines.
const MOST_LINES: usize = 600;
/// A line longer than this is data, not code.
const LONGEST_LINE: usize = 2000;

/// The languages that are known.
#[derive(Debug)]
pub struct Syntaxes {
    set: SyntaxSet,
    /// What the beginning of a scope's name stands for, the more exact ones first.
    tones: Vec<(Scope, Tone)>,
}

/// Beginnings of scopes' names, as grammars agree on them.
const TONES: &[(&str, Tone)] = &[
    ("comment", Tone::Comment),
    ("punctuation.definition.comment", Tone::Comment),
    ("constant.character.escape", Tone::Number),
    ("constant.numeric", Tone::Number),
    ("constant.language", Tone::Number),
    ("string", Tone::Quoted),
    ("punctuation.definition.string", Tone::Quoted),
    ("keyword.operator", Tone::Block),
    ("keyword", Tone::Keyword),
    ("storage", Tone::Keyword),
    ("entity.name.tag", Tone::Keyword),
    ("entity.name", Tone::Name),
    ("entity.other.attribute-name", Tone::Name),
    ("support.function", Tone::Name),
    ("support.type", Tone::Name),
    ("support.class", Tone::Name),
    ("support.macro", Tone::Name),
    ("variable.function", Tone::Name),
    ("markup.inserted", Tone::Added),
    ("markup.deleted", Tone::Removed),
    ("markup.heading", Tone::Heading),
    ("meta.diff.header", Tone::Heading),
];

impl Syntaxes {
    /// Loads the languages: some milliseconds, and more for the first code of each language.
    pub fn load() -> Self {
        let tone = |(name, tone): &(&str, Tone)| Some((Scope::new(name).ok()?, *tone));
        Self {
            set: two_face::syntax::extra_newlines(),
            tones: TONES.iter().filter_map(tone).collect(),
        }
    }

    /// The lines of a piece of code with their tones. `None` for a language that nobody knows,
    /// or more code than is worth it.
    pub fn paint(&self, language: &str, code: &str) -> Option<Vec<Vec<Span>>> {
        let syntax = self.syntax(language)?;
        let too_long = |line: &str| line.len() > LONGEST_LINE;
        if code.lines().count() > MOST_LINES || code.lines().any(too_long) {
            return None;
        }
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        let mut lines = Vec::new();
        for line in code.lines() {
            lines.push(self.line(line, &mut state, &mut stack)?);
        }
        Some(lines)
    }

    /// A fence may say more than the language: `rust,no_run`, `js title="a.js"`.
    fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '{' | ':');
        let word = language.split(is_end).next().unwrap_or_default();
        let name = match word {
            "" | "text" | "txt" | "plain" | "plaintext" | "output" => return None,
            "shell" | "console" | "terminal" | "zsh" => "bash",
            "jsonc" | "json5" | "jsonl" => "json",
            "golang" => "go",
            "c++" => "cpp",
            other => other,
        };
        self.set.find_syntax_by_token(name)
    }

    fn line(
        &self,
        line: &str,
        state: &mut ParseState,
        stack: &mut ScopeStack,
    ) -> Option<Vec<Span>> {
        // The grammars want to see where a line ends.
        let ended = format!("{line}\n");
        let changes = state.parse_line(&ended, &self.set).ok()?;
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        let mut add = |from: usize, to: usize, tone: Tone| {
            let Some(text) = line.get(from..to.min(line.len())) else {
                return;
            };
            match spans.last_mut() {
                Some(last) if last.tone == tone => {
                    let more = Span::new(text, tone);
                    last.text.push_str(&more.text);
                }
                _ if text.is_empty() => {}
                _ => spans.push(Span::new(text, tone)),
            }
        };
        for (end, change) in changes {
            if end > at {
                add(at, end, self.tone(stack));
                at = end;
            }
            stack.apply(&change).ok()?;
        }
        if at < line.len() {
            add(at, line.len(), self.tone(stack));
        }
        Some(spans)
    }

    /// The innermost scope that says anything has the say.
    fn tone(&self, stack: &ScopeStack) -> Tone {
        let known = |scope: &Scope| {
            let found = self
                .tones
                .iter()
                .find(|(name, _)| name.is_prefix_of(*scope));
            found.map(|(_, tone)| *tone)
        };
        stack
            .as_slice()
            .iter()
            .rev()
            .find_map(known)
            .unwrap_or(Tone::Block)
    }
}

#[cfg(test)]
#[path = "syntax_tests.rs"]
mod tests;
