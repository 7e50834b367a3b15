//! Code with its words told apart: keywords, texts, numbers, comments, names.
//!
//! Slow to make and slow to use, compared with everything else here: a text is shown without it
//! first. Gives tones, never colors, and never changes a character.
//!
//! A grammar is hundreds of regular expressions, and some of them backtrack without end on one line
//! of hostile code. Nothing stops the engine inside a line, so each piece of code is painted on a
//! thread of its own, which is abandoned when it overruns its budget: what is not painted by then
//! stays plain.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::line::{Span, Tone};

/// Longer code is left as it is: the colors of ten thousand lines are not worth the wait.
const MOST_LINES: usize = 600;
/// Bytes of a line that is painted. The time of the worst grammars grows with the third power of
/// it: 0.2 s at this length, minutes at 2,000.
const LONGEST_LINE: usize = 500;
/// The same for style sheets, whose grammars have a fourth power: 0.2 s here, 37 s at 500.
const LONGEST_STYLE: usize = 100;
/// Time for a piece of code. 600 lines of TypeScript take a sixth of it.
const BUDGET: Duration = Duration::from_secs(1);
/// Languages that may overrun their budget before nothing is painted any more.
const MOST_SLOW: usize = 3;
/// Threads that may be stuck in a line at a time.
const MOST_STUCK: usize = 3;
/// How long a request to stop may go unnoticed.
const NOTICE: Duration = Duration::from_millis(10);

/// Lines of code with their tones.
type Lines = Vec<Vec<Span>>;

/// The languages that are known.
#[derive(Debug)]
pub struct Syntaxes {
    /// Every thread that paints has a share, so the shares tell how many there are.
    grammars: Arc<Grammars>,
    budget: Duration,
    /// Languages that have overrun their budget and stay plain, by their number.
    slow: RefCell<Vec<usize>>,
}

#[derive(Debug)]
struct Grammars {
    set: SyntaxSet,
    /// The tones of the beginnings of scope names, the more exact ones first.
    tones: Vec<(Scope, Tone)>,
}

/// Paints code for as long as that is wanted.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub struct Painter<'a> {
    pub syntaxes: &'a Syntaxes,
    pub go_on: &'a dyn Fn() -> bool,
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
        Self::within(BUDGET)
    }

    /// The same with another budget for a piece of code.
    fn within(budget: Duration) -> Self {
        let tone = |(name, tone): &(&str, Tone)| Some((Scope::new(name).ok()?, *tone));
        Self {
            grammars: Arc::new(Grammars {
                set: two_face::syntax::extra_newlines(),
                tones: TONES.iter().filter_map(tone).collect(),
            }),
            budget,
            slow: RefCell::default(),
        }
    }

    /// Starts to paint code in a language. `None` if too much is stuck already.
    fn start(&self, language: usize, code: &str) -> Option<Receiver<Lines>> {
        if Arc::strong_count(&self.grammars) > MOST_STUCK {
            return None;
        }
        let (lines, painted) = channel();
        let grammars = Arc::clone(&self.grammars);
        let code = code.to_owned();
        let painting = thread::Builder::new().name("colors".to_owned());
        let painting = painting.spawn(move || grammars.paint(language, &code, &lines));
        painting.is_ok().then_some(painted)
    }
}

impl Painter<'_> {
    /// The lines of a piece of code with their tones, plain from where its budget ends. `None` for
    /// a language that is not known or too slow, or more code than is worth it.
    pub fn paint(self, language: &str, code: &str) -> Option<Lines> {
        let Syntaxes {
            grammars,
            budget,
            slow,
        } = self.syntaxes;
        let language = grammars.number(language)?;
        let is_left_out = {
            let slow = slow.borrow();
            slow.contains(&language) || slow.len() >= MOST_SLOW
        };
        if is_left_out || code.lines().count() > MOST_LINES {
            return None;
        }
        let painted = self.syntaxes.start(language, code)?;
        let began = Instant::now();
        let mut lines = Vec::new();
        loop {
            match painted.recv_timeout(NOTICE) {
                Ok(more) => lines.extend(more),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if began.elapsed() >= *budget {
                slow.borrow_mut().push(language);
                break;
            }
            if !(self.go_on)() {
                break;
            }
        }
        let rest = code.lines().skip(lines.len());
        lines.extend(rest.map(plain));
        Some(lines)
    }
}

/// A line of code without colors.
pub fn plain(line: &str) -> Vec<Span> {
    vec![Span::new(line, Tone::Block)]
}

impl Grammars {
    /// The number of a language. A fence may say more than that: `rust,no_run`, `js title="a.js"`.
    fn number(&self, language: &str) -> Option<usize> {
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
        let found = self.set.find_syntax_by_token(name)?;
        let all = self.set.syntaxes().iter();
        all.enumerate()
            .find_map(|(n, it)| std::ptr::eq(it, found).then_some(n))
    }

    /// Paints some lines at a time, for as long as they are taken.
    fn paint(&self, language: usize, code: &str, painted: &Sender<Lines>) {
        let Some(syntax) = self.set.syntaxes().get(language) else {
            return;
        };
        let longest = longest_line(syntax);
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        let mut lines = Vec::new();
        let mut sent = Instant::now();
        for line in code.lines() {
            if line.len() > longest {
                lines.push(plain(line));
            } else if let Some(spans) = self.line(line, &mut state, &mut stack) {
                lines.push(spans);
            } else {
                break;
            }
            // One wake-up per line would cost a third more.
            if sent.elapsed() >= NOTICE {
                if painted.send(std::mem::take(&mut lines)).is_err() {
                    return;
                }
                sent = Instant::now();
            }
        }
        let _ = painted.send(lines);
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

    /// The innermost scope with a tone wins.
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

fn longest_line(syntax: &SyntaxReference) -> usize {
    match syntax.name.as_str() {
        "Less" | "Sass" | "SCSS" => LONGEST_STYLE,
        _ => LONGEST_LINE,
    }
}

#[cfg(test)]
#[path = "syntax_tests.rs"]
mod tests;
