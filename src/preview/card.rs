//! The card at the top of a conversation: what it is, and where it stopped.
//!
//! Only what is known has a line, and nothing is padded.

mod damage;
mod lists;

use chrono::NaiveDateTime;

use super::flow::flow;
use super::line::{Span, Tone, plain_text};
use super::markdown::markdown;
use crate::text::{beginning, sanitize_whole, truncate};
use crate::transcript::{
    Breaks, Digest, Health, Interruption, PromptReach, SessionState, StepKind, StoppedBy, Turn,
    TurnOpening, Usage, tool_title,
};
pub use damage::damage;
use lists::{files, packed, todos};

/// Bytes of an answer, more than enough for two lines of any terminal.
const MOST_OF_AN_ANSWER: usize = 2000;

/// What the list knows of the session, and the file's state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CardFacts {
    pub title: String,
    pub project: Option<String>,
    pub branch: Option<String>,
    /// When it began and when it was last touched, in readable form.
    pub times: Option<String>,
    pub file_size: Option<String>,
    /// Such as "waiting for you".
    pub running: Option<String>,
    pub branches: usize,
    pub compactions: usize,
    pub breaks: Breaks,
    pub health: Health,
    pub reach: PromptReach,
    /// Other files that hold the same session, as people write their folders.
    pub copies: Vec<String>,
    pub known: Coverage,
    /// What is shown, where it is not what resuming brings back.
    pub instead: Option<String>,
}

/// What the card says of a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gist {
    turns: usize,
    last_prompt: Option<String>,
    last_answer: Option<String>,
    interruption: Interruption,
    state: SessionState,
    usage: Usage,
    cwd: Option<String>,
}

impl Gist {
    /// How many turns the user opened.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// Where the session ran.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// The gist of a conversation that is held whole.
    pub fn of(digest: &Digest) -> Self {
        let mut gist = Self::default();
        for turn in &digest.newest {
            gist.take(turn);
        }
        gist.with(digest)
    }

    /// Takes the next turn of a conversation that is not held whole.
    pub fn take(&mut self, turn: &Turn) {
        self.turns += usize::from(turn.is_human());
        if let Some(prompt) = last_prompt(turn) {
            self.last_prompt = Some(shortened(&prompt));
        }
        let mut steps = turn.steps.iter().rev();
        if let Some(answer) = steps.find_map(|step| match &step.what {
            StepKind::Text(text) => Some(text),
            _ => None,
        }) {
            self.last_answer = Some(beginning(answer, MOST_OF_AN_ANSWER).to_owned());
        }
    }

    /// The gist of a conversation all of whose turns were taken.
    #[must_use]
    pub fn with(self, digest: &Digest) -> Self {
        Self {
            interruption: digest.sent.interruption.clone(),
            state: digest.state.clone(),
            usage: digest.usage.clone(),
            cwd: digest.cwd.clone(),
            ..self
        }
    }
}

/// How much of a conversation is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    #[default]
    Whole,
    /// Its end only: nothing can be counted yet.
    Newest,
}

/// A card that was laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionCard {
    pub lines: Vec<Vec<Span>>,
    /// How many of the lines after the title must be visible in any case.
    pub urgent: usize,
}

impl SessionCard {
    fn line(&mut self, spans: &[Span], columns: usize) {
        if !spans.is_empty() {
            let indent = [Span::indent()];
            self.lines.extend(flow(spans, &[], &indent, columns));
        }
    }

    /// Several things with a dot between them, none of which is torn apart if it fits.
    fn parts(&mut self, title: &str, parts: &[String], tone: Tone, columns: usize) {
        let spans = parts.iter().map(|part| vec![Span::new(part, tone)]);
        for line in packed(title, spans.collect(), columns) {
            self.line(&line, columns);
        }
    }
}

/// Lays out the card. What is wrong or going on comes first: small screens show no more.
pub fn card(gist: &Gist, facts: &CardFacts, columns: usize) -> SessionCard {
    let mut card = SessionCard::default();
    let mut line = |spans: Vec<Span>| card.line(&spans, columns);
    // One line: everything else tells more than the end of a long title.
    let title = truncate(&sanitize_whole(&facts.title), columns);
    line(vec![Span::new(&title, Tone::Heading)]);
    if let Some(instead) = &facts.instead {
        line(vec![Span::new(&format!("⑂ {instead}"), Tone::Strong)]);
    }
    let states = states(gist, facts);
    let loud = |span: &Span| matches!(span.tone, Tone::Strong | Tone::Added | Tone::Error);
    let is_urgent = facts.instead.is_some() || states.iter().any(loud);
    line(states);
    card.urgent = if is_urgent { card.lines.len() - 1 } else { 0 };
    card.parts("", &whereabouts(gist, facts), Tone::Dim, columns);
    card.parts("", &measures(gist, facts), Tone::Dim, columns);
    let mut line = |spans: Vec<Span>| card.line(&spans, columns);
    line(told("you    ", gist.last_prompt.as_deref(), columns));
    // Lines are broken between words, so not all of two lines can be filled.
    let two_lines = columns.saturating_mul(2).saturating_sub(20);
    let answer = gist.last_answer.as_deref().map(without_marks);
    line(told("Claude ", answer.as_deref(), two_lines));
    if facts.known == Coverage::Whole {
        line(todos(gist));
        for changed in files(gist, columns) {
            line(changed);
        }
    }
    card.parts("also in ", &facts.copies, Tone::Plain, columns);
    card
}

/// The head of a printed conversation: what it is, where it was, and when.
pub fn masthead(gist: &Gist, facts: &CardFacts, columns: usize) -> Vec<Vec<Span>> {
    let mut head = SessionCard::default();
    head.line(&[Span::new(&facts.title, Tone::Heading)], columns);
    head.parts("", &whereabouts(gist, facts), Tone::Dim, columns);
    head.parts("", &measures(gist, facts), Tone::Dim, columns);
    head.lines
}

/// When a session began and when it was last touched.
pub fn times(began: Option<NaiveDateTime>, last: NaiveDateTime) -> String {
    let minute = |time: NaiveDateTime| time.format("%Y-%m-%d %H:%M").to_string();
    let until = minute(last);
    match began.filter(|began| *began < last) {
        Some(began) if minute(began) == until => until,
        Some(began) if began.date() == last.date() => {
            format!("{} – {}", minute(began), last.format("%H:%M"))
        }
        Some(began) => format!("{} – {until}", minute(began)),
        None => until,
    }
}

fn whereabouts(gist: &Gist, facts: &CardFacts) -> Vec<String> {
    let prs = gist.state.prs.iter().map(|pr| {
        let repository = pr.repository.as_deref().unwrap_or_default();
        format!("PR {repository}#{}", pr.number)
    });
    let mut parts: Vec<String> = Vec::new();
    parts.extend(facts.project.clone());
    parts.extend(facts.branch.clone());
    parts.extend(prs);
    let model = gist.usage.models.last();
    parts.extend(model.map(|model| model.trim_start_matches("claude-").to_owned()));
    parts
}

fn measures(gist: &Gist, facts: &CardFacts) -> Vec<String> {
    let mut parts = Vec::new();
    // After a compaction Claude may go on without having been asked anything.
    if facts.known == Coverage::Whole && gist.turns > 0 {
        parts.push(match gist.turns {
            1 => "1 turn".to_owned(),
            turns => format!("{turns} turns"),
        });
    }
    if let Some(tokens) = gist.usage.context {
        parts.push(format!("{} context", thousands(tokens)));
    }
    if let Some(cost) = &gist.state.cost {
        parts.push(format!("${:.2}", cost.usd));
        parts.extend(cost.duration.and_then(lasted));
        if let (Some(added @ 1..), Some(removed)) | (Some(added), Some(removed @ 1..)) =
            (cost.lines_added, cost.lines_removed)
        {
            parts.push(format!("+{added} -{removed} lines"));
        }
    }
    match facts.compactions {
        0 => {}
        1 => parts.push("compacted once".to_owned()),
        times => parts.push(format!("compacted {times} times")),
    }
    parts.extend(facts.file_size.clone());
    parts.extend(facts.times.clone());
    parts
}

/// How long it went on, in at most two units; nothing below a minute.
fn lasted(milliseconds: u64) -> Option<String> {
    let minutes = milliseconds / 60_000;
    match (minutes / 60, minutes % 60) {
        (0, 0) => None,
        (0, minutes) => Some(format!("{minutes}m")),
        (hours @ 1..48, 0) => Some(format!("{hours}h")),
        (hours @ 1..48, minutes) => Some(format!("{hours}h {minutes}m")),
        (hours, _) => Some(format!("{}d", hours / 24)),
    }
}

fn thousands(tokens: u64) -> String {
    match tokens {
        ..1000 => tokens.to_string(),
        _ => format!("{}k", tokens / 1000),
    }
}

/// What the user asked last in a turn, perhaps in its middle.
fn last_prompt(turn: &Turn) -> Option<String> {
    let mut steps = turn.steps.iter().rev();
    let reply = steps.find_map(|step| match &step.what {
        StepKind::Reply(text) => Some(text.clone()),
        _ => None,
    });
    let opening = || match &turn.opening {
        TurnOpening::Prompt { text, .. } => Some(text.clone()),
        TurnOpening::Command { name, arguments } => Some(format!("{name} {arguments}")),
        TurnOpening::Shell(command) => Some(format!("! {command}")),
        TurnOpening::Peer { .. } | TurnOpening::Compaction { .. } | TurnOpening::Unasked => None,
    };
    reply.or_else(opening).filter(|_| turn.is_human())
}

/// The beginning of an answer without the marks of Markdown, on one line.
fn without_marks(text: &str) -> String {
    let lines = markdown(beginning(text, MOST_OF_AN_ANSWER), usize::MAX, None);
    let text = |line: Vec<Span>| plain_text(&line);
    // The rule of a table says nothing in a line of words.
    let is_rule = |line: &String| line.chars().all(|c| matches!(c, '─' | '┼' | ' '));
    let lines = lines.into_iter().map(text).filter(|line| !is_rule(line));
    let lines: Vec<String> = lines.collect();
    shortened(&lines.join(" "))
}

/// More than enough for two lines of any terminal, on one line.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = beginning(text, 2000).split_whitespace().collect();
    words.join(" ")
}

/// Who said what, as much of it as there is room for.
fn told(who: &str, text: Option<&str>, room: usize) -> Vec<Span> {
    let words = sanitize_whole(text.unwrap_or_default());
    let words = truncate(&words, room.saturating_sub(who.len()));
    if words.is_empty() {
        return Vec::new();
    }
    vec![Span::new(who, Tone::Dim), Span::new(&words, Tone::Plain)]
}

/// What wants attention.
fn states(gist: &Gist, facts: &CardFacts) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut add = |text: &str, tone: Tone| {
        if !spans.is_empty() {
            spans.push(Span::new("   ", Tone::Plain));
        }
        spans.push(Span::new(text, tone));
    };
    if let Some(running) = &facts.running {
        add(&format!("● {running}"), Tone::Added);
    }
    let stopped = match &gist.interruption {
        // What still runs was not stopped.
        _ if facts.running.is_some() => None,
        interruption => how_it_stopped(interruption),
    };
    if let Some(stopped) = stopped {
        add(&stopped, Tone::Strong);
    }
    if facts.branches > 1 {
        add(&format!("⑂ {} branches", facts.branches), Tone::Plain);
    }
    let damage = damage(&facts.health, facts.breaks, facts.reach);
    if !damage.is_empty() {
        add(&format!("⚠ {}", damage.join("; ")), Tone::Error);
    }
    spans
}

/// What cut a conversation off, if anything did.
pub fn how_it_stopped(interruption: &Interruption) -> Option<String> {
    let (by, otherwise) = match interruption {
        Interruption::None => return None,
        Interruption::Prompt { by, .. } => (by, "your last prompt was not answered"),
        Interruption::Turn { by, .. } => (by, "stopped in the middle of a turn"),
    };
    Some(match by {
        StoppedBy::Person => "you interrupted it".to_owned(),
        StoppedBy::ApiError { text } => match text.lines().next() {
            Some(text) => format!("stopped by an API error: {text}"),
            None => "stopped by an API error".to_owned(),
        },
        StoppedBy::End { tools } if tools.is_empty() => otherwise.to_owned(),
        StoppedBy::End { tools } => format!("stopped while running {}", each_once(tools)),
    })
}

/// Names, with how often they occur where that is more than once.
fn each_once(names: &[String]) -> String {
    let mut told: Vec<String> = Vec::new();
    for (n, name) in names.iter().enumerate() {
        if names[..n].contains(name) {
            continue;
        }
        let name = tool_title(name);
        told.push(
            match names[n..].iter().filter(|it| **it == names[n]).count() {
                1 => name,
                times => format!("{times} {name}"),
            },
        );
    }
    told.join(", ")
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
