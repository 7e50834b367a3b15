//! The ledger: who said what, with everything else folded to a line.

mod head;
mod marks;
mod notes;
mod opening;

use chrono::{NaiveDate, NaiveDateTime};

pub use head::{LedgerHead, render_head, render_note};
use marks::what_is_sent;
pub use marks::{describe_sent_run, why_left_out};
pub(super) use opening::MOST_TYPED;
use opening::{output_lines, output_of, with_lines};

use super::agents::{AgentWork, Agents, agent_lines};
use super::calls::{Amount, Sheet, call_lines};
use super::flow::{flow, hard};
use super::line::{PageLine, Span, Speaker, Tone, TurnPos};
use super::markdown::{MOST_BYTES, markdown, markdown_of};
use super::options::{Fold, Level, Options, Visibility};
use super::recorded::{recorded_opening, recorded_step};
use super::syntax::Painter;
use crate::transcript::{EntryMark, StepKind, ToolCall, Turn, TurnOpening, TurnStep};

/// Turns milliseconds since the epoch into the time on the wall.
pub type WallClock<'a> = &'a dyn Fn(i64) -> Option<NaiveDateTime>;

/// How to lay out a conversation.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    pub options: &'a Options,
    /// Widest text of a line; the margin comes on top.
    pub columns: usize,
    pub clock: WallClock<'a>,
    /// For the colors of code, once they are there.
    pub painter: Option<Painter<'a>>,
    pub agents: &'a Agents,
    /// Where the session ran: files below it are called by the rest of their paths.
    pub cwd: Option<&'a str>,
}

/// Lays out turns one below the other, the first one having the number zero.
pub fn render(turns: &[Turn], manner: Manner<'_>) -> Vec<PageLine> {
    let mut lines = Vec::new();
    let mut day = None;
    for (n, turn) in (0..).zip(turns) {
        lines.extend(render_turn(n, turn, day, manner));
        day = day_of(turn, manner.clock).or(day);
    }
    while lines.last().is_some_and(PageLine::is_blank) {
        lines.pop();
    }
    lines
}

/// The day of a turn, which has a line of its own where it changes.
pub fn day_of(turn: &Turn, clock: WallClock<'_>) -> Option<NaiveDate> {
    turn.at.and_then(clock).map(|time| time.date())
}

/// Lays out one turn, with a blank line at its end. `before` is the day of the turns before it.
pub fn render_turn(
    number: i64,
    turn: &Turn,
    before: Option<NaiveDate>,
    manner: Manner<'_>,
) -> Vec<PageLine> {
    let columns = manner.columns.max(1);
    let mut page = LedgerPage::new(Manner { columns, ..manner });
    let place = TurnPos::opening(number);
    let day = day_of(turn, manner.clock);
    if let (Some(day), Some(before)) = (day, before)
        && day != before
    {
        let words = day.format("── %A, %-d %B %Y ──").to_string();
        page.note(place, &words, Tone::Dim);
    }
    page.gap(place, turn.mark);
    page.opening(place, turn);
    let raw = Fold::Raw(place);
    if manner.options.is_open(raw)
        && let Some(lines) = recorded_opening(turn, page.room_inside())
    {
        page.as_recorded(place, raw, lines);
    }
    page.left_out(place, turn.mark);
    if manner.options.level > Level::Prompts {
        page.steps(number, turn);
    } else {
        page.replies(number, turn);
    }
    page.lines
}

struct LedgerPage<'a> {
    manner: Manner<'a>,
    lines: Vec<PageLine>,
    /// A time that the margin of the next line has room for.
    due: Option<String>,
}

impl<'a> LedgerPage<'a> {
    fn new(manner: Manner<'a>) -> Self {
        Self {
            manner,
            lines: Vec::new(),
            due: None,
        }
    }

    /// What the user said in the middle of a turn, and nothing else of it.
    fn replies(&mut self, turn: i64, shown: &Turn) {
        for (at, step) in shown.steps.iter().enumerate() {
            if matches!(step.what, StepKind::Reply(_)) {
                self.step(TurnPos::step(turn, at), step, &shown.opening);
            }
        }
    }

    /// Neighbouring tool calls are one fold. Notes of the program come between, if at all.
    fn steps(&mut self, turn: i64, shown: &Turn) {
        let steps = &shown.steps;
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            let place = TurnPos::step(turn, at);
            self.noise(place, shown, at);
            // A gap ends a run.
            let is_joined =
                |(n, step): &(usize, &TurnStep)| *n == 0 || step.mark != Some(EntryMark::AfterGap);
            let run = steps[at..].iter().enumerate().take_while(is_joined);
            let run = run.map_while(|(_, step)| Some((step.call()?, step.mark)));
            let run: Vec<(&ToolCall, Option<EntryMark>)> = run.collect();
            self.gap(place, step.mark);
            if at == 0 && self.output_with_command(shown).is_some() {
                // It is told where the turn opens.
                at += 1;
            } else if run.is_empty() {
                self.step(place, step, &shown.opening);
                self.recorded(place, place, Some(step));
                self.left_out(place, step.mark);
                at += 1;
            } else {
                self.run(place, &run, &steps[at..]);
                for inside in at + 1..at + run.len() {
                    self.noise(place, shown, inside);
                }
                at += run.len();
            }
        }
        // Behind the last step, or where there is none.
        let place = TurnPos {
            turn,
            step: steps.len().checked_sub(1),
        };
        self.noise(place, shown, steps.len());
    }

    fn run(&mut self, place: TurnPos, run: &[(&ToolCall, Option<EntryMark>)], steps: &[TurnStep]) {
        let words = describe_sent_run(run, self.manner.cwd);
        let fold = Fold::Part(place);
        let when = self.time(steps.first().and_then(|step| step.at));
        self.title(Speaker::Claude, place, &words, fold, &when);
        if self.manner.options.is_open(fold) {
            for (number, (call, mark)) in run.iter().enumerate() {
                let step = place.step.map(|step| step + number);
                let here = TurnPos { step, ..place };
                let is_whole = self.is_whole(here);
                let sheet = Sheet {
                    columns: self.room_inside(),
                    cwd: self.manner.cwd,
                    painter: self.manner.painter,
                    amount: if is_whole {
                        Amount::Whole
                    } else {
                        Amount::Readable
                    },
                    wants: None,
                };
                let mut lines = call_lines(call, sheet);
                let note = what_is_sent(*mark);
                let note = note.map(|words| [Span::new(&words, Tone::Dim)]);
                lines.extend(
                    note.iter()
                        .flat_map(|words| flow(words, &[], &[], self.room_inside())),
                );
                let first = self.lines.len();
                self.inside(fold, lines, None);
                self.lead_on(first, here);
                self.recorded(place, here, steps.get(number));
                for line in self.lines.iter_mut().skip(first) {
                    line.call = Some(number);
                }
                self.agent(place, number, call);
            }
        }
        self.blank(place);
    }

    /// A step as the transcript has it, if that was opened, among the lines of a place.
    fn recorded(&mut self, place: TurnPos, here: TurnPos, step: Option<&TurnStep>) {
        let fold = Fold::Raw(here);
        if !self.manner.options.is_open(fold) {
            return;
        }
        let columns = self.room_inside();
        if let Some(lines) = step.and_then(|step| recorded_step(step, columns)) {
            self.as_recorded(place, fold, lines);
        }
    }

    fn as_recorded(&mut self, place: TurnPos, fold: Fold, lines: Vec<Vec<Span>>) {
        let words = self.fold_title("as recorded", fold);
        let title = vec![vec![Span::new(&words, Tone::Fold)]];
        self.inside(Fold::Part(place), title, Some(fold));
        let first = self.lines.len();
        self.inside(Fold::Part(place), lines, None);
        for line in self.lines.iter_mut().skip(first) {
            line.within = Some(fold);
        }
    }

    /// What the agent that a call started has done, as a ledger inside this one.
    fn agent(&mut self, place: TurnPos, number: usize, call: &ToolCall) {
        let Some(agent) = self.manner.agents.started_by(&call.id) else {
            return;
        };
        let fold = Fold::Agent(place, number);
        let words = self.fold_title(&agent.words(), fold);
        let line = vec![vec![Span::new(&words, Tone::Fold)]];
        self.inside(Fold::Part(place), line, Some(fold));
        if !self.manner.options.is_open(fold) {
            return;
        }
        let line = |span| vec![vec![span]];
        let turns = match &agent.work {
            AgentWork::Unread => return self.inside(fold, line(Span::new("…", Tone::Dim)), None),
            AgentWork::Failed(reason) => {
                return self.inside(fold, line(Span::new(reason, Tone::Error)), None);
            }
            AgentWork::Read(turns) => turns,
        };
        let manner = Manner {
            columns: self.room_inside(),
            ..self.manner
        };
        let options = self.manner.options.of_agent(place, number);
        for told in agent_lines(turns, manner, &options) {
            let inner = |fold: Fold| fold.inside(place, number);
            self.inside(fold, vec![told.spans], told.fold.and_then(inner));
            if let Some(line) = self.lines.last_mut() {
                line.of_agent = Some(told.place);
                line.within = told.within.and_then(inner).or(line.within);
            }
        }
    }

    fn step(&mut self, place: TurnPos, step: &TurnStep, opening: &TurnOpening) {
        let when = self.time(step.at);
        let painter = self.manner.painter;
        match &step.what {
            StepKind::Text(text) => {
                let is_whole = self.is_whole(place);
                let most = if is_whole { usize::MAX } else { MOST_BYTES };
                let lines = markdown_of(text, most, self.manner.columns, painter);
                let first = self.lines.len();
                self.say(Speaker::Claude, place, &when, lines);
                self.lead_on(first, place);
            }
            StepKind::Thinking(text) => {
                if self.manner.options.thinking == Visibility::Shown {
                    self.folded(Speaker::Claude, place, "thought", &when, |columns| {
                        markdown(text, columns, painter)
                    });
                }
            }
            StepKind::Reply(text) => {
                let lines = self.flowed(text, Tone::Plain);
                self.say(Speaker::You, place, &when, lines);
            }
            StepKind::Output { text, errors } => {
                let words = with_lines(&output_of(opening), text, errors);
                self.folded(Speaker::Note, place, &words, &when, |columns| {
                    output_lines(text, errors, columns)
                });
            }
            StepKind::Recap(text) => {
                let lines = self.flowed(&format!("while away: {text}"), Tone::Emphasis);
                self.say(Speaker::Note, place, &when, lines);
            }
            StepKind::ApiError(text) => {
                let lines = self.flowed(text, Tone::Error);
                self.say(Speaker::Note, place, "error", lines);
            }
            StepKind::Interrupted => self.note(place, "── interrupted ──", Tone::Dim),
            StepKind::Tool(_) => {}
        }
    }

    /// Is nothing to be left out of what is at a place?
    fn is_whole(&self, place: TurnPos) -> bool {
        self.manner.options.is_open(Fold::Rest(place))
    }

    /// Makes folds of the lines, from one on, that say how much of what is at a place is left out.
    fn lead_on(&mut self, first: usize, place: TurnPos) {
        for line in self.lines.iter_mut().skip(first) {
            let is_rest = line.spans.iter().any(|span| span.tone == Tone::Fold);
            line.fold = is_rest.then_some(Fold::Rest(place)).or(line.fold);
        }
    }

    fn time(&self, at: Option<i64>) -> String {
        let when = at.and_then(self.manner.clock);
        when.map_or_else(String::new, |time| time.format("%H:%M").to_string())
    }

    /// A line that opens, and what is in it if it is open.
    fn folded(
        &mut self,
        speaker: Speaker,
        place: TurnPos,
        words: &str,
        when: &str,
        inside: impl FnOnce(usize) -> Vec<Vec<Span>>,
    ) {
        let fold = Fold::Part(place);
        self.title(speaker, place, words, fold, when);
        if self.manner.options.is_open(fold) {
            self.inside(fold, inside(self.room_inside()), None);
        }
        self.blank(place);
    }

    /// The columns of what is inside a fold.
    fn room_inside(&self) -> usize {
        self.manner.columns.saturating_sub(2).max(1)
    }

    fn fold_title(&self, words: &str, fold: Fold) -> String {
        let is_open = self.manner.options.is_open(fold);
        format!("{} {words}", if is_open { "▾" } else { "▸" })
    }

    /// The line that opens and closes a fold. Where its margin names Claude, the time follows in
    /// the margin of the next line, as it does with what was said.
    fn title(&mut self, speaker: Speaker, place: TurnPos, words: &str, fold: Fold, when: &str) {
        self.close_up(place);
        let title = [Span::new(&self.fold_title(words, fold), Tone::Fold)];
        let indent = [Span::indent()];
        let is_named = speaker == Speaker::Claude && !self.goes_on(speaker, place);
        let mut margin = match speaker {
            Speaker::Claude if is_named => "Claude",
            Speaker::Claude => "",
            Speaker::You | Speaker::Peer | Speaker::Note | Speaker::Files => when,
        };
        let first = self.lines.len();
        for spans in flow(&title, &[], &indent, self.manner.columns) {
            let is_first = self.lines.len() == first;
            let margin = std::mem::take(&mut margin).to_owned();
            self.push(speaker, place, margin, spans, Some(fold));
            if is_first && is_named {
                self.due = Some(when.to_owned());
            }
        }
    }

    /// Closed folds that follow each other have no blank line between them.
    fn close_up(&mut self, place: TurnPos) {
        if let [.., title, blank] = self.lines.as_slice()
            && blank.spans.is_empty()
            && matches!(title.fold, Some(Fold::Part(_)))
            && title.within.is_none()
            && title.speaker == Speaker::Claude
            && title.place.turn == place.turn
            && let Some(blank) = self.lines.pop()
        {
            self.due = Some(blank.margin).filter(|margin| !margin.is_empty());
        }
    }

    /// The lines inside a fold, indented; one may be the title of another fold.
    fn inside(&mut self, within: Fold, lines: Vec<Vec<Span>>, title: Option<Fold>) {
        let (Fold::Part(place) | Fold::Agent(place, _) | Fold::Inside(place, ..)) = within else {
            return;
        };
        let indent = Span::indent();
        // It belongs to the speaker of the title.
        let speaker = self.lines.last().map_or(Speaker::Claude, |it| it.speaker);
        for spans in lines {
            let mut whole = vec![indent.clone()];
            whole.extend(spans);
            let whole = hard(&whole, &[], self.manner.columns);
            let first = whole.into_iter().next().unwrap_or_default();
            self.push(speaker, place, String::new(), first, title);
            if let Some(line) = self.lines.last_mut() {
                line.within = Some(within);
            }
        }
    }

    fn flowed(&self, text: &str, tone: Tone) -> Vec<Vec<Span>> {
        text.lines()
            .flat_map(|line| flow(&[Span::new(line, tone)], &[], &[], self.manner.columns))
            .collect()
    }

    fn note(&mut self, place: TurnPos, words: &str, tone: Tone) {
        let lines = self.flowed(words, tone);
        self.say(Speaker::Note, place, "", lines);
    }

    /// A paragraph: who in the margin of its first line, when in that of its second. Claude is
    /// named once in a row.
    fn say(&mut self, speaker: Speaker, place: TurnPos, when: &str, lines: Vec<Vec<Span>>) {
        let goes_on = speaker == Speaker::Claude && self.goes_on(speaker, place);
        let margins = match speaker {
            Speaker::You => ["You", when],
            Speaker::Peer => ["Peer", when],
            Speaker::Claude if goes_on => ["", ""],
            Speaker::Claude => ["Claude", when],
            Speaker::Note | Speaker::Files => [when, ""],
        };
        let mut margins = margins.into_iter();
        for spans in lines {
            let margin = margins.next().unwrap_or_default();
            self.push(speaker, place, margin.to_owned(), spans, None);
        }
        // A paragraph of one line leaves its time to the blank one below it.
        let margin = margins.next().unwrap_or_default().to_owned();
        self.push(Speaker::Note, place, margin, Vec::new(), None);
    }

    /// Has the same one spoken last, in the same turn?
    fn goes_on(&self, speaker: Speaker, place: TurnPos) -> bool {
        let mut spoken = self.lines.iter().rev();
        spoken
            .find(|line| !line.spans.is_empty())
            .is_some_and(|line| line.speaker == speaker && line.place.turn == place.turn)
    }

    fn blank(&mut self, place: TurnPos) {
        self.push(Speaker::Note, place, String::new(), Vec::new(), None);
    }

    fn push(
        &mut self,
        speaker: Speaker,
        place: TurnPos,
        margin: String,
        spans: Vec<Span>,
        fold: Option<Fold>,
    ) {
        let due = self.due.take().filter(|_| margin.is_empty());
        let margin = due.unwrap_or(margin);
        self.lines.push(PageLine {
            speaker,
            margin,
            spans,
            place,
            fold,
            within: None,
            call: None,
            of_agent: None,
        });
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
