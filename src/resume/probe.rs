//! Looks everything up that the plan depends on. Takes its time: never on the thread that draws.
//!
//! It only looks, and asks `git`. Whatever decides in this room reads what was found here; a plan
//! that is about to run looks at its directory once more.

mod git_folder;
mod likeness;
mod lost;
mod moved;
mod program;
mod projects;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory::{Where, Why};
use super::git::{Remembered, ground, is_younger};
use super::launch::{ChildSession, Launch};
use super::situation::{
    Below, BranchPlace, Clue, Damage, Force, Ground, Home, Inferred, Lost, LostBranch,
    LostRepository, Past, Presence, Program, Recorded, Repository, Running, Severed, Situation,
    Subject, Worktree,
};
use crate::paths::project_name;
use crate::store::{Millis, Session, is_running, patiently, running};
use crate::transcript::{Outlook, directories, later_directory, outlook};
use git_folder::GitFolder;
use lost::Missing;
use moved::{folders_in, is_telling};
pub use program::program;
use projects::{directories_called, directory_of};

/// A session as it was found.
#[derive(Debug, Clone)]
pub struct Seen {
    pub session: Session,
    /// What Claude Code knows it by, where that is not the name of the file.
    pub id: Option<String>,
    pub kept: Kept,
    /// Other files with the same id.
    pub copies: Vec<PathBuf>,
}

/// Is the file where Claude Code looks for sessions?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    InStore,
    /// In no store; and where Claude Code would find the id, if anywhere.
    Outside {
        in_store: Option<PathBuf>,
    },
}

impl Seen {
    pub fn new(session: Session, copies: Vec<PathBuf>) -> Self {
        Self {
            session,
            id: None,
            kept: Kept::InStore,
            copies,
        }
    }
}

/// Looks around a session.
pub fn probe(seen: &Seen, launch: &Launch, now: Millis) -> Situation {
    let session = &seen.session;
    let transcript = session.stamp.path();
    // A file that cannot be read has nothing to say; resuming will tell.
    let known = outlook(&transcript).unwrap_or_default();
    let subject = subject(seen, transcript);
    let worktree = known.worktree.as_ref().and_then(worktree);
    let recorded = recorded(&subject, session.lite.cwd.as_deref());
    let inferred = match (&worktree, recorded.as_slice()) {
        (None, []) => inferred(&subject, launch.here.as_deref()),
        _ => Inferred::Nothing,
    };
    let mut situation = Situation {
        program: program(
            launch.program(),
            launch.search_path.as_deref(),
            launch.here.as_deref(),
        ),
        running: running_now(&subject, launch),
        damage: damage(&known),
        context: known.context,
        launch: launch.clone(),
        worktree,
        recorded,
        inferred,
        ground: Ground::Unknown,
        lost: None,
        subject,
        now,
    };
    ask_git(&mut situation);
    situation
}

/// The same for the sample sessions, whose directories are not there: all is as it should be,
/// except for a worktree that a transcript names. Nothing outside the transcript is looked at.
pub fn imagine(seen: &Seen, launch: &Launch, now: Millis) -> Situation {
    let transcript = seen.session.stamp.path();
    let known = outlook(&transcript).unwrap_or_default();
    let subject = subject(seen, transcript);
    let cwd = seen.session.lite.cwd.as_deref().map(PathBuf::from);
    let worktree = known.worktree.as_ref().and_then(worktree);
    let worktree = worktree.map(|said| Worktree {
        presence: Presence::Missing,
        ..said
    });
    let lost = worktree.as_ref().map(|tree| Lost {
        parent: tree.original.clone(),
        repository: tree.original.clone().map(|top| LostRepository {
            working_tree: Some(top.clone()),
            top,
            tree: tree.path.clone(),
            clue: Clue::Said,
            branch: tree
                .branch
                .clone()
                .map_or(LostBranch::Unknown, LostBranch::Free),
            force: Force::Once,
            below: Below::Nothing,
            has_below: Vec::new(),
            has_here: false,
        }),
        ..Lost::default()
    });
    let at = |path| Recorded {
        path,
        presence: Presence::Directory,
    };
    Situation {
        program: Program::Found(PathBuf::from(launch.program())),
        running: running_now(&subject, launch),
        damage: damage(&known),
        context: known.context,
        launch: Launch {
            here: None,
            child_session: ChildSession::Free,
            ..launch.clone()
        },
        worktree,
        recorded: cwd.map(at).into_iter().collect(),
        inferred: Inferred::Nothing,
        ground: Ground::Unknown,
        lost,
        subject,
        now,
    }
}

fn subject(seen: &Seen, transcript: PathBuf) -> Subject {
    let Session { stamp, lite, .. } = &seen.session;
    let home = match &seen.kept {
        // It was deleted meanwhile.
        Kept::InStore if !transcript.exists() => Home::Outside { in_store: None },
        Kept::Outside { in_store } => Home::Outside {
            in_store: in_store.clone(),
        },
        Kept::InStore => Home::Store {
            root: stamp.project.root.to_path_buf(),
            folder: stamp.project.name.clone(),
        },
    };
    let pr = lite.pr.as_ref().and_then(|pr| pr.repository.as_deref());
    Subject {
        id: seen.id.clone().unwrap_or_else(|| stamp.id.to_string()),
        transcript,
        home,
        last_activity: seen.session.last_activity(),
        branch: lite.git_branch.as_deref().map(str::to_owned),
        pr_repository: pr.map(str::to_owned),
        copies: seen.copies.clone(),
    }
}

/// A transcript is a file like any other: what it names by a path that is not absolute would
/// depend on where we stand, or pass for an option.
fn absolute(said: &str) -> Option<PathBuf> {
    Some(PathBuf::from(said)).filter(|path| path.is_absolute())
}

fn worktree(said: &crate::transcript::Worktree) -> Option<Worktree> {
    let path = absolute(&said.path)?;
    Some(Worktree {
        presence: presence(&path),
        path,
        branch: said.branch.clone(),
        original: said.original_cwd.as_deref().and_then(absolute),
    })
}

/// The directories that the transcript names. One that is filed under the folder is enough; the
/// whole file is asked only where the first one is not.
fn recorded(subject: &Subject, cwd: Option<&str>) -> Vec<Recorded> {
    let at = |path: &str| {
        let path = absolute(path)?;
        let presence = presence(&path);
        Some(Recorded { path, presence })
    };
    let is_filed = |cwd: &str| match subject.home.filed() {
        Some((_, folder)) => project_name(cwd).matches(folder),
        None => true,
    };
    let mut found: Vec<Recorded> = cwd.and_then(at).into_iter().collect();
    if cwd.is_none_or(|cwd| !is_filed(cwd)) {
        let others = directories(&subject.transcript).unwrap_or_default();
        let later = if others.iter().any(|cwd| is_filed(cwd)) {
            None
        } else {
            later_directory(&subject.transcript, is_filed).unwrap_or_default()
        };
        let is_new = |path: &&String| cwd != Some(path.as_str());
        let others = later.iter().chain(&others).filter(is_new);
        found.extend(others.filter_map(|path| at(path)));
    }
    found
}

fn damage(known: &Outlook) -> Damage {
    Damage {
        bad_lines: known.health.bad,
        lost: known.reach.lost,
        prompts: known.reach.reachable + known.reach.lost,
        percent: known.reach.percent(),
        is_empty: known.is_empty,
    }
}

/// Where a session is to be resumed whose transcript names no directory: one that its project
/// folder is called after. Where one stands, other sessions and the machine are asked, in this
/// order, and it is said which of them answered.
fn inferred(subject: &Subject, here: Option<&Path>) -> Inferred {
    let Some((root, folder)) = subject.home.filed() else {
        return Inferred::Nothing;
    };
    let is_filed = |path: &&Path| project_name(&path.to_string_lossy()).matches(folder);
    let one = |path: PathBuf, why| {
        Inferred::One(Where {
            presence: presence(&path),
            path,
            why,
        })
    };
    if let Some(here) = here.filter(is_filed) {
        return one(here.to_owned(), Why::Here);
    }
    let store = root.join("projects").join(folder);
    if let Some(path) = directory_of(root, &store) {
        return one(path, Why::Neighbours);
    }
    let name = folder.to_owned();
    // The way down may lead through a disk that does not answer.
    let mut called = patiently(move || directories_called(&name)).unwrap_or_default();
    match called.pop() {
        None => Inferred::Nothing,
        Some(path) if called.is_empty() => one(path, Why::Name),
        Some(path) => {
            called.push(path);
            called.sort_unstable();
            Inferred::Several(called)
        }
    }
}

/// The process that has the session open, by the registry of its config directory; and by those
/// of others that lead to the same file, for people let several share one `projects`. A copy of
/// the file in another config directory is another file: whoever writes there does no harm here.
fn running_now(subject: &Subject, launch: &Launch) -> Option<Running> {
    let (root, folder) = subject.home.filed()?;
    let file = Path::new("projects").join(folder);
    let file = file.join(format!("{}.jsonl", subject.id));
    let own = root.join(&file).canonicalize().ok();
    let is_same = |other: &&PathBuf| {
        own.is_some() && *other != root && other.join(&file).canonicalize().ok() == own
    };
    let others = launch.default_root.iter().chain(&launch.configured_root);
    let mut roots = vec![root.to_owned()];
    roots.extend(others.filter(is_same).cloned());
    let found = running(&roots, is_running).remove(&subject.id)?;
    Some(Running {
        pid: found.pid,
        status: found.status,
        tmux: found.tmux,
    })
}

/// What is said where git takes longer than anybody waits.
const SLOW: &str = "no answer in time";

/// What is left of a directory that is gone. What needs no git is known without it.
fn what_is_left(situation: &Situation, path: PathBuf) -> Lost {
    let worktree = situation.worktree.as_ref();
    let said = worktree.filter(|tree| tree.path == path);
    let branch = said.and_then(|tree| tree.branch.clone());
    let original = said.and_then(|tree| tree.original.clone());
    let recorded = situation.recorded.iter();
    let near = recorded.filter(|one| one.presence == Presence::Directory && one.path != path);
    let missing = Missing {
        original,
        branch: branch.or_else(|| situation.subject.branch.clone()),
        near: near.map(|one| one.path.clone()).collect(),
        here: situation.launch.here.clone(),
        home: situation.launch.home.clone(),
        root: situation.root().map(Path::to_owned),
        path,
    };
    // The neighbours may be on a disk that does not answer, just like the repository.
    let by_disk = missing.clone();
    let remains = patiently(move || by_disk.remains()).unwrap_or_default();
    let known = remains.clone();
    patiently(move || missing.look(known)).unwrap_or_else(|| Lost {
        silence: Some(SLOW.to_owned()),
        ..remains
    })
}

/// Is the directory an empty one in the place of a working tree? What is around it is another
/// one, whose branch is no matter.
fn find_emptied(situation: &mut Situation) {
    let place = situation.directory();
    let is_empty = |place: &Where| {
        let entries = place.path.read_dir();
        entries.is_ok_and(|mut entries| entries.next().is_none())
    };
    let Some(place) = place.filter(is_empty) else {
        return;
    };
    let lost = what_is_left(situation, place.path.clone());
    let tree = lost.repository.as_ref();
    if tree.and_then(LostRepository::source).is_none() {
        return;
    }
    let worktree = situation.worktree.iter_mut();
    let worktree = worktree.map(|tree| (&tree.path, &mut tree.presence));
    let recorded = situation.recorded.iter_mut();
    let recorded = recorded.map(|one| (&one.path, &mut one.presence));
    for (path, presence) in worktree.chain(recorded) {
        if *path == place.path {
            *presence = Presence::Emptied;
        }
    }
    situation.lost = Some(lost);
}

fn ask_git(situation: &mut Situation) {
    if let Some((path, _)) = situation.missing() {
        situation.lost = Some(what_is_left(situation, path));
    } else {
        find_emptied(situation);
    }
    let place = situation.directory();
    let Some(place) = place.filter(|place| place.presence == Presence::Directory) else {
        return;
    };
    let worktree_branch = match (place.why, &situation.worktree) {
        (Why::Worktree, Some(tree)) => tree.branch.clone(),
        _ => None,
    };
    let remembered = Remembered {
        branch: worktree_branch.or_else(|| situation.subject.branch.clone()),
        pr_repository: situation.subject.pr_repository.clone(),
    };
    situation.subject.branch.clone_from(&remembered.branch);
    let left = situation.subject.last_activity;
    let answer = patiently(move || {
        let mut ground = ground(&place.path, &remembered);
        if let (Ground::NoRepository, Some(tree)) = (&ground, GitFolder::severed(&place.path)) {
            return Ground::Severed(severed(tree));
        }
        if let Ground::Repository(repository) = &mut ground {
            repository.past = past(repository, remembered.branch.as_deref(), left);
        }
        ground
    });
    situation.ground = answer.unwrap_or_else(|| Ground::Silent(SLOW.to_owned()));
}

/// Looks for the repository of a working tree that lost it: somewhere near, under another name.
fn severed(tree: PathBuf) -> Severed {
    let real = tree.canonicalize().unwrap_or_else(|_| tree.clone());
    let near = tree.ancestors().skip(1).take(2).flat_map(folders_in);
    let mut folders = near.filter_map(|path| GitFolder::of(&path));
    let repository = folders.find(|folder| folder.lists(&real));
    Severed {
        tree,
        repository: repository.map(|folder| folder.place),
    }
}

/// Can it be the repository that the session was left in? One that is as old as the session is not
/// asked for its history, which may be long.
fn past(repository: &Repository, branch: Option<&str>, left: Millis) -> Past {
    // Without a branch there was no repository, and this one cannot be another. One that not every
    // repository has speaks for the same, whatever became of its history.
    let is_here = matches!(
        repository.session_branch,
        BranchPlace::Free | BranchPlace::CheckedOutAt(_) | BranchPlace::Remote(_)
    );
    if branch.is_none_or(|branch| is_here && is_telling(branch)) {
        return Past::Possible;
    }
    let made = GitFolder::around(&repository.top).and_then(|folder| folder.made());
    if made.is_some_and(|made| made > left) && is_younger(&repository.top, left) {
        Past::Younger
    } else {
        Past::Possible
    }
}

/// Can a directory be entered?
pub fn presence(path: &Path) -> Presence {
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => Presence::NotADirectory,
        Ok(_) => match enterable(path) {
            Ok(()) => Presence::Directory,
            Err(error) => Presence::Closed(error.to_string()),
        },
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Presence::Missing,
            _ => Presence::Closed(error.to_string()),
        },
    }
}

/// Reaching its own entry needs the same right as going there.
fn enterable(path: &Path) -> io::Result<()> {
    fs::metadata(path.join(".")).map(drop)
}

/// The nearest directory above a path that is there.
pub fn nearest_directory(path: &Path) -> Option<PathBuf> {
    let mut above = path.ancestors().skip(1);
    above
        .find(|folder| !folder.as_os_str().is_empty() && presence(folder) == Presence::Directory)
        .map(Path::to_owned)
}
