//! The prompt under the cursor in full, and what is searched for in it.

use std::ops::Range;
use std::path::PathBuf;

use crate::history::Lacking;
use crate::preview::Span;
use crate::tui::request::PageOf;
use crate::tui::widgets::{Direction, FindBar};

/// Columns of a page that is not visible.
pub const NO_PANE: usize = 1;
/// Lines above a match, to show where it is.
const BEFORE_MATCH: usize = 2;

/// A prompt, or all prompts of a session, laid out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastPage {
    pub lines: Vec<Vec<Span>>,
    /// The prompt as one text, with what was pasted.
    pub text: String,
    /// What the text refers to and lacks.
    pub lacking: Lacking,
    /// Bytes that are not laid out. If there are any, the last line says so.
    pub more: usize,
    /// Does the directory it was asked in still exist?
    pub has_project: bool,
    /// The matches: lines and the bytes of them, in order.
    pub found: Vec<(usize, Range<usize>)>,
    /// The lines that a match begins in.
    pub matches: Vec<usize>,
    /// Was the rest not searched, because there are so many matches?
    pub has_more_matches: bool,
    /// The line by which all words of the query were met, counted from the beginning.
    pub landing: Option<usize>,
    /// The config directory whose history holds it.
    pub root: PathBuf,
}

#[derive(Debug, Default)]
pub struct PromptReader {
    /// The page that was asked for last.
    pub asked: Option<PageOf>,
    pub page: Option<(PageOf, PastPage)>,
    /// The requested page, if it takes a moment, and its size in bytes.
    pub large: Option<(PageOf, u64)>,
    /// The first visible line.
    pub top: usize,
    pub find: Option<FindBar>,
    /// The line of the current match; before there is one, where the search begins.
    pub found_at: usize,
}

impl PromptReader {
    /// Shows a page. Returns whether it is that of another prompt.
    pub fn show(&mut self, of: PageOf, page: PastPage, rows: usize) -> bool {
        self.large.take_if(|(known, _)| *known == of);
        let known = self.page.as_ref().map(|(known, _)| known);
        // A page without a pane was never visible.
        let is_same = known.is_some_and(|known| {
            (known.row, known.view) == (of.row, of.view) && known.columns > NO_PANE
        });
        let is_other = known.map(|known| known.row) != Some(of.row);
        let has_words = is_same && known.map(|known| &known.words) == Some(&of.words);
        let has_find = known.map(|known| &known.find) == Some(&of.find);
        let (landing, last) = (page.landing, page.lines.len().saturating_sub(1));
        self.top = self.top.min(last);
        self.page = Some((of, page));
        if !has_words {
            self.top = 0;
            if let Some(line) = landing {
                self.show_line(line, rows);
            }
        }
        if !has_find && self.find.is_some() {
            let matches = self.matches();
            let found = matches.iter().find(|line| **line >= self.found_at);
            if let Some(&line) = found.or(matches.first()) {
                self.show_line(line, rows);
            }
        }
        is_other
    }

    pub fn length(&self) -> usize {
        self.page.as_ref().map_or(0, |(_, page)| page.lines.len())
    }

    fn matches(&self) -> &[usize] {
        self.page.as_ref().map_or(&[], |(_, page)| &page.matches)
    }

    pub fn start_find(&mut self) {
        self.find = Some(FindBar::default());
        self.found_at = self.top;
    }

    /// Goes to the next or previous match. Returns whether there is one.
    pub fn next_match(&mut self, direction: Direction, rows: usize) -> bool {
        let matches = self.matches();
        let at = self.found_at;
        let found = match direction {
            Direction::Forward => matches.iter().find(|line| **line > at).or(matches.first()),
            Direction::Back => matches.iter().rfind(|line| **line < at).or(matches.last()),
        };
        let found = found.copied();
        if let Some(line) = found {
            self.show_line(line, rows);
        }
        found.is_some()
    }

    /// Scrolls to a match, unless it is visible.
    fn show_line(&mut self, line: usize, rows: usize) {
        self.found_at = line;
        if !(self.top..self.top + rows).contains(&line) {
            let top = line.saturating_sub(BEFORE_MATCH);
            self.top = top.min(self.length().saturating_sub(rows));
        }
    }

    /// Does the page have the matches of the text in the find bar?
    pub fn is_searched(&self) -> bool {
        let text = self.find.as_ref().and_then(|find| find.text());
        let page = self.page.as_ref();
        page.is_some_and(|(of, _)| of.find.as_deref() == text)
    }

    /// The number of the current match, counted from one, and the number of all.
    pub fn match_count(&self) -> (usize, usize) {
        let matches = self.matches();
        let passed = matches.partition_point(|line| *line <= self.found_at);
        (passed, matches.len())
    }
}
