//! A prompt laid out: the typed text, and the pasted texts set apart from it.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::{DateTime, FixedOffset};

use crate::history::{Lacking, PasteKind, Prompt, PromptPart, expand, flat, paste_path};
use crate::preview::{PageLine, Span, Speaker, Tone, TurnPos, wrap};
use crate::reader::{Match, TextMatcher};
use crate::search::Query;
use crate::tui::request::PageOf;
use crate::tui::screens::PastPage;

/// A prompt may be megabytes; further lines are not laid out, and a note says so.
const MOST_LINES: usize = 20_000;

/// Maximum number of matches.
const MOST_MATCHES: usize = 10_000;
/// Lines that are searched between two checks of that number.
const STRETCH: usize = 500;
/// Lines that a match may span.
const OVER_LINES: usize = 8;

/// A prompt with its pastes.
pub fn lay_out(prompt: &Prompt, root: &Path, columns: usize) -> PastPage {
    let pieces = expand(prompt, root);
    let mut lines: Vec<Vec<Span>> = Vec::new();
    let mut line: Vec<(String, Tone)> = Vec::new();
    let mut more = 0;
    for piece in &pieces {
        let (text, tone) = match piece {
            PromptPart::Typed(text) => ((*text).to_owned(), Tone::Plain),
            PromptPart::Pasted(text) => (text.clone().into_owned(), Tone::Code),
            PromptPart::Image(text) => ((*text).to_owned(), Tone::Dim),
            PromptPart::Expired(text) => (format!("{text} (paste expired)"), Tone::Error),
            PromptPart::Changed(text) => (format!("{text} (paste changed on disk)"), Tone::Error),
            PromptPart::TooMuch(text) => (format!("{text} (too much to put back)"), Tone::Error),
        };
        for (n, part) in text.split('\n').enumerate() {
            if n > 0 {
                more += end_line(&mut lines, &mut line, columns);
            }
            line.push((part.to_owned(), tone));
        }
    }
    more += end_line(&mut lines, &mut line, columns);
    if more > 0 {
        // The line that says so.
        lines.push(Vec::new());
    }
    PastPage {
        lines,
        text: flat(&pieces),
        lacking: Lacking::of(&pieces),
        more,
        has_project: Path::new(&prompt.project).is_dir(),
        root: root.to_owned(),
        ..PastPage::default()
    }
}

/// The bytes of a prompt with its pastes, by the sizes of their files.
pub fn weight(prompt: &Prompt, root: &Path) -> u64 {
    let pastes = prompt.pastes.iter().map(|paste| match &paste.kind {
        PasteKind::Inline(text) => text.len() as u64,
        PasteKind::Stored(hash) => {
            let path = paste_path(root, hash);
            let file = path.and_then(|path| path.metadata().ok());
            file.map_or(0, |file| file.len())
        }
        PasteKind::Image | PasteKind::Nothing => 0,
    });
    prompt.display.len() as u64 + pastes.sum::<u64>()
}

/// All prompts of a session, oldest first.
pub fn lay_out_session(prompts: &[Prompt], root: &Path, of: &PageOf) -> PastPage {
    let zone = FixedOffset::east_opt(of.offset);
    let mut page = PastPage::default();
    let mut texts = Vec::new();
    for prompt in prompts {
        if page.lines.len() >= MOST_LINES {
            let pieces = expand(prompt, root);
            let text = flat(&pieces);
            page.lacking = page.lacking.and(Lacking::of(&pieces));
            page.more += text.len();
            texts.push(text);
            continue;
        }
        if !page.lines.is_empty() {
            page.lines.push(Vec::new());
        }
        let moment = DateTime::from_timestamp_millis(prompt.timestamp);
        let moment = moment.filter(|_| prompt.timestamp != 0);
        let no_date = || "no date".to_owned();
        let when = moment.zip(zone).map_or_else(no_date, |(moment, zone)| {
            let local = moment.with_timezone(&zone);
            local.format("%Y-%m-%d %H:%M").to_string()
        });
        page.lines.push(vec![Span::new(&when, Tone::Dim)]);
        let mut one = lay_out(prompt, root, of.columns);
        page.lacking = page.lacking.and(one.lacking);
        let room = MOST_LINES.saturating_sub(page.lines.len());
        let rest = one.lines.iter().skip(room).flatten();
        page.more += one.more + rest.map(|span| span.text.len()).sum::<usize>();
        one.lines.truncate(room);
        page.lines.append(&mut one.lines);
        texts.push(one.text);
    }
    if page.more > 0 {
        // The line that says so.
        page.lines.push(Vec::new());
    }
    page.text = texts.join("\n\n");
    page
}

impl PastPage {
    /// Finds the matches of the find bar, from the beginning on. A single letter may have half a
    /// million of them in a long prompt, so there is a limit.
    pub fn find(&mut self, find: &str, columns: usize) {
        let matcher = TextMatcher::phrase(find);
        let mut matches = BTreeSet::new();
        let mut first = 0;
        while first < self.lines.len() && self.found.len() < MOST_MATCHES {
            for place in self.places(first, columns, &matcher) {
                matches.extend(place.first().map(|(line, _)| *line));
                self.found.extend(place);
            }
            first += STRETCH;
        }
        self.has_more_matches = first < self.lines.len();
        self.matches = matches.into_iter().collect();
        self.found.sort_by_key(|(line, range)| (*line, range.start));
    }

    /// Sets the line to show first: the one up to which all words of the query were found. Words that
    /// are not in the prompt, but in the name of its project, do not count.
    pub fn land(&mut self, words: &[Query], columns: usize) {
        let met = words.iter().filter_map(|word| self.first(word, columns));
        self.landing = met.max();
    }

    /// The first line with a word.
    fn first(&self, word: &Query, columns: usize) -> Option<usize> {
        let matcher = TextMatcher::words(word);
        let stretches = (0..self.lines.len()).step_by(STRETCH);
        let mut found = stretches.filter_map(|first| {
            let places = self.places(first, columns, &matcher);
            let lines = places.iter().filter_map(|place| Some(place.first()?.0));
            lines.min()
        });
        found.next()
    }

    /// The matches that begin in the stretch from a line on.
    fn places(&self, first: usize, columns: usize, matcher: &TextMatcher) -> Vec<Match> {
        let behind = (first + STRETCH).min(self.lines.len());
        // A match may end after the stretch that it begins in.
        let seen = (behind + OVER_LINES).min(self.lines.len());
        let lines: Vec<PageLine> = self.lines[first..seen].iter().map(|it| line(it)).collect();
        let lines: Vec<&PageLine> = lines.iter().collect();
        let mut places = matcher.matches(&lines, columns);
        for (line, _) in places.iter_mut().flatten() {
            *line += first;
        }
        places.retain(|place| place.first().is_some_and(|(line, _)| *line < behind));
        places
    }
}

/// As a line of a conversation, which the search takes.
fn line(spans: &[Span]) -> PageLine {
    PageLine {
        speaker: Speaker::You,
        margin: String::new(),
        spans: spans.to_vec(),
        place: TurnPos::opening(0),
        fold: None,
        within: None,
        of_agent: None,
    }
}

/// Lays out a line. Returns how many bytes of it exceed the limit.
fn end_line(lines: &mut Vec<Vec<Span>>, line: &mut Vec<(String, Tone)>, columns: usize) -> usize {
    if lines.len() >= MOST_LINES {
        return 1 + line.drain(..).map(|(text, _)| text.len()).sum::<usize>();
    }
    let spans: Vec<Span> = line
        .drain(..)
        .map(|(text, tone)| Span::new(&text, tone))
        .collect();
    let wrapped = wrap(&spans, columns);
    let room = MOST_LINES - lines.len();
    let rest = wrapped.iter().skip(room).flatten();
    let more = rest.map(|span| span.text.len()).sum();
    lines.extend(wrapped.into_iter().take(room));
    more
}
#[cfg(test)]
#[path = "prompt_page_tests.rs"]
mod tests;
