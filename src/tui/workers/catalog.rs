//! Keeps the list: it feeds what the scan finds, what changes on disk and what git says to the
//! screen and to the search, in this order, so that no hit is unknown there.
//!
//! The scan runs as a task of its own and puts each batch into the catalog itself, under its lock.
//! The outbox is bounded, so a screen that is behind slows the scan down.

mod seeds;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use super::publish::{Published, publish};
use super::repository::CurrentRepository;
use super::watch::FileWatch;
use super::{Sources, Spawner, named, names};
use crate::cache::Summaries;
use crate::content::{ContentRequest, ContentWorker};
use crate::list::{Distance, Row, Rows, families};
use crate::search::{IndexRequest, RowId, Worker};
use crate::store::{
    Event, FileInfo, Hidden, Known, Registry, ScanDepth, Session, Trouble, is_running, rescan,
    running, scan,
};
use crate::tui::{Family, Message};
use seeds::Seeds;
pub use seeds::check;

/// How long to wait for more changes on disk before reading them: Claude Code writes line by line.
const SETTLE: Duration = Duration::from_millis(150);
/// How often to check that a running session still runs. One that crashed leaves its entry, so no
/// change on disk tells.
const LIVE_CHECK: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub enum CatalogTask {
    Rescan(ScanDepth),
    /// These files or folders changed.
    Changed(Vec<PathBuf>),
}

#[derive(Debug)]
pub struct Catalog {
    /// For the tasks that it starts.
    own: Weak<Mutex<Self>>,
    sources: Sources,
    search: Arc<Worker>,
    content: Arc<ContentWorker>,
    spawner: Spawner,
    rows: Rows,
    repository: CurrentRepository,
    live: Registry,
    watch: FileWatch,
    related: Vec<(RowId, Family)>,
    /// Are all rows from the first scan? Then no file of it is known yet.
    is_fresh: bool,
    seeds: Seeds,
    /// The files that the scan has seen so far, while one runs.
    seen: Option<HashSet<u64>>,
    /// A further scan that was requested during this one.
    next_scan: Option<ScanDepth>,
    has_asked_git: bool,
}

/// Works until the last sender of tasks is dropped.
pub fn run(
    catalog: &Mutex<Catalog>,
    tasks: &Receiver<CatalogTask>,
    own: Weak<Sender<CatalogTask>>,
) {
    lock(catalog).begin(own);
    loop {
        let is_any_live = !lock(catalog).live.is_empty();
        let task = tasks.recv_timeout(if is_any_live {
            LIVE_CHECK
        } else {
            Duration::MAX
        });
        match task {
            Ok(CatalogTask::Rescan(depth)) => lock(catalog).rescan(depth),
            Ok(CatalogTask::Changed(mut paths)) => {
                thread::sleep(SETTLE);
                for task in tasks.try_iter() {
                    match task {
                        CatalogTask::Changed(more) => paths.extend(more),
                        CatalogTask::Rescan(depth) => lock(catalog).rescan(depth),
                    }
                }
                lock(catalog).changed(paths);
            }
            Err(RecvTimeoutError::Timeout) => lock(catalog).look_for_running(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// A task that panicked has reported it; the others go on with what there is.
fn lock(catalog: &Mutex<Catalog>) -> MutexGuard<'_, Catalog> {
    catalog.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Catalog {
    pub fn new(
        sources: Sources,
        (search, content): (Arc<Worker>, Arc<ContentWorker>),
        spawner: Spawner,
    ) -> Arc<Mutex<Self>> {
        Arc::new_cyclic(|own| {
            Mutex::new(Self {
                own: own.clone(),
                repository: CurrentRepository::unknown(),
                rows: Rows::of_roots(&sources.roots),
                sources,
                search,
                content,
                spawner,
                live: Registry::default(),
                watch: FileWatch::default(),
                related: Vec::new(),
                is_fresh: true,
                seeds: Seeds::default(),
                seen: None,
                next_scan: None,
                has_asked_git: false,
            })
        })
    }

    fn begin(&mut self, tasks: Weak<Sender<CatalogTask>>) {
        // Before the scan: what comes while it runs is reported by the watch.
        self.watch = FileWatch::start(move |event| {
            let task = if event.need_rescan() {
                CatalogTask::Rescan(ScanDepth::Candidates)
            } else {
                CatalogTask::Changed(event.paths)
            };
            if let Some(tasks) = tasks.upgrade() {
                let _ = tasks.send(task);
            }
        });
        for root in &self.sources.roots.clone() {
            self.watch_folder(&root.join("projects"), root);
            self.watch_folder(&root.join("sessions"), root);
        }
        // With the scope known before the first rows, none of them has to go again.
        self.arrive(CurrentRepository::from_files(&self.sources));
        self.seed();
        self.scan(ScanDepth::Candidates);
        self.watch_projects();
        self.look_for_running();
    }

    /// Watches a folder, or its parent until it exists.
    fn watch_folder(&mut self, folder: &Path, parent: &Path) {
        if !self.watch.folder(folder) {
            self.watch.folder(parent);
        }
    }

    /// Scans again, or after the scan that runs.
    fn rescan(&mut self, depth: ScanDepth) {
        if self.seen.is_some() {
            self.next_scan = Some(depth);
        } else {
            self.scan(depth);
        }
        self.look_for_running();
    }

    fn scan(&mut self, depth: ScanDepth) {
        self.seen = Some(HashSet::new());
        let (own, sources) = (self.own.clone(), self.sources.clone());
        self.spawner.spawn("scan", move |outbox| {
            let sink = |event| match own.upgrade() {
                Some(catalog) if !outbox.is_closed() => {
                    lock(&catalog).scanned(event);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            };
            let Sources { roots, only, .. } = &sources;
            if let Some(named) = only {
                let _ = named::read(named).into_iter().try_for_each(sink);
                return;
            }
            let summaries = sources.cache.as_ref();
            let summaries = summaries.map(|base| Summaries::new(base, roots));
            let known = summaries.as_ref().map(|it| it as &dyn Known);
            let stop = AtomicBool::new(false);
            scan(roots, depth, known, &stop, &sink);
            if let Some(summaries) = &summaries
                && !stop.load(Ordering::Relaxed)
            {
                // Without room for it the next start is as slow as this one.
                let _ = summaries.save(depth);
            }
        });
    }

    fn scanned(&mut self, event: Event) {
        match event {
            Event::Listed(count) => return self.tell(Message::Listed(count)),
            Event::Batch(sessions) => self.take(sessions),
            Event::Finished(trouble) => {
                self.finish_scan(&trouble);
                self.tell_content(&trouble);
                self.tell(Message::Scanned(trouble));
                if let Some(depth) = self.next_scan.take() {
                    self.rescan(depth);
                }
            }
        }
        self.ask_git();
    }

    /// Asks git about the repository, and has the text of conversations opened, once, and not before the
    /// first rows: they need the cores.
    fn ask_git(&mut self) {
        if std::mem::replace(&mut self.has_asked_git, true) {
            return;
        }
        self.content.send(ContentRequest::Open);
        let (own, sources, known) = (
            self.own.clone(),
            self.sources.clone(),
            self.repository.clone(),
        );
        self.spawner.spawn("question to git", move |_| {
            let repository = known.ask_git(&sources);
            if let Some(catalog) = own.upgrade() {
                lock(&catalog).arrive(repository);
            }
        });
    }

    /// Takes a batch of the scan.
    fn take(&mut self, sessions: Vec<Session>) {
        let mut changed = Vec::with_capacity(sessions.len());
        for session in sessions {
            self.saw(&session.file);
            let Some(session) = self.put_off(session, &mut changed) else {
                continue;
            };
            if self.is_fresh && !self.seeds.contains(&session.file) {
                changed.push(self.rows.add(session));
            } else if !self.is_known(&session) {
                changed.extend(self.rows.position(&session.file.id));
                changed.push(self.rows.replace(session));
            }
        }
        self.publish(changed);
    }

    /// Watches every project folder, also those without sessions.
    fn watch_projects(&mut self) {
        for root in &self.sources.roots {
            let entries = root.join("projects").read_dir();
            for entry in entries.into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    self.watch.folder(&entry.path());
                }
            }
        }
    }

    /// Lets the text go of sessions that are not there, in roots that were read whole.
    fn tell_content(&self, trouble: &Trouble) {
        if self.sources.only.is_some() {
            return;
        }
        let whole = trouble.whole(&self.sources.roots);
        self.content.send(ContentRequest::Scanned(whole));
    }

    /// Removes what the scan has not found. What it could not look at stays as it was.
    fn finish_scan(&mut self, trouble: &Trouble) {
        self.is_fresh = false;
        let seen = self.seen.take().unwrap_or_default();
        // What comes from the cache alone is not believed, whatever the reason.
        let (unchecked, empty) = self.seeds.end();
        let stays =
            |file: &FileInfo| trouble.hides(file) && !unchecked.contains(&fingerprint(file));
        let is_gone = |file: &FileInfo| !seen.contains(&fingerprint(file)) && !stays(file);
        let mut changed = self.remove(is_gone);
        changed.extend(empty.into_iter().map(|session| self.rows.add(session)));
        self.publish(changed);
        let settled = self.rows.settle();
        self.publish(settled);
        self.relate();
        self.tell(Message::Names(names::of(&self.rows)));
    }

    /// The scan that runs must not take this file for a deleted one.
    fn saw(&mut self, file: &FileInfo) {
        let file = fingerprint(file);
        self.seeds.check(file);
        if let Some(seen) = &mut self.seen {
            seen.insert(file);
        }
    }

    /// Tells the screen, then the search, about rows that changed.
    fn publish(&mut self, changed: Vec<usize>) {
        if changed.is_empty() {
            return self.tell_checked();
        }
        let Published {
            rows,
            put,
            gone,
            is_near,
        } = publish(&self.rows, changed, &self.repository.scope, &self.live);
        let checked = rows.iter().filter(|(row, _)| !self.seeds.has_row(*row));
        let checked = checked.cloned().collect();
        self.content.send(ContentRequest::Rows(checked));
        self.tell(Message::Rows(rows));
        // A session knows better than the name of its folder where it belongs.
        let here = &mut self.repository.here;
        if is_near && !std::mem::replace(&mut here.inhabited, true) {
            self.tell(Message::Here(self.repository.here.clone()));
        }
        // Each request is answered with a search: none without a change.
        if !put.is_empty() {
            self.search.send(IndexRequest::Put(put));
        }
        if !gone.is_empty() {
            self.search.send(IndexRequest::Remove(gone));
        }
        self.tell_checked();
    }

    /// Tells which rows are forks of one another, if that has changed.
    fn relate(&mut self) {
        // Sessions that were named are all shown.
        if self.sources.only.is_some() {
            return;
        }
        // What is no session may have the id of one.
        let is_session = |row: &Row| row.session.hidden != Some(Hidden::NotASession);
        let rows = self.rows.places().filter(|(_, row)| is_session(row));
        let rows: Vec<(usize, &Arc<Row>)> = rows.collect();
        let sessions = rows.iter().map(|(_, row)| &row.session);
        let firsts = families(sessions.map(|it| (&*it.file.id, &it.meta.origin)));
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        for first in &firsts {
            *sizes.entry(*first).or_default() += 1;
        }
        // A family is named by the place of its first member, which never changes.
        let number = |at: usize| u32::try_from(rows[at].0).ok();
        let related = firsts.iter().enumerate();
        let related: Vec<(RowId, Family)> = related
            .filter(|(_, first)| sizes[first] > 1)
            .filter_map(|(at, first)| Some((RowId(number(at)?), Family(number(*first)?))))
            .collect();
        if related != self.related {
            self.related.clone_from(&related);
            self.tell(Message::Related(related));
        }
    }

    /// The repository is known, from its files or from git: rows that turn out to be near are told
    /// to the search again.
    fn arrive(&mut self, mut repository: CurrentRepository) {
        let before = &self.repository.scope;
        let distance = |row: &Row| repository.scope.distance_of_row(row);
        let rows = self.rows.places();
        let moved = rows.filter(|(_, row)| before.distance_of_row(row) != distance(row));
        let moved = moved.map(|(at, _)| at).collect();
        let is_near =
            |row: &Row| row.session.hidden.is_none() && distance(row) != Distance::Elsewhere;
        repository.here.inhabited |= self.rows.iter().any(is_near);
        self.repository = repository;
        self.publish(moved);
        self.tell(Message::Here(self.repository.here.clone()));
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

    /// Reads what changed on disk, each file once.
    fn changed(&mut self, mut paths: Vec<PathBuf>) {
        self.is_fresh = false;
        paths.sort_unstable();
        paths.dedup();
        let mut places = Vec::new();
        let mut registry = false;
        let roots = self.sources.roots.clone();
        for path in paths {
            for root in &roots {
                if path.starts_with(root.join("sessions")) {
                    registry = true;
                    self.watch_folder(&root.join("sessions"), root);
                }
                let Ok(inside) = path.strip_prefix(root.join("projects")) else {
                    continue;
                };
                match inside.components().count() {
                    // The folder of all projects was made.
                    0 => {
                        // A watch of an earlier folder of this name sees nothing.
                        self.watch.forget(&path);
                        self.watch.folder(&path);
                        self.watch_projects();
                        self.rescan(ScanDepth::Candidates);
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
            // It takes its sessions with it. If it comes back, it is a new one.
            self.watch.forget(folder);
            return self.remove(|file| file.project.dir == folder);
        };
        self.watch.folder(folder);
        entries
            .flatten()
            .filter_map(|entry| self.file_changed(root, &entry.path()))
            .collect()
    }

    /// Removes files from the rows. Returns the rows that changed.
    fn remove(&mut self, is_gone: impl Fn(&FileInfo) -> bool) -> Vec<usize> {
        let files = self.rows.iter().flat_map(Row::files);
        let files = files.map(|session| &session.file);
        let gone: Vec<FileInfo> = files.filter(|file| is_gone(file)).cloned().collect();
        gone.iter()
            .filter_map(|file| self.rows.remove(&file.id, &file.path()))
            .collect()
    }

    fn file_changed(&mut self, root: &Path, path: &Path) -> Option<usize> {
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let found = match &self.sources.only {
            None => rescan(root, path.parent()?, id),
            // Only the named sessions are listed.
            Some(named) => named.iter().find(|one| one.is_at(path))?.read(),
        };
        // Without a file to spare it stays as it was.
        let found = found.ok()?;
        if let Some(session) = &found {
            // The scan may have passed its folder already.
            self.saw(&session.file);
        }
        match found {
            Some(session) if self.is_known(&session) => None,
            Some(session) => Some(self.rows.replace(session)),
            None => self.rows.remove(id, path),
        }
    }

    fn tell(&self, message: Message) {
        self.spawner.outbox.tell(message);
    }
}

/// Tells files apart without keeping their paths.
fn fingerprint(file: &FileInfo) -> u64 {
    let mut hasher = DefaultHasher::new();
    file.project.dir.hash(&mut hasher);
    file.id.hash(&mut hasher);
    hasher.finish()
}
