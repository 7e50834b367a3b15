//! The thread that keeps the list: it feeds what the scan finds, what changes on disk and what
//! git says to the screen and to the search, in this order, so that no hit is unknown there.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::place::Places;
use super::watch::Watch;
use super::{Sources, named, names, spawn};
use crate::list::{Row, Rows, families};
use crate::search::{Context, Distance, Document, IndexRequest, RowId, Worker};
use crate::store::{
    Depth, Event, FileInfo, Registry, Session, is_running, rescan, running, stream,
};
use crate::tui::kin::Family;
use crate::tui::message::Message;

/// How long to wait for more changes on disk before looking at them: Claude Code writes a line
/// at a time.
const SETTLE: Duration = Duration::from_millis(150);
/// How often to see whether a session that runs still does. One that crashed leaves its entry
/// behind, so that no change on disk tells.
const LIVE_CHECK: Duration = Duration::from_secs(5);

/// Something for this thread to do.
#[derive(Debug)]
pub enum Task {
    Scanned(Event),
    Rescan(Depth),
    Here(Places),
    /// These files or folders changed.
    Changed(Vec<PathBuf>),
    Stop,
}

#[derive(Debug)]
pub struct Catalog {
    sources: Sources,
    search: Arc<Worker>,
    screen: UnboundedSender<Message>,
    own: Sender<Task>,
    rows: Rows,
    places: Places,
    live: Registry,
    watch: Option<Watch>,
    related: Vec<(RowId, Family)>,
    /// Did the watch tell of anything yet?
    has_changed: bool,
    scan: Scan,
    git: Git,
}

#[derive(Debug, PartialEq, Eq)]
enum Git {
    Unasked,
    Asked,
}

#[derive(Debug)]
enum Scan {
    First,
    /// The files that were seen so far, and a further scan that was asked for meanwhile.
    Again {
        seen: HashSet<u64>,
        next: Option<Depth>,
    },
    Idle,
}

impl Catalog {
    pub fn new(
        sources: Sources,
        search: Arc<Worker>,
        screen: UnboundedSender<Message>,
        own: Sender<Task>,
    ) -> Self {
        Self {
            places: Places::before_files(sources.here.as_deref()),
            rows: Rows::of_roots(&sources.roots),
            sources,
            search,
            screen,
            own,
            live: Registry::default(),
            watch: None,
            related: Vec::new(),
            has_changed: false,
            scan: Scan::First,
            git: Git::Unasked,
        }
    }

    /// Works until it is told to stop, or nobody is left to tell.
    pub fn run(mut self, tasks: &Receiver<Task>) {
        // Before the scan: what comes while it runs is told by the watch.
        self.watch = Watch::start(&self.sources.roots, self.own.clone());
        self.start_scan(Depth::Candidates);
        // The scope is known before the first rows: none of them has to go again.
        self.arrive(Places::from_files(&self.sources));
        self.watch_projects();
        self.look_for_running();
        loop {
            let task = if self.live.is_empty() {
                tasks.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                tasks.recv_timeout(LIVE_CHECK)
            };
            match task {
                Ok(Task::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Task::Changed(mut paths)) => {
                    thread::sleep(SETTLE);
                    let mut others = Vec::new();
                    for task in tasks.try_iter() {
                        match task {
                            Task::Changed(more) => paths.extend(more),
                            other => others.push(other),
                        }
                    }
                    self.changed(paths);
                    for task in others {
                        if matches!(task, Task::Stop) {
                            return;
                        }
                        self.work(task);
                    }
                }
                Ok(task) => self.work(task),
                Err(RecvTimeoutError::Timeout) => self.look_for_running(),
            }
        }
    }

    fn work(&mut self, task: Task) {
        match task {
            Task::Scanned(Event::Listed(count)) => self.tell(Message::Listed(count)),
            Task::Scanned(Event::Batch(sessions)) => {
                self.take(sessions);
                self.ask_git();
            }
            Task::Scanned(Event::Finished(trouble)) => {
                self.finish_scan();
                self.tell(Message::Scanned(trouble));
                self.ask_git();
            }
            Task::Rescan(depth) => match &mut self.scan {
                Scan::Idle => {
                    self.scan = Scan::Again {
                        seen: HashSet::new(),
                        next: None,
                    };
                    self.start_scan(depth);
                    self.look_for_running();
                }
                Scan::Again { next, .. } => *next = Some(depth),
                // What is asked for during the first scan would find nothing new.
                Scan::First if depth == Depth::Candidates => {}
                Scan::First => {
                    let own = self.own.clone();
                    let _ = spawn("list", &self.screen, move || {
                        thread::sleep(SETTLE);
                        let _ = own.send(Task::Rescan(depth));
                    });
                }
            },
            Task::Here(places) => self.arrive(places),
            Task::Changed(paths) => self.changed(paths),
            Task::Stop => {}
        }
    }

    fn start_scan(&self, depth: Depth) {
        let own = self.own.clone();
        if let Some(named) = self.sources.only.clone() {
            let _ = spawn("scan", &self.screen, move || {
                for event in named::read(&named) {
                    let _ = own.send(Task::Scanned(event));
                }
            });
            return;
        }
        let roots = self.sources.roots.clone();
        // Without a thread there is no scan; the screen stays empty and can still be left.
        let _ = spawn("scan", &self.screen, move || {
            let Ok(events) = stream(roots, depth) else {
                return;
            };
            for event in events {
                if own.send(Task::Scanned(event)).is_err() {
                    return;
                }
            }
        });
    }

    /// Asks git about the repository, once, and not before the first rows: they need the cores.
    fn ask_git(&mut self) {
        if std::mem::replace(&mut self.git, Git::Asked) == Git::Asked {
            return;
        }
        let (own, sources, places) = (self.own.clone(), self.sources.clone(), self.places.clone());
        let _ = spawn("question to git", &self.screen, move || {
            let _ = own.send(Task::Here(places.ask_git(&sources)));
        });
    }

    /// Takes a batch of the scan.
    fn take(&mut self, sessions: Vec<Session>) {
        let mut changed = Vec::with_capacity(sessions.len());
        for session in sessions {
            match &mut self.scan {
                Scan::First if !self.has_changed => changed.push(self.rows.add(session)),
                Scan::Again { seen, .. } => {
                    seen.insert(fingerprint(&session.file));
                    if !self.is_known(&session) {
                        changed.push(self.rows.replace(session));
                    }
                }
                // What the watch told of first is not its own copy.
                Scan::First | Scan::Idle => changed.push(self.rows.replace(session)),
            }
        }
        self.publish(changed);
    }

    /// Watches every folder that may hold sessions, also one that holds none yet.
    fn watch_projects(&mut self) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        for root in &self.sources.roots {
            let entries = root.join("projects").read_dir();
            for entry in entries.into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    watch.folder(&entry.path());
                }
            }
        }
    }

    fn finish_scan(&mut self) {
        let scan = std::mem::replace(&mut self.scan, Scan::Idle);
        if let Scan::Again { seen, next } = scan {
            let gone: Vec<FileInfo> = self
                .rows
                .iter()
                .flat_map(Row::files)
                .filter(|session| !seen.contains(&fingerprint(&session.file)))
                .map(|session| session.file.clone())
                .collect();
            let changed = gone
                .iter()
                .filter_map(|file| self.rows.remove(&file.id, &file.path()))
                .collect();
            self.publish(changed);
            if let Some(depth) = next {
                let _ = self.own.send(Task::Rescan(depth));
            }
        }
        let settled = self.rows.settle();
        self.publish(settled);
        self.relate();
        self.tell(Message::Names(names::of(&self.rows)));
    }

    /// Is this file known exactly as it was read now?
    fn is_known(&self, session: &Session) -> bool {
        let at = self.rows.position(&session.file.id);
        let known = at.and_then(|at| self.rows.get(at));
        known.is_some_and(|row| {
            row.files().any(|file| {
                file.file.modified == session.file.modified
                    && file.file.size == session.file.size
                    && file.hidden == session.hidden
                    && file.meta == session.meta
                    && file.file.path() == session.file.path()
            })
        })
    }

    /// Tells the screen, then the search, about rows that changed.
    fn publish(&mut self, mut places: Vec<usize>) {
        if places.is_empty() {
            return;
        }
        places.sort_unstable();
        places.dedup();
        let ids = |at: usize| u32::try_from(at).ok().map(RowId);
        let rows: Vec<(RowId, Option<Arc<Row>>)> = places
            .iter()
            .filter_map(|at| Some((ids(*at)?, self.rows.get(*at).cloned())))
            .collect();
        let mut put = Vec::with_capacity(rows.len());
        let mut gone = Vec::new();
        let mut near = false;
        for (id, row) in &rows {
            match row {
                Some(row) => {
                    let document = self.document(row);
                    near |= document.place != Distance::Elsewhere && document.hidden.is_none();
                    put.push((*id, document));
                }
                None => gone.push(*id),
            }
        }
        self.tell(Message::Rows(rows));
        // A session knows better than the name of its folder where it belongs.
        if near && self.places.settle() {
            self.tell(Message::Here(self.places.here()));
        }
        if !put.is_empty() {
            self.search.send(IndexRequest::Put(put));
        }
        if !gone.is_empty() {
            self.search.send(IndexRequest::Remove(gone));
        }
    }

    /// Says which rows are forks of one another, if that has changed.
    fn relate(&mut self) {
        // Who named several sessions wants to see each of them.
        if self.sources.only.is_some() {
            return;
        }
        let sessions = self.rows.places().map(|(_, row)| {
            let session = &row.session;
            (&*session.file.id, &session.meta.origin)
        });
        let firsts = families(sessions);
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        for first in &firsts {
            *sizes.entry(*first).or_default() += 1;
        }
        // A family is called after the place of its first member, which that keeps for life.
        let places: Vec<usize> = self.rows.places().map(|(at, _)| at).collect();
        let related: Vec<(RowId, Family)> = places
            .iter()
            .zip(firsts)
            .filter(|(_, first)| sizes[first] > 1)
            .filter_map(|(at, first)| {
                let row = RowId(u32::try_from(*at).ok()?);
                Some((row, Family(u32::try_from(places[first]).ok()?)))
            })
            .collect();
        if related != self.related {
            self.related.clone_from(&related);
            self.tell(Message::Related(related));
        }
    }

    fn document(&self, row: &Row) -> Document {
        Document::of(
            row,
            Context {
                place: self.places.of(row),
                live: self.live.of(&row.session),
            },
        )
    }

    /// The files or git have answered: rows that turn out to be near are told to the search again.
    fn arrive(&mut self, places: Places) {
        let before = std::mem::replace(&mut self.places, places);
        let moved = self
            .rows
            .places()
            .filter(|(_, row)| before.of(row) != self.places.of(row))
            .map(|(at, _)| at)
            .collect();
        let is_near =
            |row: &Row| row.session.hidden.is_none() && self.places.of(row) != Distance::Elsewhere;
        if self.rows.iter().any(is_near) {
            self.places.settle();
        }
        self.publish(moved);
        self.tell(Message::Here(self.places.here()));
    }

    fn look_for_running(&mut self) {
        let live = running(&self.sources.roots, is_running);
        if live == self.live {
            return;
        }
        let before = std::mem::replace(&mut self.live, live);
        let changed = self.live.changed(&before);
        let changed = changed.filter_map(|id| self.rows.position(id)).collect();
        self.tell(Message::Running(self.live.clone()));
        self.publish(changed);
    }

    /// Looks at what changed on disk, each file once.
    fn changed(&mut self, mut paths: Vec<PathBuf>) {
        self.has_changed = true;
        paths.sort_unstable();
        paths.dedup();
        let mut places = Vec::new();
        let mut registry = false;
        let roots = self.sources.roots.clone();
        for path in paths {
            for root in &roots {
                if path.starts_with(root.join("sessions")) {
                    registry = true;
                    self.watch.iter_mut().for_each(|watch| watch.registry(root));
                }
                let Ok(inside) = path.strip_prefix(root.join("projects")) else {
                    continue;
                };
                match inside.components().count() {
                    // The folder of all projects itself has come.
                    0 => {
                        if let Some(watch) = &mut self.watch {
                            watch.again(&path);
                        }
                        self.watch_projects();
                        let _ = self.own.send(Task::Rescan(Depth::Candidates));
                    }
                    1 => places.extend(self.folder_changed(root, &path)),
                    2 => places.extend(self.file_changed(root, &path)),
                    _ => {}
                }
            }
        }
        places.extend(self.rows.settle());
        if !places.is_empty() {
            self.publish(places);
            self.relate();
        }
        if registry {
            self.look_for_running();
        }
    }

    fn folder_changed(&mut self, root: &Path, folder: &Path) -> Vec<usize> {
        let Ok(entries) = folder.read_dir() else {
            return self.folder_gone(folder);
        };
        if let Some(watch) = &mut self.watch {
            watch.folder(folder);
        }
        entries
            .flatten()
            .filter_map(|entry| self.file_changed(root, &entry.path()))
            .collect()
    }

    /// A folder that is gone takes its sessions with it. Should it come back, it is a new one.
    fn folder_gone(&mut self, folder: &Path) -> Vec<usize> {
        if let Some(watch) = &mut self.watch {
            watch.forget(folder);
        }
        let gone: Vec<FileInfo> = self
            .rows
            .iter()
            .flat_map(Row::files)
            .map(|session| &session.file)
            .filter(|file| file.project.dir == folder)
            .cloned()
            .collect();
        gone.iter()
            .filter_map(|file| self.rows.remove(&file.id, &file.path()))
            .collect()
    }

    fn file_changed(&mut self, root: &Path, path: &Path) -> Option<usize> {
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let found = match &self.sources.only {
            None => rescan(root, path.parent()?, id),
            // Whatever else happens on disk is not what the person named.
            Some(named) => named.iter().find(|one| one.is_at(path))?.read(),
        };
        if let (Some(session), Scan::Again { seen, .. }) = (&found, &mut self.scan) {
            // A scan that runs may have passed its folder already.
            seen.insert(fingerprint(&session.file));
        }
        match found {
            Some(session) if self.is_known(&session) => None,
            Some(session) => Some(self.rows.replace(session)),
            None => self.rows.remove(id, path),
        }
    }

    fn tell(&self, message: Message) {
        // The picker is over: nobody misses it.
        let _ = self.screen.send(message);
    }
}

/// Tells files apart without keeping their paths.
fn fingerprint(file: &FileInfo) -> u64 {
    let mut hasher = DefaultHasher::new();
    file.project.dir.hash(&mut hasher);
    file.id.hash(&mut hasher);
    hasher.finish()
}
