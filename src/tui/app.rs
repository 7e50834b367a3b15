//! The state of the picker: a plain value that `update` changes and `view` reads.
//!
//! No files, no clock, no threads: everything it knows it was told by a message.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};
use ratatui::layout::{Position, Rect};

use crate::list::{Include, Sort};
use crate::paths::tilde;
use crate::resume::{Answers, Launch, Wish};
use crate::search::{Completion, Distance, Generation, Query, RowId, Search, Values, completions};
use crate::store::{Registry, Retention, Trouble};

use super::dates::Calendar;
use super::history::{History, Left, is_of_prompts};
use super::input::Input;
use super::keymap::{Keymap, Place};
use super::layout::{Focus, Layout, Panes, Switch, preview_header, row_height};
use super::listing::{Listing, Pane};
use super::memory::{Memory, Reach};
use super::message::{Here, HereKind, Names, Notice};
use super::overlay::Overlay;
use super::reading::{Preview, Stage};
use super::theme::Theme;

/// What is fixed for one run.
#[derive(Debug, Clone)]
pub struct Setting {
    pub keymap: Keymap,
    pub theme: Theme,
    pub launch: Launch,
    pub ending: Ending,
    /// The session that whoever started us is in, if they said so.
    pub session: Option<String>,
    /// The home directory, which paths on screen shorten to `~`.
    pub home: Option<String>,
    /// The folders that are searched, as people write them.
    pub places: Vec<String>,
    /// After how many days without a change Claude Code deletes a transcript.
    pub retention: Retention,
}

/// A prompt to scroll to, once the conversation is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub row: RowId,
    pub text: String,
    /// Milliseconds since the epoch.
    pub timestamp: i64,
    /// The ends of the branches that it was looked for in; nothing stands for the one that
    /// resuming takes.
    pub tried: Vec<Option<String>>,
    pub likeness: Likeness,
}

impl Goal {
    pub fn new(row: RowId, text: String, timestamp: i64) -> Self {
        Self {
            row,
            text,
            timestamp,
            tried: Vec::new(),
            likeness: Likeness::default(),
        }
    }
}

/// Which turn is taken for a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Likeness {
    /// One of the same words and the same time.
    #[default]
    Same,
    /// One of the same words: nothing better was found.
    Words,
}

/// What choosing a session leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Resume,
    Print(Printed),
    /// The demo says what would run, and goes on.
    Explain,
}

/// What of a choice is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// The id alone: nothing has to be decided.
    Id,
    /// The words by which the shell's function resumes it, which asks what there is to ask.
    Words,
    /// The command. It is run without another look, so it is decided on as if it were run here.
    Command,
    /// The command of a sample. Its directory is nowhere, so there is nothing to decide.
    Sample,
    /// Everything that is known of the plan, the open questions too.
    Report,
}

/// How far the scan is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scan {
    /// Folders are being listed.
    Listing,
    /// So many of so many files are read.
    Reading {
        read: usize,
        total: usize,
    },
    Over(Trouble),
}

/// How the query line could go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub rest: String,
    /// What it finds, in a few words; empty for names that speak for themselves.
    pub hint: &'static str,
}

/// The query line and the search it stands for.
#[derive(Debug, Default)]
pub struct Asked {
    pub input: Input,
    /// What stood in the query line from the start.
    pub given: String,
    /// The text that the query was parsed from.
    pub parsed: String,
    pub query: Query,
    pub generation: Generation,
    /// The newest search that was answered.
    pub answered: Option<Generation>,
    pub completion: Option<Offer>,
}

/// A transcript that was named by its path and is in no store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    pub path: PathBuf,
    /// What Claude Code would open instead.
    pub in_store: Option<PathBuf>,
    /// The id that its lines name, where its file is called otherwise.
    pub id: Option<String>,
}

/// What the button of the mouse holds down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Held {
    #[default]
    Nothing,
    Divider,
    /// A row, for the second time in a moment.
    RowAgain,
}

/// A row that was clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Click {
    pub then: DateTime<FixedOffset>,
    pub at: Position,
    pub row: RowId,
}

#[derive(Debug)]
pub struct App {
    pub setting: Setting,
    pub now: DateTime<FixedOffset>,
    pub screen: Rect,
    pub asked: Asked,
    pub listing: Listing,
    pub scan: Scan,
    pub live: Registry,
    pub names: Names,
    pub here: Option<Here>,
    pub reach: Reach,
    pub order: Sort,
    pub hidden_kinds: Switch,
    pub panes: Panes,
    pub mouse: Switch,
    pub held: Held,
    /// When and where the mouse was last pressed, for double clicks.
    pub last_click: Option<Click>,
    pub focus: Focus,
    /// What lies over the panes, if anything does.
    pub overlay: Option<Overlay>,
    pub preview: Preview,
    /// The history, while it is open.
    pub history: Option<Box<History>>,
    /// Where the history was left for a session.
    pub history_left: Option<Left>,
    /// Numbers the searches of the history, whichever time it is open.
    pub history_searches: Generation,
    pub goal: Option<Goal>,
    /// The scope that is remembered, after a prompt led out of it.
    pub wanted_reach: Option<Reach>,
    /// The newest question about a session that is to be resumed, and whether it is still open.
    pub preflight: Generation,
    pub probing: bool,
    /// Enter was pressed before the rows of what is typed were there.
    pub awaiting: Option<Wish>,
    /// What the command line has answered, and whether `--yes` takes safe choices.
    pub answers: Answers,
    pub says_yes: bool,
    /// The session that the cursor begins on, as soon as it was read.
    pub landing: Option<String>,
    /// Set if the only session here is in no store.
    pub outside: Option<Outside>,
    /// Rows that the person marked.
    pub marked: BTreeSet<RowId>,
    pub notice: Option<Notice>,
}

impl App {
    pub fn new(setting: Setting, memory: Memory, query: &str, now: DateTime<FixedOffset>) -> Self {
        let input = Input::new(query);
        Self {
            asked: Asked {
                query: Query::parse(input.text(), &now),
                given: input.text().to_owned(),
                parsed: input.text().to_owned(),
                input,
                ..Asked::default()
            },
            setting,
            now,
            screen: Rect::new(0, 0, 80, 24),
            listing: Listing::default(),
            scan: Scan::Listing,
            live: Registry::default(),
            names: Names::default(),
            here: None,
            reach: memory.reach,
            order: memory.order,
            hidden_kinds: Switch::Off,
            panes: memory.panes,
            mouse: Switch::On,
            held: Held::Nothing,
            last_click: None,
            focus: Focus::List,
            overlay: None,
            preview: Preview::default(),
            history: None,
            history_left: None,
            history_searches: Generation::default(),
            goal: None,
            wanted_reach: None,
            preflight: Generation::default(),
            probing: false,
            awaiting: None,
            answers: Answers::default(),
            says_yes: false,
            landing: None,
            outside: None,
            notice: None,
            marked: BTreeSet::new(),
        }
    }

    pub fn layout(&self) -> Layout {
        Layout::of(self.screen, self.panes, self.focus)
    }

    /// The measures of the list.
    pub fn pane(&self) -> Pane {
        let layout = self.layout();
        Pane {
            lines: layout.list.height,
            row_height: row_height(layout.density(self.panes)),
        }
    }

    /// Columns and lines that the card before a session is resumed has.
    pub fn card_room(&self) -> (usize, usize) {
        let body = self.layout().body();
        let lines = usize::from(body.height.saturating_sub(1));
        (usize::from(body.width.saturating_sub(2)), lines)
    }

    /// Columns and lines that the card of several sessions has below its headline.
    pub fn batch_room(&self) -> (usize, usize) {
        let body = self.layout().body();
        let lines = usize::from(body.height.saturating_sub(2)).max(1);
        (usize::from(body.width.saturating_sub(2)), lines)
    }

    /// How many lines of a conversation the preview has room for.
    pub fn preview_page(&self) -> usize {
        let area = self.layout().preview;
        let find = u16::from(self.preview.find.is_some());
        let taken = self.preview_header(area) + find;
        usize::from(area.height.saturating_sub(taken)).max(1)
    }

    /// How many lines at the top of the preview say what it is a preview of.
    pub fn preview_header(&self, area: Rect) -> u16 {
        let lines = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        match self.preview.page() {
            Some(page) => {
                let card = &page.card;
                preview_header(area, lines(card.lines.len()), lines(card.urgent))
            }
            None => preview_header(area, 3, 0),
        }
    }

    /// Begins with the history instead of the list.
    pub fn begin_with(&mut self, mut history: History, query: &str) {
        history.set_query(query, &self.now);
        self.history = Some(Box::new(history));
    }

    /// Where a key goes.
    pub fn place(&self) -> Place {
        match (&self.overlay, self.focus) {
            (Some(overlay), _) => overlay.place(),
            (None, Focus::List) if self.history.is_some() => {
                let typed = |history: &History| !history.asked.input.is_empty();
                if self.history.as_deref().is_some_and(typed) {
                    Place::HistoryTyping
                } else {
                    Place::History
                }
            }
            (None, Focus::Preview) if self.history.is_some() => {
                match self.history.as_ref().and_then(|it| it.finding()) {
                    None => Place::HistoryPreview,
                    Some(Stage::Typing) => Place::HistoryFinding,
                    Some(Stage::Typed) => Place::HistoryFound,
                }
            }
            (None, Focus::Preview) if self.is_finding() => Place::Finding,
            (None, Focus::Preview) => Place::Preview,
            (None, Focus::List) if self.asked.input.is_empty() => Place::List,
            (None, Focus::List) => Place::Typing,
        }
    }

    /// Is something being typed that is looked for in the conversation?
    pub fn is_finding(&self) -> bool {
        let find = self.preview.find.as_ref();
        find.is_some_and(|find| find.stage == Stage::Typing)
    }

    /// Are only sessions of this repository shown?
    pub fn is_here(&self) -> bool {
        match self.reach {
            Reach::Here => true,
            Reach::All => false,
            Reach::Auto => self.here.is_some_and(|here| here.inhabited),
        }
    }

    /// What the scope around the person is called. Before git has answered it is believed to be
    /// a repository.
    pub fn here_words(&self) -> Option<&'static str> {
        self.here
            .map_or(HereKind::Repository, |here| here.kind)
            .words()
    }

    /// A path as people write it here.
    pub fn tilde(&self, path: &str) -> String {
        tilde(Path::new(path), self.setting.home.as_deref().map(Path::new))
    }

    /// Is it worth saying which project a row belongs to?
    pub fn shows_projects(&self) -> bool {
        !self.is_here() || self.here.is_some_and(|here| here.several_trees)
    }

    /// Rows are under dates while nothing is typed and they are sorted by time.
    pub fn calendar(&self) -> Option<Calendar> {
        let by_day = self.asked.query.is_empty() && self.order == Sort::Activity;
        by_day.then(|| Calendar::at(&self.now))
    }

    /// What the next run should know. To have gone back to this repository is no wish to see an
    /// empty list in the next one.
    pub fn memory(&self) -> Memory {
        Memory {
            reach: match self.wanted_reach.unwrap_or(self.reach) {
                Reach::Here | Reach::Auto => Reach::Auto,
                Reach::All => Reach::All,
            },
            order: self.order,
            panes: self.panes,
        }
    }

    /// Is an answer to the newest search still to come?
    pub fn is_searching(&self) -> bool {
        self.asked.answered != Some(self.asked.generation)
    }

    /// Finds out how the query could go on, if it ends in a half-typed operator or the name
    /// behind one.
    pub fn complete(&mut self) {
        let of_prompts = |offer: &Completion| is_of_prompts(&offer.insert);
        if let Some(history) = &self.history {
            let offer = self.offer(&history.asked.input, of_prompts);
            if let Some(history) = &mut self.history {
                history.asked.completion = offer;
            }
        } else {
            self.asked.completion = self.offer(&self.asked.input, |_| true);
        }
    }

    fn offer(&self, input: &Input, is_offered: impl Fn(&Completion) -> bool) -> Option<Offer> {
        let text = input.text();
        if !input.is_at_end() {
            return None;
        }
        // Of most projects nothing but the history is left.
        let asked_in = self.history.as_ref().map(|history| &history.projects);
        let projects = asked_in.filter(|names| !names.is_empty());
        let values = Values {
            projects: projects.unwrap_or(&self.names.projects),
            branches: &self.names.branches,
            tags: &self.names.tags,
            models: &self.names.models,
        };
        completions(text, text.len(), values)
            .into_iter()
            .filter(is_offered)
            .find_map(|completion| {
                let typed = text.get(completion.replace)?;
                // One letter is the beginning of a word far more often than of an operator.
                let begun =
                    typed.len() > 1 || text.ends_with(':') || !completion.insert.ends_with(':');
                let rest = completion.insert.strip_prefix(typed)?;
                (begun && !rest.trim().is_empty()).then(|| Offer {
                    rest: rest.to_owned(),
                    hint: completion.hint,
                })
            })
    }

    /// The search that the state stands for, under a new number.
    pub fn next_search(&mut self) -> Box<Search> {
        self.asked.generation.0 += 1;
        Box::new(Search {
            generation: self.asked.generation,
            query: self.asked.query.clone(),
            order: self.order,
            reach: if self.is_here() {
                Distance::Repository
            } else {
                Distance::Elsewhere
            },
            include: match self.hidden_kinds {
                Switch::On => Include::everything(),
                Switch::Off => Include::default(),
            },
        })
    }
}
