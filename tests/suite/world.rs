//! The picker without a terminal: messages in, a screen of text out, searches answered for real.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use chrono::{DateTime, FixedOffset};
use claude_resume::content::{ContentAnswer, ContentRequest, ContentSearch, ContentWorker};
use claude_resume::list::{Rows, Scope};
use claude_resume::preview::{Agents, Book, Budget, Gist, LedgerHead, TurnPos};
use claude_resume::reader::{
    GoOn, Landing, MatchPos, OpenConversation, Page, PreviewReader, PreviewRequest, PromptTarget,
    Target,
};
use claude_resume::resume::{
    Answers, BranchPlace, GitState, Gone, GoneTree, Launch, Location, Presence, Program, Recorded,
    RecordedWorktree, SessionFacts, Situation,
};
use claude_resume::search::{IndexRequest, Reply, RowId, Tier, View, Worker};
use claude_resume::store::{
    FileInfo, FileState, Live, PrLink, Project, Registry, Retention, Session, SessionMeta, Status,
    Trouble,
};
use claude_resume::transcript::{
    Branch, Chain, Digest, LeafRule, LoadExtent, ResumeInfo, Turn, TurnOpening, load_from,
};
use claude_resume::tui::{
    App, Beginning, Effect, Ending, EnterMode, FirstRows, Focus, Here, HereKind, Historian,
    HistoryNews, HistoryRequest, Keymap, Layout, Memory, Message, Previewed, Probed, Prompts,
    Reader, Request, RevealTarget, Screen, Sessions, Setting, Sources, Theme, publish,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use serde_json::json;

/// 2026-03-01 11:00 in a zone one hour east: when these tests happen.
pub fn now() -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339("2026-03-01T11:00:00+01:00").expect("a moment")
}

/// Enough for every conversation of a test to be held whole.
pub const EVERYTHING: Budget = Budget {
    lines: usize::MAX,
    texts: usize::MAX,
    least: 0,
};

pub struct World {
    pub app: App,
    pub rows: Rows,
    worker: Worker,
    replies: Receiver<Reply>,
    /// The history on disk, and who reads it.
    pub historian: Option<(tempfile::TempDir, Historian)>,
    /// Everything that was to be done and that the world does not do by itself.
    pub effects: Vec<Effect>,
    conversation: Digest,
    /// The agents of it that were read.
    pub agents: Agents,
    /// What the preview is said to have.
    pub branches: Vec<Branch>,
    /// What was asked of the preview last.
    pub asked: Option<PreviewRequest>,
    /// How often something was asked of it.
    pub requests: usize,
    /// How much of a conversation a page may hold.
    pub budget: Budget,
    /// A transcript that is read for real, whatever is under the cursor.
    transcript: Option<(PathBuf, PreviewReader)>,
    /// Searches of what conversations say, and who answers them if there is a store.
    pub searches: Receiver<ContentSearch>,
    pub content: Option<(ContentWorker, Receiver<ContentAnswer>)>,
    is_held_back: bool,
    /// What runs a new session.
    pub program: Program,
}

pub fn setting() -> Setting {
    Setting {
        keymap: Keymap::default(),
        theme: Theme::default(),
        launch: Launch {
            default_root: Some("/home/ada/.claude".into()),
            ..Launch::default()
        },
        ending: Ending::Resume,
        split: None,
        session: None,
        home: Some("/home/ada".to_owned()),
        places: vec!["~/.claude/projects".to_owned()],
        retention: Retention::default(),
        answers: Answers::default(),
        says_yes: false,
        outside: None,
    }
}

impl World {
    /// An empty picker of this size, before anything was read.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::with(setting(), "", columns, rows)
    }

    pub fn with(setting: Setting, query: &str, columns: u16, rows: u16) -> Self {
        let (sender, replies) = channel();
        let (inside, searches) = channel();
        let worker = Worker::start_after(
            || (),
            move |reply| drop(sender.send(reply)),
            move |search, rows| {
                let _ = inside.send(ContentSearch {
                    generation: search.generation,
                    query: search.query.clone(),
                    rows,
                });
            },
        );
        let mut world = Self {
            app: App::new(setting, Memory::default(), query, now()),
            rows: Rows::default(),
            worker: worker.expect("a thread"),
            replies,
            historian: None,
            effects: Vec::new(),
            conversation: conversation(),
            agents: Agents::default(),
            branches: Vec::new(),
            asked: None,
            requests: 0,
            budget: Budget::default(),
            transcript: None,
            searches,
            content: None,
            is_held_back: false,
            program: Program::Found("/usr/bin/claude".into()),
        };
        world.tell(Message::Resize { columns, rows });
        world.app.begin();
        world.do_all();
        world
    }

    /// A picker in a repository with a handful of sessions, all read.
    pub fn full(columns: u16, rows: u16) -> Self {
        let mut world = Self::new(columns, rows);
        world.arrive(true);
        world.scan(sessions());
        world
    }

    /// Git answers.
    pub fn arrive(&mut self, inhabited: bool) {
        self.tell(Message::Here(Here {
            kind: HereKind::Repository,
            inhabited,
            several_trees: false,
            scope: std::sync::Arc::default(),
        }));
    }

    /// A picker with sessions and a history.
    pub fn with_history(columns: u16, rows: u16) -> Self {
        let mut world = Self::full(columns, rows);
        world.write_history(&crate::history_mode::entries());
        world
    }

    /// Writes a history, for whoever opens it from now on. The sessions of `shop` have files.
    pub fn write_history(&mut self, entries: &[serde_json::Value]) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().to_owned();
        let project = root.join("projects/-home-ada-code-shop");
        std::fs::create_dir_all(&project).expect("made");
        for n in 1..=3 {
            let path = project.join(format!("{}.jsonl", crate::support::id(n)));
            std::fs::write(&path, "{}").expect("written");
            let moment = u64::try_from(now().timestamp()).expect("positive");
            crate::support::set_modified(&path, moment - u64::from(n) * 13 * 86_400);
        }
        let lines = crate::support::lines(entries);
        std::fs::write(root.join("history.jsonl"), lines).expect("written");
        let sources = Sources {
            roots: vec![root],
            configs: Vec::new(),
            home: None,
            only: None,
            cache: None,
            here: Some("/home/ada/code/shop".into()),
            state: None,
            first_rows: FirstRows::default(),
            retention: Retention::default(),
        };
        self.historian = Some((folder, Historian::new(sources, Arc::default())));
    }

    /// Adds to the history, and tells of it as the system would.
    pub fn append_history(&mut self, entries: &[serde_json::Value]) {
        use std::io::Write;
        let (folder, _) = self.historian.as_ref().expect("a history");
        let path = folder.path().join("history.jsonl");
        let mut file = std::fs::File::options()
            .append(true)
            .open(path)
            .expect("opens");
        let lines = crate::support::lines(entries);
        file.write_all(lines.as_bytes()).expect("written");
        self.carry_out(Effect::Ask(Request::Prompts(HistoryRequest::Changed)));
    }

    /// What the thread of the history would do.
    fn ask_history(&mut self, request: HistoryRequest) {
        let Some((_, historian)) = &mut self.historian else {
            return;
        };
        let news = std::cell::RefCell::new(Vec::new());
        let tell = |one: HistoryNews| news.borrow_mut().push(one);
        historian.take(request, &tell);
        while historian.is_reading() {
            historian.read_on(&tell);
        }
        for one in news.into_inner() {
            self.tell(Message::History(one));
        }
    }

    /// A whole scan.
    pub fn scan(&mut self, sessions: Vec<Session>) {
        self.tell(Message::Listed(sessions.len()));
        self.put(sessions);
        self.tell(Message::Scanned(Trouble::default()));
    }

    /// A batch of a scan, and what is found among the rows by now. Sessions in `shop` are near.
    pub fn put(&mut self, sessions: Vec<Session>) {
        self.publish(sessions);
        self.await_answer();
    }

    /// A batch of a scan. What is found is still to come.
    pub fn publish(&mut self, sessions: Vec<Session>) {
        let changed = sessions.into_iter();
        let changed = changed.map(|session| self.rows.replace(session)).collect();
        self.tell_of(changed);
    }

    pub fn remove(&mut self, session: &Session) {
        let file = &session.file;
        let at = self.rows.remove(&file.id, &file.path()).expect("there");
        self.tell_of(vec![at]);
        self.await_answer();
    }

    /// Tells the screen, then the search. Sessions in `shop` are near.
    fn tell_of(&mut self, changed: Vec<usize>) {
        let here = Scope::repository(
            vec!["/home/ada/code/shop".into()],
            "/home/ada/code/shop/src".into(),
        );
        let published = publish(&self.rows, changed, &here, &self.app.data.running);
        if let Some((content, _)) = &self.content {
            content.send(ContentRequest::Rows(published.rows.clone()));
        }
        self.tell(Message::Rows(published.rows));
        // Each request is answered, also an empty one.
        self.worker.send(if published.gone.is_empty() {
            IndexRequest::Put(published.put)
        } else {
            IndexRequest::Remove(published.gone)
        });
    }

    /// The complete answer to the search that stands.
    fn await_answer(&mut self) {
        let generation = self.sessions().query.generation;
        let mut replies = Vec::new();
        loop {
            let reply = self.replies.recv().expect("the worker lives");
            let last = reply.generation == generation && reply.tier == Tier::Fuzzy;
            replies.push(reply);
            if last {
                break;
            }
        }
        for reply in replies {
            self.tell(Message::Found(reply));
        }
    }

    pub fn tell(&mut self, message: Message) {
        self.app.update(message);
        self.do_all();
    }

    /// Does what the app wants done.
    pub fn do_all(&mut self) {
        for effect in self.app.take_effects() {
            self.carry_out(effect);
        }
    }

    pub fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Ask(Request::Search(request)) => {
                self.worker.send(IndexRequest::Search(*request));
                self.await_answer();
            }
            Effect::Ask(Request::Preview(request)) => {
                self.asked = Some((*request).clone());
                self.requests += 1;
                for page in self.read(&request) {
                    self.tell(Message::Previewed(Previewed {
                        generation: request.generation,
                        result: Ok(page),
                    }));
                }
                if self.transcript.is_some() {
                    return;
                }
                let page = self.page(&request);
                self.tell(Message::Previewed(Previewed {
                    generation: request.generation,
                    result: Ok(page),
                }));
            }
            Effect::Ask(Request::Prompts(request)) => self.ask_history(request),
            Effect::Ask(Request::Begin(generation, fresh)) => {
                self.tell(Message::Beginning(Box::new(Beginning {
                    generation,
                    fresh: *fresh,
                    program: self.program.clone(),
                })));
            }
            other => self.effects.push(other),
        }
    }

    /// Looking around found this.
    pub fn probe(&mut self, situations: Vec<Situation>) {
        let request = match self.effects.pop() {
            Some(Effect::Ask(Request::Probe(request))) => Some(request),
            _ => None,
        };
        let request = request.expect("something is to be resumed");
        let titles = request.sessions.iter().map(|(title, _)| title.clone());
        self.tell(Message::Probed(Probed {
            generation: request.generation,
            situations: titles.zip(situations).collect(),
            left: request.left,
        }));
    }

    /// Has another conversation from now on.
    pub fn show(&mut self, turns: Vec<Turn>) {
        self.conversation.newest = turns;
        let request = self.asked.clone().expect("a preview");
        let page = self.page(&request);
        self.tell(Message::Previewed(Previewed {
            generation: self.reader().generation,
            result: Ok(page),
        }));
    }

    /// Reads a transcript from now on, with so much of it at a time.
    pub fn open(&mut self, path: &Path, budget: Budget) {
        self.transcript = Some((path.to_owned(), PreviewReader::within(budget, Vec::new())));
        let request = self.asked.clone().expect("a preview");
        self.carry_out(Effect::Ask(Request::Preview(Box::new(request))));
    }

    /// Reads the files of the rows from now on.
    pub fn open_rows(&mut self) {
        self.transcript = Some((PathBuf::new(), PreviewReader::new(Vec::new()).in_utc()));
    }

    /// Every page that a new reader makes of a transcript for what was asked last.
    pub fn pages_of(&mut self, path: &Path, budget: Budget) -> Vec<Page> {
        self.transcript = Some((path.to_owned(), PreviewReader::within(budget, Vec::new())));
        let request = self.asked.clone().expect("a preview");
        let pages = self.read(&request);
        self.transcript = None;
        pages
    }

    /// Reads a transcript from now on, but keeps what was read until it is let come.
    pub fn hold_back(&mut self, path: &Path, budget: Budget) {
        self.transcript = Some((path.to_owned(), PreviewReader::within(budget, Vec::new())));
        self.is_held_back = true;
    }

    /// Reads a transcript from now on. Its first page is here, the others when they are let come.
    pub fn begin_to_read(&mut self, path: &Path, budget: Budget) {
        self.transcript = Some((path.to_owned(), PreviewReader::within(budget, Vec::new())));
        let request = self.asked.clone().expect("a preview");
        let first = self.read(&request).into_iter().next().expect("a page");
        self.is_held_back = true;
        self.tell(Message::Previewed(Previewed {
            generation: request.generation,
            result: Ok(first),
        }));
    }

    pub fn let_come(&mut self) {
        self.is_held_back = false;
        let request = self.asked.clone().expect("a preview");
        self.carry_out(Effect::Ask(Request::Preview(Box::new(request))));
    }

    /// What the reader answers.
    fn read(&mut self, request: &PreviewRequest) -> Vec<Page> {
        let Some((path, reader)) = self.transcript.as_mut().filter(|_| !self.is_held_back) else {
            return Vec::new();
        };
        let mut request = request.clone();
        if !path.as_os_str().is_empty() {
            request.path.clone_from(path);
        }
        let go_on = GoOn {
            reading: &|| true,
            laying_out: &|| true,
        };
        let mut pages = Vec::new();
        reader.answer(&request, go_on, &mut |page| {
            pages.push(page.expect("a page"));
        });
        pages
    }

    /// What the reader answers of the one conversation that this world has.
    pub fn page(&self, request: &PreviewRequest) -> Page {
        let turns = self.conversation.newest.clone();
        let mut opened = OpenConversation {
            gist: Gist::of(&self.conversation),
            book: Book::new(turns, LedgerHead::Beginning),
            ..OpenConversation::default()
        };
        opened.book.agents = self.agents.clone();
        opened.branches = Arc::new(self.branches.clone());
        opened.facts.branches = self.branches.len();
        let reader = PreviewReader::within(self.budget, Vec::new()).in_utc();
        let mut page = reader.page_of(&mut opened, request).expect("laid out");
        page.landing = self.landing(request);
        page
    }

    /// Where the turn of a prompt is that is to be shown first: there is no file to find it in.
    fn landing(&self, request: &PreviewRequest) -> Option<Arc<Landing>> {
        let Some(Target::Prompt(prompt)) = &request.spec.target else {
            return None;
        };
        let is_it = |turn: &Turn| match &turn.opening {
            TurnOpening::Prompt { text, .. } => *text == prompt.text,
            _ => false,
        };
        let turn = (0..).zip(&self.conversation.newest);
        let (turn, _) = turn.into_iter().find(|(_, turn)| is_it(turn))?;
        Some(Arc::new(Landing {
            line: MatchPos {
                place: TurnPos::opening(turn),
                offset: 0,
            },
            leaf: None,
            options: request.spec.options.clone(),
            before: None,
            is_near: false,
        }))
    }

    /// The topmost picker of sessions.
    pub fn sessions(&self) -> &Sessions {
        let mut screens = self.app.screens.iter().rev();
        let found = screens.find_map(|screen| match screen {
            Screen::Sessions(sessions) => Some(sessions),
            _ => None,
        });
        found.expect("a picker of sessions")
    }

    pub fn sessions_mut(&mut self) -> &mut Sessions {
        let mut screens = self.app.screens.iter_mut().rev();
        let found = screens.find_map(|screen| match screen {
            Screen::Sessions(sessions) => Some(sessions),
            _ => None,
        });
        found.expect("a picker of sessions")
    }

    /// Presses keys, and returns what is to be done instead of doing it.
    pub fn only_press(&mut self, keys: &str) -> Vec<Effect> {
        for key in keys.split(' ') {
            self.app.update(Message::Key(key_event(key)));
        }
        self.app.take_effects()
    }

    /// Opens the history as the command line does, for a prompt to be printed.
    pub fn print_prompt(&mut self, query: &str) {
        let context = &self.app.context;
        let mut prompts = Prompts::new(View::Prompts, query, None, context);
        prompts.choice = EnterMode::Print;
        self.app.start_with(prompts);
        self.app.begin();
        self.do_all();
    }

    pub fn prompts_mut(&mut self) -> &mut Prompts {
        let found = match self.app.screens.base_mut() {
            Screen::Prompts(prompts) => Some(prompts),
            _ => None,
        };
        found.expect("the history is open")
    }

    /// Scrolls to a prompt when the conversation is there.
    pub fn reveal(&mut self, row: RowId, text: &str, timestamp: i64) {
        let text = text.to_owned();
        let prompt = PromptTarget { text, timestamp };
        self.sessions_mut()
            .go_to_prompt(RevealTarget { row, prompt });
        self.tell(Message::Rows(Vec::new()));
    }

    pub fn reader(&self) -> &Reader {
        &self.sessions().reader
    }

    pub fn reader_mut(&mut self) -> &mut Reader {
        &mut self.sessions_mut().reader
    }

    /// Lines of the conversation that fit.
    pub fn page_rows(&self) -> usize {
        self.reader().rows(self.layout().preview)
    }

    /// The history, if it is what the panes show.
    pub fn history(&self) -> Option<&Prompts> {
        match self.app.screens.base() {
            Screen::Prompts(prompts) => Some(prompts),
            _ => None,
        }
    }

    pub fn prompts(&self) -> &Prompts {
        self.history().expect("the history is open")
    }

    pub fn focus(&self) -> Focus {
        let history = self.history().map(|history| history.focus);
        history.unwrap_or_else(|| self.sessions().focus)
    }

    pub fn layout(&self) -> Layout {
        self.app.context.layout(self.focus())
    }

    /// Is anything over the panes?
    pub fn has_overlay(&self) -> bool {
        !self.app.screens.top().has_panes()
    }

    /// Presses keys, as the configuration writes them.
    pub fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.tell(Message::Key(key_event(key)));
        }
    }

    /// Types a text.
    pub fn enter(&mut self, text: &str) {
        for c in text.chars() {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            self.tell(Message::Key(event));
        }
    }

    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.tell(Message::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    pub fn click(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        self.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
    }

    /// The title of the row under the cursor.
    pub fn title(&self) -> String {
        let row = self.sessions().cursor_row(&self.app.data);
        row.expect("a row").title().into_owned()
    }

    /// The cells of the screen.
    pub fn buffer(&self) -> Buffer {
        let area = self.app.context.area;
        let backend = TestBackend::new(area.width, area.height);
        let mut terminal = Terminal::new(backend).expect("a terminal");
        terminal.draw(|frame| self.app.draw(frame)).expect("drawn");
        terminal.backend().buffer().clone()
    }

    /// What is on screen, a line a row, without trailing spaces.
    pub fn screen(&self) -> String {
        let buffer = self.buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(claude_resume::text::width(symbol).max(1)).expect("narrow");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A session that is where it should be, as looking around would find it.
pub fn calm(n: u32) -> Situation {
    let id = crate::support::id(n);
    let folder = "-home-ada-code-shop";
    Situation {
        session: SessionFacts {
            transcript: format!("/home/ada/.claude/projects/{folder}/{id}.jsonl").into(),
            id,
            location: Location::Store {
                root: "/home/ada/.claude".into(),
                folder: folder.to_owned(),
            },
            last_activity: now().timestamp_millis(),
            branch: None,
            pr_repository: None,
            copies: Vec::new(),
        },
        launch: Launch {
            here: Some("/home/ada/notes".into()),
            home: Some("/home/ada".into()),
            ..setting().launch
        },
        program: Program::Found("/usr/bin/claude".into()),
        worktree: None,
        recorded: vec![Recorded {
            path: "/home/ada/code/shop".into(),
            presence: Presence::Directory,
        }],
        git: GitState::Unknown,
        gone: None,
        real: Vec::new(),
        running: None,
        resume_info: ResumeInfo::default(),
        now: now().timestamp_millis(),
    }
}

/// The same with its worktree gone.
pub fn without_worktree(n: u32) -> Situation {
    let tree = "/home/ada/code/shop/.worktrees/jwt";
    let shop = "/home/ada/code/shop";
    Situation {
        worktree: Some(RecordedWorktree {
            place: Recorded {
                path: tree.into(),
                presence: Presence::Missing,
            },
            branch: Some("fix/jwt".to_owned()),
            original: Some(shop.into()),
            original_head: None,
        }),
        gone: Some(Gone {
            nearest: Some(shop.into()),
            nearest_in_repository: true,
            tree: Some(GoneTree {
                path: tree.into(),
                repository: shop.into(),
                working_tree: Some(shop.into()),
                branch: Some("fix/jwt".to_owned()),
                place: BranchPlace::Free,
                needs_force: true,
                lock: None,
                again: tree.into(),
            }),
            ..Gone::default()
        }),
        ..calm(n)
    }
}

pub fn key_event(key: &str) -> KeyEvent {
    let (name, mut modifiers) = (key.rsplit('-').next().unwrap_or(key), KeyModifiers::NONE);
    let name = if key.ends_with('-') { "-" } else { name };
    if key.starts_with("ctrl-") {
        modifiers = KeyModifiers::CONTROL;
    } else if key.starts_with("alt-") {
        modifiers = KeyModifiers::ALT;
    } else if key.starts_with("shift-") {
        modifiers = KeyModifiers::SHIFT;
    }
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "space" => KeyCode::Char(' '),
        "minus" => KeyCode::Char('-'),
        f if f.len() > 1 && f.starts_with('f') => KeyCode::F(f[1..].parse().expect("a number")),
        other => KeyCode::Char(other.chars().next().expect("a key")),
    };
    KeyEvent::new(code, modifiers)
}

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// A session so many milliseconds old.
pub fn session(n: u32, project: &str, age: i64, title: &str, last_prompt: &str) -> Session {
    let moment = now().timestamp_millis() - age;
    let root: Arc<Path> = Arc::from(Path::new("/home/ada/.claude"));
    let name = format!("-home-ada-code-{project}");
    Session {
        file: FileInfo {
            id: crate::support::id(n).into(),
            project: Arc::new(Project {
                dir: root.join("projects").join(&name),
                root,
                name,
            }),
            size: 40_000 * u64::from(n),
            modified: moment,
            state: FileState::File,
            has_folder: false,
            nanos: 0,
            inode: 0,
        },
        meta: SessionMeta {
            ai_title: Some(title.into()),
            first_prompt: Some("Where do we start?".into()),
            later_prompt: Some(last_prompt.into()),
            git_branch: Some("main".into()),
            cwd: Some(format!("/home/ada/code/{project}").into()),
            created: Some(moment - DAY),
            last_message: Some(moment),
            ..SessionMeta::default()
        },
        hidden: None,
    }
}

/// Sessions as a developer might have them.
pub fn sessions() -> Vec<Session> {
    let mut jwt = session(
        1,
        "shop",
        2 * MINUTE,
        "Fix JWT refresh token expiry",
        "great, now open a PR",
    );
    jwt.meta.git_branch = Some("fix/jwt".into());
    jwt.meta.tag = Some("auth".into());
    jwt.meta.pr = Some(Box::new(PrLink {
        number: 412,
        url: None,
        repository: Some("acme/shop".into()),
    }));
    let mut flaky = session(
        2,
        "shop",
        95 * MINUTE,
        "Why is test_refresh flaky on CI?",
        "run it 200 times",
    );
    flaky.meta.left = Some(claude_resume::store::LastState::AtWork);
    let mut hidden = session(9, "shop", 4 * DAY, "Nightly report", "run it");
    hidden.hidden = Some(claude_resume::store::Hidden::Programmatic);
    vec![
        jwt,
        flaky,
        session(
            3,
            "shop",
            DAY + 60 * MINUTE,
            "Rotate refresh tokens on password change",
            "also revoke the old ones",
        ),
        session(
            4,
            "gateway",
            3 * DAY,
            "Token bucket for the API gateway",
            "make the burst configurable",
        ),
        session(
            5,
            "docs",
            5 * DAY,
            "日本語のエラーメッセージを直す",
            "ありがとう",
        ),
        session(
            6,
            "shop",
            26 * DAY,
            "Tokenise the refactoring report",
            "thanks",
        ),
        session(7, "shop", 70 * DAY, "Emoji 👩‍👩‍👧 and é̂ in a title", "☃️ ok"),
        hidden,
    ]
}

/// A session of these that waits for the person.
pub fn waiting(id: &str) -> Registry {
    let mut registry = Registry::default();
    let live = Live {
        pid: 7,
        status: Status::Waiting,
        tmux: None,
        updated: 0,
    };
    registry.add(id.to_owned(), vec!["/home/ada/.claude".into()], live);
    registry
}

/// What the preview shows of every session here.
fn conversation() -> Digest {
    let text = |text: &str| json!({"type": "text", "text": text});
    let tool = |id: &str, name: &str, input: serde_json::Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "ok"});
    let code = "The expiry is compared in local time:\n\n```rust\nif exp < Local::now().timestamp() {\n```\n\nIt has to be UTC.";
    let said = [
        (
            "user",
            text("Users get logged out although the refresh token is valid. Find out why."),
        ),
        ("assistant", text("I'll start with the expiry check.")),
        (
            "assistant",
            tool("a", "Read", json!({"file_path": "src/auth.rs"})),
        ),
        ("user", result("a")),
        (
            "assistant",
            tool("b", "Bash", json!({"command": "cargo test"})),
        ),
        ("user", result("b")),
        ("assistant", text(code)),
        ("user", text("great, now open a PR")),
        ("assistant", text("Done: acme/shop#412.")),
    ];
    let mut entries = Vec::new();
    let uuid = |n: usize| format!("{n:08x}-0000-4000-8000-0000000000aa");
    for (n, (kind, block)) in said.into_iter().enumerate() {
        entries.push(json!({
            "type": kind, "uuid": uuid(n), "parentUuid": n.checked_sub(1).map(uuid),
            "timestamp": format!("2026-03-01T09:{n:02}:00.000Z"),
            "message": {"id": format!("m{n}"), "role": kind, "model": "claude-opus-4-8", "content": [block]},
        }));
    }
    let bytes = crate::support::lines(&entries).into_bytes();
    let size = bytes.len() as u64;
    let index = load_from(std::io::Cursor::new(&bytes), size, LoadExtent::Resumed).expect("read");
    let chain = Chain::build(&index, LeafRule::Resume);
    Digest::whole(std::io::Cursor::new(&bytes), &index, &chain).expect("read")
}
