//! Tool calls, opened: what was run, found or changed, and what came back.

mod headline;
mod told;

use serde_json::Value;

use super::flow::{flow, hard};
use super::line::{Span, Tone, picture};
use super::markdown::{MOST_BYTES, markdown_of};
use super::syntax::Painter;
use crate::text::{beginning, printed, size};
use crate::transcript::{ContentPart, FileChange, ToolCall, ToolResult};
use headline::{headline, input};
use told::{agent_answer, background, found_pages, told};

/// Columns in which no line is broken.
pub const UNBROKEN: usize = 1_000_000;
/// Lines of output that are shown of one call: a test run of ten thousand lines is not read here.
const MOST_OUTPUT: usize = 200;
/// Lines that are shown of a file that was only read, or of what was found.
const MOST_FOUND: usize = 40;
/// Characters of one field of an input that are shown.
const MOST_INPUT: usize = 2000;

/// Where and how a call is laid out.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    pub columns: usize,
    /// Where the session ran.
    pub cwd: Option<&'a str>,
    pub painter: Option<Painter<'a>>,
    pub amount: Amount,
    /// A search skips the texts for which this returns false.
    pub wants: Option<Wants<'a>>,
}

/// Is a text wanted?
pub type Wants<'a> = &'a dyn Fn(&str) -> bool;

/// How much of what came back is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// As much as is readable on a screen.
    Readable,
    /// What is read on a screen, to its end.
    Whole,
    /// What is not for the screen, too.
    Everything,
}

impl<'a> Sheet<'a> {
    /// Wide enough that no line is broken.
    pub fn unbroken(cwd: Option<&'a str>, amount: Amount) -> Self {
        Self {
            columns: UNBROKEN,
            cwd,
            painter: None,
            amount,
            wants: None,
        }
    }

    fn most(self, readable: usize) -> usize {
        match self.amount {
            Amount::Readable => readable,
            Amount::Whole | Amount::Everything => usize::MAX,
        }
    }
}

/// Lays out one call.
pub fn call_lines(call: &ToolCall, sheet: Sheet<'_>) -> Vec<Vec<Span>> {
    let failed = call.result.as_ref().is_some_and(|result| result.is_error);
    let mark = if failed { "✗ " } else { "· " };
    let tone = if failed { Tone::Error } else { Tone::Dim };
    let mut title = vec![Span::new(mark, tone)];
    let headline = headline(call, sheet.cwd);
    title.extend(headline.spans);
    if call.result.is_none() {
        title.push(Span::new("  (never finished)", Tone::Error));
    }
    let indent = [Span::indent()];
    let mut body = CallBody {
        call,
        sheet,
        lines: flow(&title, &[], &indent, sheet.columns),
    };
    body.write(headline.used);
    body.lines
}

/// The lines under a headline, indented.
struct CallBody<'a> {
    call: &'a ToolCall,
    sheet: Sheet<'a>,
    lines: Vec<Vec<Span>>,
}

impl CallBody<'_> {
    fn write(&mut self, in_headline: &[&str]) {
        let call = self.call;
        let result = call.result.as_ref();
        let failed = result.is_some_and(|result| result.is_error);
        match call.name.as_deref() {
            Some("Bash") => {
                for line in input(call, "command").lines().skip(1) {
                    self.line(line, Tone::Plain);
                }
                self.output(MOST_OUTPUT);
            }
            Some("TodoWrite") => {
                self.todos();
                self.trouble();
            }
            Some(_) if call.edits_file() => {
                match FileChange::of(call) {
                    Some(change) if !failed && !change.hunks.is_empty() => self.diff(&change),
                    _ => self.asked_for(),
                }
                self.trouble();
            }
            Some("Read" | "Glob" | "Grep" | "LS") => self.output(MOST_FOUND),
            Some("Task" | "Agent") if !failed => {
                self.markdown(&result.map(agent_answer).unwrap_or_default());
            }
            Some("WebFetch") if !failed => {
                self.markdown(&result.map(ToolResult::text).unwrap_or_default());
            }
            Some("WebSearch") if !failed => match result.and_then(found_pages) {
                Some(text) => self.markdown(&text),
                None => self.output(MOST_OUTPUT),
            },
            Some("BashOutput" | "TaskOutput" | "AgentOutput") if !failed => {
                match background(call) {
                    Some((text, _)) => self.text(&text, Tone::Dim, MOST_OUTPUT),
                    None => self.output(MOST_OUTPUT),
                }
            }
            // They only say that they did what the headline says.
            Some("KillShell" | "KillBash" | "TaskStop" | "EnterPlanMode") => self.trouble(),
            Some("ExitPlanMode") => {
                self.markdown(input(call, "plan"));
                self.trouble();
            }
            Some("SendMessage") => {
                let text = ["message", "content"].map(|key| input(call, key));
                let text = text.into_iter().find(|text| !text.is_empty());
                self.markdown(text.unwrap_or_default());
                self.trouble();
            }
            Some("AskUserQuestion") => self.questions(),
            Some("ToolSearch") if !failed => {
                let matches = result.and_then(|it| it.detail["matches"].as_array());
                let names = matches.into_iter().flatten().filter_map(Value::as_str);
                let names: Vec<&str> = names.collect();
                self.line(&names.join(", "), Tone::Dim);
            }
            Some("TaskCreate" | "TaskUpdate") => {
                self.fields(in_headline);
                self.trouble();
            }
            Some("WebFetch" | "WebSearch" | "Task" | "Agent") => self.output(MOST_OUTPUT),
            _ => {
                self.fields(in_headline);
                self.output(MOST_OUTPUT);
            }
        }
    }

    /// A line as it is, broken only where it is too long.
    fn line(&mut self, line: &str, tone: Tone) {
        let indent = [Span::indent()];
        let span = Span::new(line, tone);
        self.lines
            .extend(hard(&[span], &indent, self.sheet.columns));
    }

    /// A text as a terminal shows it, at most so many lines of it.
    fn text(&mut self, text: &str, tone: Tone, readable: usize) {
        if self.is_wanted(text) {
            self.limited(text.lines().map(printed), readable, |_| tone);
        }
    }

    /// At most `readable` of some lines, and how many are left out.
    fn limited<L: AsRef<str>>(
        &mut self,
        mut lines: impl Iterator<Item = L>,
        readable: usize,
        tone: impl Fn(&str) -> Tone,
    ) {
        for line in lines.by_ref().take(self.sheet.most(readable)) {
            self.line(line.as_ref(), tone(line.as_ref()));
        }
        let left_out = lines.count();
        if left_out > 0 {
            self.line(&format!("… {left_out} more lines"), Tone::Fold);
        }
    }

    fn markdown(&mut self, text: &str) {
        let room = self.sheet.columns.saturating_sub(2).max(1);
        let most = self.sheet.most(MOST_BYTES);
        for line in markdown_of(text, most, room, self.sheet.painter) {
            let mut whole = vec![Span::indent()];
            whole.extend(line);
            self.lines.push(whole);
        }
    }

    fn todos(&mut self) {
        let indent = [Span::indent()];
        for todo in self.call.input["todos"].as_array().into_iter().flatten() {
            let mark = match todo["status"].as_str() {
                Some("completed") => "☑",
                Some("in_progress") => "◐",
                _ => "☐",
            };
            let text = format!("{mark} {}", todo["content"].as_str().unwrap_or_default());
            let span = Span::new(&text, Tone::Plain);
            let lines = flow(&[span], &indent, &indent, self.sheet.columns);
            self.lines.extend(lines);
        }
    }

    /// The questions of a call, each with its answer, or with what could have been answered.
    fn questions(&mut self) {
        let call = self.call;
        let detail = call.result.as_ref().map_or(&Value::Null, |it| &it.detail);
        let mut is_answered = false;
        for question in call.input["questions"].as_array().into_iter().flatten() {
            let asked = question["question"].as_str().unwrap_or_default();
            self.markdown(asked);
            if let Some(answer) = detail["answers"][asked].as_str() {
                self.line(&format!("→ {answer}"), Tone::Strong);
                is_answered = true;
            } else {
                for option in question["options"].as_array().into_iter().flatten() {
                    let label = option["label"].as_str().unwrap_or_default();
                    self.line(&format!("- {label}"), Tone::Dim);
                }
            }
        }
        let declined = call.result.as_ref().and_then(ToolResult::declined);
        if !is_answered && declined.is_none() {
            self.output(MOST_OUTPUT);
        }
    }

    /// The fields of an input that the headline does not show.
    fn fields(&mut self, in_headline: &[&str]) {
        let Value::Object(fields) = &self.call.input else {
            return;
        };
        for (key, value) in fields {
            if in_headline.contains(&key.as_str()) {
                continue;
            }
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let shown = beginning(&text, self.sheet.most(MOST_INPUT));
            let rest = text.len() - shown.len();
            let text = format!("{key}: {shown}").replace('\n', "\n  ");
            self.text(&text, Tone::Plain, MOST_FOUND);
            if rest > 0 {
                self.line(&format!("… {} more", size(rest as u64)), Tone::Fold);
            }
        }
    }

    /// A change of which no patch is stored, by what was asked for: a new file has none.
    fn asked_for(&mut self) {
        let call = self.call;
        let edits: Vec<&Value> = match call.input["edits"].as_array() {
            Some(edits) => edits.iter().collect(),
            None => vec![&call.input],
        };
        for edit in edits {
            for (key, sign, tone) in [
                ("old_string", '-', Tone::Removed),
                ("new_string", '+', Tone::Added),
                ("content", '+', Tone::Added),
                ("new_source", '+', Tone::Added),
            ] {
                let text = edit[key].as_str().unwrap_or_default();
                if self.is_wanted(text) {
                    let lines = text.lines().map(|line| format!("{sign}{line}"));
                    self.limited(lines, MOST_OUTPUT, |_| tone);
                }
            }
        }
    }

    /// What went wrong, if anything did.
    fn trouble(&mut self) {
        if self.call.result.as_ref().is_some_and(|it| it.is_error) {
            self.output(MOST_OUTPUT);
        }
    }

    /// What came back, at most so many lines of it.
    fn output(&mut self, readable: usize) {
        let Some(result) = &self.call.result else {
            return;
        };
        let tone = if result.is_error {
            Tone::Error
        } else {
            Tone::Dim
        };
        // What the program tells Claude of it is in the headline, what the user said below.
        if result.declined().is_some() && self.sheet.amount != Amount::Everything {
            return;
        }
        for part in &result.parts {
            match part {
                ContentPart::Text(text) => match self.sheet.amount {
                    Amount::Readable | Amount::Whole => self.text(told(text), tone, readable),
                    Amount::Everything => self.text(text, tone, readable),
                },
                ContentPart::Image(image) => self.line(&picture(image), Tone::Dim),
                ContentPart::Other(name) => self.line(&format!("[{name}]"), Tone::Dim),
            }
        }
    }

    fn diff(&mut self, change: &FileChange) {
        let tone = |line: &str| match line.as_bytes().first() {
            Some(b'+') => Tone::Added,
            Some(b'-') => Tone::Removed,
            _ => Tone::Dim,
        };
        for (n, hunk) in change.hunks.iter().enumerate() {
            if n > 0 {
                self.line("⋯", Tone::Dim);
            }
            self.limited(hunk.lines.iter(), MOST_OUTPUT, tone);
        }
    }

    /// A search has no use for texts without a match.
    fn is_wanted(&self, text: &str) -> bool {
        self.sheet.wants.is_none_or(|wants| wants(text))
    }
}
