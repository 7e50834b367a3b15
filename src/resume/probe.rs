//! Looks everything up that the plan depends on. Takes its time: never on the thread that draws.
//!
//! It only looks, and asks `git`. Whatever decides in this room reads what was found here; a plan
//! that is about to run looks at its directory once more.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory::{Why, rule};
use super::git::{Remembered, ground, lost};
use super::launch::{ChildSession, Launch};
use super::situation::{
    Damage, Ground, Home, Lost, LostRepository, Presence, Program, Recorded, Running, Situation,
    Subject, Worktree,
};
use crate::paths::project_name;
use crate::store::{Millis, Session, is_running, patiently, running};
use crate::transcript::{Outlook, directories, outlook};

/// Folders beside a lost one that are looked at, and places that are offered.
const NEIGHBOURS: usize = 300;
const MOVES: usize = 3;

/// A session as it was found.
#[derive(Debug, Clone)]
pub struct Seen {
    pub session: Session,
    /// What Claude Code knows it by, where that is not the name of the file.
    pub id: Option<String>,
    /// Set if the file is in no store: where Claude Code would find the id.
    pub outside: Option<Option<PathBuf>>,
    /// Other files with the same id.
    pub copies: Vec<PathBuf>,
}

impl Seen {
    pub fn new(session: Session, copies: Vec<PathBuf>) -> Self {
        Self {
            session,
            id: None,
            outside: None,
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
    let mut situation = Situation {
        program: program(
            launch.program(),
            launch.search_path.as_deref(),
            launch.here.as_deref(),
        ),
        running: running_now(&subject),
        damage: damage(&known),
        context: known.context,
        launch: launch.clone(),
        worktree,
        recorded,
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
            branch: tree.branch.clone(),
            is_listed: true,
            taken_by: None,
        }),
        ..Lost::default()
    });
    let at = |path| Recorded {
        path,
        presence: Presence::Directory,
    };
    Situation {
        program: Program::Found(PathBuf::from(launch.program())),
        running: running_now(&subject),
        damage: damage(&known),
        context: known.context,
        launch: Launch {
            here: None,
            child_session: ChildSession::Free,
            ..launch.clone()
        },
        worktree,
        recorded: cwd.map(at).into_iter().collect(),
        ground: Ground::Unknown,
        lost,
        subject,
        now,
    }
}

fn subject(seen: &Seen, transcript: PathBuf) -> Subject {
    let Session { stamp, lite, .. } = &seen.session;
    let home = match &seen.outside {
        // It was deleted meanwhile.
        None if !transcript.exists() => Home::Outside { in_store: None },
        Some(in_store) => Home::Outside {
            in_store: in_store.clone(),
        },
        None => Home::Store {
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
        let is_new = |path: &&String| cwd != Some(path.as_str());
        found.extend(others.iter().filter(is_new).filter_map(|path| at(path)));
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

fn running_now(subject: &Subject) -> Option<Running> {
    let (root, _) = subject.home.filed()?;
    let found = running(&[root.to_owned()], is_running).remove(&subject.id)?;
    Some(Running {
        pid: found.pid,
        status: found.status,
        tmux: found.tmux,
    })
}

fn ask_git(situation: &mut Situation) {
    let place = rule(
        situation.worktree.as_ref(),
        &situation.recorded,
        &situation.subject.home,
    );
    if let Some((missing, _)) = situation.missing() {
        let missing = missing.to_owned();
        let here = situation.launch.here.clone();
        let worktree = situation.worktree.as_ref();
        let said = worktree.filter(|tree| tree.path == missing);
        let original = said.and_then(|tree| tree.original.clone());
        let branch = said.and_then(|tree| tree.branch.clone());
        let parent = nearest_directory(&missing);
        let mut around: Vec<PathBuf> = original.iter().cloned().collect();
        let recorded = situation.recorded.iter();
        around.extend(
            recorded
                .filter(|one| one.presence == Presence::Directory)
                .map(|one| one.path.clone()),
        );
        around.extend(parent.clone());
        around.extend(here.clone());
        around.retain(|path| path.is_dir());
        around.dedup();
        let last_branch = situation.subject.branch.clone();
        let home = situation.launch.home.clone();
        // The neighbours may be on a disk that does not answer, just like the repository.
        situation.lost = patiently(move || {
            let said = original.as_deref().map(|path| (path, branch.as_deref()));
            Lost {
                moved_to: moved_to(&missing, last_branch.as_deref(), home.as_deref()),
                ..lost(&missing, parent, &around, said, here.as_deref())
            }
        });
    }
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
        last_activity: situation.subject.last_activity,
    };
    situation.subject.branch.clone_from(&remembered.branch);
    let answer = patiently(move || ground(&place.path, &remembered));
    situation.ground = answer.unwrap_or_default();
}

/// Where a directory may be now: beside its old place under another name, known by a branch that
/// not every repository has; or under its own name in a neighbouring folder.
fn moved_to(missing: &Path, branch: Option<&str>, home: Option<&Path>) -> Vec<PathBuf> {
    let folders = |place: &Path| -> Vec<PathBuf> {
        let entries = place.read_dir().into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.take(NEIGHBOURS).map(|entry| entry.path()).collect();
        paths.retain(|path| path.is_dir());
        paths.sort_unstable();
        paths
    };
    let mut found: Vec<PathBuf> = Vec::new();
    let telling = branch.filter(|name| !matches!(*name, "main" | "master" | "HEAD"));
    if let (Some(parent), Some(branch)) = (missing.parent(), telling) {
        let has_it = |path: &PathBuf| has_branch_file(path, branch);
        found.extend(folders(parent).into_iter().filter(has_it));
    }
    let above = missing.parent().and_then(Path::parent);
    if let Some(name) = missing.file_name() {
        for place in above.into_iter().chain(home) {
            let named = folders(place).into_iter().map(|folder| folder.join(name));
            found.extend(named.filter(|path| path.join(".git").exists()));
        }
    }
    let mut seen = Vec::new();
    found.retain(|path| {
        let is_new = path != missing && !seen.contains(path);
        seen.push(path.clone());
        is_new
    });
    found.truncate(MOVES);
    found
}

/// Is there such a branch, as far as files tell? No git is asked for each neighbour.
fn has_branch_file(repository: &Path, branch: &str) -> bool {
    let git = repository.join(".git");
    let packed = || {
        let listed = fs::read_to_string(git.join("packed-refs")).unwrap_or_default();
        let name = format!(" refs/heads/{branch}");
        listed.lines().any(|line| line.ends_with(&name))
    };
    git.join("refs/heads").join(branch).is_file() || packed()
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

/// Where a program is, as a shell would look for it.
pub fn program(name: &str, search_path: Option<&OsStr>, here: Option<&Path>) -> Program {
    let mut refused = None;
    let candidates: Vec<PathBuf> = if name.contains(std::path::MAIN_SEPARATOR) {
        let path = Path::new(name);
        vec![here.map_or_else(|| path.to_owned(), |here| here.join(path))]
    } else {
        let folders = search_path.unwrap_or_default();
        split(folders).map(|folder| folder.join(name)).collect()
    };
    for path in candidates {
        for path in with_extensions(path) {
            match fs::metadata(&path) {
                Ok(found) if found.is_file() && is_executable(&found) => {
                    return Program::Found(path);
                }
                Ok(found) if found.is_file() => refused = Some(path),
                _ => {}
            }
        }
    }
    refused.map_or(Program::Missing, Program::NotExecutable)
}

#[cfg(unix)]
fn split(folders: &OsStr) -> impl Iterator<Item = PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let parts: Vec<PathBuf> = folders
        .as_bytes()
        .split(|b| *b == b':')
        .map(|part| match part {
            b"" => PathBuf::from("."),
            part => PathBuf::from(OsStr::from_bytes(part)),
        })
        .collect();
    parts.into_iter()
}

#[cfg(not(unix))]
fn split(folders: &OsStr) -> impl Iterator<Item = PathBuf> {
    let text = folders.to_string_lossy().into_owned();
    let parts: Vec<PathBuf> = text.split(';').map(PathBuf::from).collect();
    parts.into_iter()
}

#[cfg(unix)]
fn with_extensions(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    std::iter::once(path)
}

#[cfg(not(unix))]
fn with_extensions(path: PathBuf) -> impl Iterator<Item = PathBuf> {
    let names = ["", ".exe", ".cmd", ".bat"].map(|extension| {
        let mut name = path.clone().into_os_string();
        name.push(extension);
        PathBuf::from(name)
    });
    names.into_iter()
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
