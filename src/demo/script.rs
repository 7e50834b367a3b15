//! The format of the demo scripts: facts, a blank line, then the steps of the session.

use std::collections::HashMap;

/// A sample session. `fork` is the number of the script that it was forked from, `worktree` one
/// that is gone, `status` that of a running session.
#[derive(Debug)]
pub struct Script<'a> {
    facts: HashMap<&'a str, &'a str>,
    pub steps: Vec<ScriptStep<'a>>,
}

/// A step of a session: a word that says what it is, its text, and the lines after it.
#[derive(Debug)]
pub struct ScriptStep<'a> {
    pub word: &'a str,
    pub text: &'a str,
    pub more: Vec<&'a str>,
}

impl ScriptStep<'_> {
    /// The text with the lines after it.
    pub fn whole(&self) -> String {
        let mut lines = vec![self.text];
        lines.extend(&self.more);
        lines.join("\n")
    }
}

impl<'a> Script<'a> {
    pub fn parse(source: &'a str) -> Self {
        let (facts, body) = source.split_once("\n\n").unwrap_or((source, ""));
        let facts = facts.lines().filter_map(|fact| fact.split_once(": "));
        let mut steps: Vec<ScriptStep> = Vec::new();
        for line in body.lines() {
            let (word, text) = line.split_once(' ').unwrap_or((line, ""));
            // Two spaces continue a text.
            let text = match word {
                "" => line.strip_prefix("  ").unwrap_or_default(),
                _ => text,
            };
            match steps.last_mut() {
                Some(step) if matches!(word, "" | "|") => step.more.push(text),
                _ => steps.push(ScriptStep {
                    word,
                    text,
                    more: Vec::new(),
                }),
            }
        }
        Self {
            facts: facts.collect(),
            steps,
        }
    }

    /// A fact about the session.
    pub fn fact(&self, name: &str) -> Option<&'a str> {
        self.facts.get(name).copied()
    }

    /// How long ago it ended, in milliseconds: `3m`, `5h` or `12d`.
    pub fn ago(&self) -> i64 {
        let span = self.fact("ago").unwrap_or_default();
        let minutes = match span.chars().last() {
            Some('h') => 60,
            Some('d') => 24 * 60,
            _ => 1,
        };
        let count = span.trim_end_matches(char::is_alphabetic).parse();
        count.unwrap_or(0) * minutes * 60_000
    }
}
