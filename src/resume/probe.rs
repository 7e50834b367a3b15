//! Looks up the facts that a plan depends on. It takes its time: never on the thread that draws.
//!
//! It only reads, and asks `git`. What decides in this room reads nothing but these facts; a plan
//! checks its directory again when it is run.

mod git_folder;
mod gone;
mod program;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::git::{SLOW, ask, has_commit};
use super::launch::{ChildSession, Launch};
use super::situation::{
    BranchPlace, GitState, Gone, GoneTree, Location, Presence, Program, Recorded, RecordedWorktree,
    SessionFacts, Situation,
};
use crate::paths::project_name;
use crate::store::{Live, Millis, Session, is_running, running, with_timeout};
use crate::transcript::{LeftWorktree, directories, resume_info};
use git_folder::GitFolder;
use gone::look;
pub use program::{locate, program};

/// The branch that Claude Code records in a repository with a reference store that it cannot read.
const NO_NAME: &str = ".invalid";

/// A session as it was found.
#[derive(Debug, Clone)]
pub struct FoundSession {
    pub session: Session,
    /// Its id for Claude Code, if that is not the name of the file.
    pub id: Option<String>,
    pub location: Location,
    /// Other files with the same id.
    pub copies: Vec<PathBuf>,
}

impl FoundSession {
    /// A session of a store.
    pub fn new(session: Session, copies: Vec<PathBuf>) -> Self {
        let project = &session.file.project;
        Self {
            id: None,
            location: Location::Store {
                root: project.root.to_path_buf(),
                folder: project.name.clone(),
            },
            session,
            copies,
        }
    }
}

/// The facts about a session.
pub fn probe(found: &FoundSession, launch: &Launch, now: Millis) -> Situation {
    let mut situation = from_transcript(found, launch, now);
    situation.program = locate(&mut situation.launch);
    let session = &situation.session;
    let cwd = found.session.meta.cwd.as_deref();
    situation.recorded = recorded(session, cwd, launch.here.as_deref());
    if let Some(worktree) = &mut situation.worktree {
        worktree.place.presence = worktree_presence(worktree);
    }
    if let Some(lost) = situation.unusable() {
        situation.gone = Some(look(&situation, &lost.path));
    } else if let Some((place, _)) = situation.directory() {
        let path = place.path.clone();
        ask_git(&mut situation, path);
    }
    situation.real = real_paths(&situation);
    situation
}

/// The directories that may be offered and the home directory, where links lead elsewhere.
fn real_paths(situation: &Situation) -> Vec<(PathBuf, PathBuf)> {
    let launch = &situation.launch;
    let nearest = situation
        .gone
        .as_ref()
        .and_then(|gone| gone.nearest.as_ref());
    let recorded = situation.recorded.iter();
    let usable = recorded.filter(|one| one.is_usable()).map(|one| &one.path);
    let places = [launch.home.as_ref(), launch.here.as_ref(), nearest];
    let paths = places.into_iter().flatten().chain(usable);
    let real = paths.filter_map(|path| Some((path.clone(), path.canonicalize().ok()?)));
    real.filter(|(path, real)| path != real).collect()
}

/// The same for the sample sessions, whose directories do not exist: everything is in order except a
/// worktree that a transcript names. Nothing outside of the transcript is read.
pub fn imagine(found: &FoundSession, launch: &Launch, now: Millis) -> Situation {
    let mut situation = from_transcript(found, launch, now);
    situation.launch.here = None;
    situation.launch.child_session = ChildSession::Free;
    let cwd = found.session.meta.cwd.as_deref();
    situation.recorded.extend(cwd.map(|cwd| Recorded {
        path: cwd.into(),
        presence: Presence::Directory,
    }));
    let tree = situation.worktree.as_ref();
    let tree = tree.and_then(|tree| {
        let original = tree.original.clone()?;
        Some(GoneTree {
            path: tree.place.path.clone(),
            repository: original.clone(),
            working_tree: Some(original),
            branch: tree.branch.clone(),
            place: BranchPlace::Free,
            needs_force: false,
            lock: None,
            again: tree.place.path.clone(),
        })
    });
    situation.gone = tree.map(|tree| Gone {
        nearest: tree.working_tree.clone(),
        tree: Some(tree),
        ..Gone::default()
    });
    situation
}

/// What the transcript and the registry say; a worktree counts as missing until it is looked at.
fn from_transcript(found: &FoundSession, launch: &Launch, now: Millis) -> Situation {
    let transcript = found.session.file.path();
    // A file that cannot be read has nothing to say; resuming will.
    let resume_info = resume_info(&transcript).unwrap_or_default();
    let session = session_facts(found, transcript);
    Situation {
        program: Program::Found(PathBuf::from(launch.program())),
        running: running_now(&session, launch),
        launch: launch.clone(),
        worktree: resume_info.worktree.as_ref().and_then(worktree),
        recorded: Vec::new(),
        git: GitState::Unknown,
        gone: None,
        real: Vec::new(),
        session,
        resume_info,
        now,
    }
}

fn session_facts(found: &FoundSession, transcript: PathBuf) -> SessionFacts {
    let Session { file, meta, .. } = &found.session;
    let location = match &found.location {
        // It was deleted meanwhile.
        Location::Store { .. } if !transcript.exists() => Location::Outside { in_store: None },
        location => location.clone(),
    };
    let pr = meta.pr.as_ref().and_then(|pr| pr.repository.as_deref());
    let branch = meta.git_branch.as_deref();
    SessionFacts {
        id: found.id.clone().unwrap_or_else(|| file.id.to_string()),
        transcript,
        location,
        last_activity: found.session.last_activity(),
        branch: branch.filter(|name| *name != NO_NAME).map(str::to_owned),
        pr_repository: pr.map(str::to_owned),
        copies: found.copies.clone(),
    }
}

/// A path counts only if it is absolute: another one would depend on the current directory, or pass
/// for an option.
fn absolute(said: &str) -> Option<PathBuf> {
    Some(PathBuf::from(said)).filter(|path| path.is_absolute())
}

fn worktree(said: &LeftWorktree) -> Option<RecordedWorktree> {
    Some(RecordedWorktree {
        place: Recorded {
            path: absolute(&said.path)?,
            presence: Presence::Missing,
        },
        branch: said.branch.clone(),
        original: said.original_cwd.as_deref().and_then(absolute),
        original_head: said.original_head_commit.clone(),
    })
}

/// What is at the path of a worktree that the transcript names. One without a branch is not git's.
fn worktree_presence(tree: &RecordedWorktree) -> Presence {
    let path = tree.place.path.clone();
    let presence = presence(&path);
    if presence != Presence::Directory || tree.branch.is_none() {
        return presence;
    }
    if !path.join(".git").exists() {
        let is_empty = |mut entries: fs::ReadDir| entries.next().is_none();
        return Presence::NotAWorktree {
            is_empty: path.read_dir().is_ok_and(is_empty),
        };
    }
    let original = tree.original.as_deref().filter(|path| path.is_dir());
    let own = original.and_then(GitFolder::around);
    let (Some(own), Some(there)) = (own, GitFolder::of(&path)) else {
        return presence;
    };
    // A clone has the commit that the session began with.
    let head = tree.original_head.clone();
    let is_clone = move || head.is_some_and(|head| has_commit(&path, &head));
    if own.common != there.common && !with_timeout(is_clone).unwrap_or(true) {
        return Presence::OtherRepository;
    }
    presence
}

fn ask_git(situation: &mut Situation, directory: PathBuf) {
    if let Some(tree) = &situation.worktree
        && tree.place.path == directory
        && tree.branch.is_some()
    {
        situation.session.branch.clone_from(&tree.branch);
    }
    let session = situation.session.clone();
    let may_switch = situation.launch.asks.branch;
    let answer = with_timeout(move || ask(&directory, &session, may_switch));
    situation.git = answer.unwrap_or_else(|| GitState::Silent(SLOW.to_owned()));
}

/// The directories that the transcript names. The whole file is read only if the first one is not
/// the one that it is filed under.
fn recorded(session: &SessionFacts, cwd: Option<&str>, here: Option<&Path>) -> Vec<Recorded> {
    let at = |path: &str| {
        let path = absolute(path)?;
        let presence = presence(&path);
        Some(Recorded { path, presence })
    };
    let is_filed = |cwd: &str| match session.location.filed() {
        Some((_, folder)) => project_name(cwd).matches(folder),
        None => true,
    };
    let mut found: Vec<Recorded> = cwd.and_then(at).into_iter().collect();
    if cwd.is_none_or(|cwd| !is_filed(cwd)) {
        let others = directories(&session.transcript).unwrap_or_default();
        let is_new = |path: &&String| cwd != Some(path.as_str());
        found.extend(others.iter().filter(is_new).filter_map(|path| at(path)));
    }
    if found.is_empty() && session.location.filed().is_some() {
        let here = here.and_then(Path::to_str).filter(|here| is_filed(here));
        found.extend(here.and_then(at));
    }
    found
}

/// The process that has the session open, by the registry of its config directory, and by those of
/// others that lead to the same file: several can share one `projects`. A copy in another config
/// directory is another file.
fn running_now(session: &SessionFacts, launch: &Launch) -> Option<Live> {
    let (root, folder) = session.location.filed()?;
    let file = format!("projects/{folder}/{}.jsonl", session.id);
    let real = |root: &Path| root.join(&file).canonicalize().ok();
    let own = real(root);
    let is_same = |other: &&PathBuf| own.is_some() && *other != root && real(other) == own;
    let others = launch.default_root.iter().chain(&launch.configured_root);
    let mut roots = vec![root.to_owned()];
    roots.extend(others.filter(is_same).cloned());
    running(&roots, is_running).anywhere(&session.id).cloned()
}

/// What is at the path of a directory.
pub fn presence(path: &Path) -> Presence {
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => Presence::NotADirectory,
        // Reaching its own entry needs the same permission as entering it.
        Ok(_) => match fs::metadata(path.join(".")) {
            Ok(_) => Presence::Directory,
            Err(error) => Presence::Closed(error.to_string()),
        },
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Presence::Missing,
            _ => Presence::Closed(error.to_string()),
        },
    }
}

/// The nearest directory above a path that exists.
fn nearest_directory(path: &Path) -> Option<PathBuf> {
    let mut above = path.ancestors().skip(1);
    above
        .find(|folder| !folder.as_os_str().is_empty() && presence(folder) == Presence::Directory)
        .map(Path::to_owned)
}
