//! Findings about the directory: it is gone, it holds something else, or nothing names it.

use std::path::Path;

use super::Words;
use super::branch::uncommitted;
use crate::resume::directory::Why;
use crate::resume::finding::{Answer, Choice, Consent, Finding, Topic};
use crate::resume::situation::{
    BranchPlace, Changes, Gone, GoneTree, Guess, Part, Presence, Shares, is_branch, is_same_remote,
};
use crate::text::sanitize;

const TOPIC: Topic = Topic::Directory;
const NEAREST: &str = "nearest existing directory";
const OTHER_REPOSITORY: &str = "The session's directory holds another repository now";

impl Words<'_> {
    pub(super) fn directory(&self) -> Option<Finding> {
        if let Some((path, presence)) = self.situation.unusable() {
            return Some(self.unusable(&path, &presence));
        }
        match self.situation.directory() {
            Some(place) => self.other_remote(&place.path),
            None => Some(self.not_recorded()),
        }
    }

    fn not_recorded(&self) -> Finding {
        let mut lines = vec!["the transcript names no directory".to_owned()];
        if let Some((_, folder)) = self.situation.session.location.filed() {
            let folder = sanitize(folder);
            lines.push(format!(
                "it is filed under {folder}, which may stand for several"
            ));
        }
        let here = self.situation.launch.here.as_deref();
        let mut choices: Vec<Choice> = here.map(|here| self.here(here)).into_iter().collect();
        choices.push(Choice::ask_path());
        choices.push(Choice::read_only());
        Finding {
            topic: TOPIC,
            headline: "The session's directory is not recorded".to_owned(),
            lines,
            choices: self.narrow_first(choices),
        }
    }

    /// The remote of the repository is not that of the session's pull request.
    fn other_remote(&self, directory: &Path) -> Option<Finding> {
        let wanted = self.situation.session.pr_repository.as_deref()?;
        let remotes = &self.situation.repository()?.remotes;
        if remotes.is_empty() || remotes.iter().any(|one| is_same_remote(one, wanted)) {
            return None;
        }
        let shown = self.shown(directory);
        let (remotes, wanted) = (remotes.join(", "), sanitize(wanted));
        let mut choices = vec![self.choice(TOPIC, Answer::GoOn, format!("Resume in {shown}"))];
        let here = self.situation.launch.here.as_deref();
        choices.extend(
            here.filter(|here| *here != directory)
                .map(|here| self.here(here)),
        );
        choices.push(Choice::ask_path());
        choices.push(Choice::read_only());
        Some(Finding {
            topic: TOPIC,
            headline: OTHER_REPOSITORY.to_owned(),
            lines: vec![
                shown,
                format!(
                    "its remote is {}; the session's pull request is in {wanted}",
                    sanitize(&remotes)
                ),
            ],
            choices,
        })
    }

    fn unusable(&self, path: &Path, presence: &Presence) -> Finding {
        let none = Gone::default();
        let gone = self.situation.gone.as_ref().unwrap_or(&none);
        let headline = match presence {
            Presence::Missing | Presence::Directory => "The session's directory is gone",
            Presence::NotADirectory => "The session's directory is a file now",
            Presence::Closed(_) => "The session's directory cannot be entered",
            Presence::NotAWorktree { .. } => "The session's worktree is gone",
            Presence::OtherRepository => OTHER_REPOSITORY,
        };
        let shown = self.shown(path);
        let mut lines = vec![match presence {
            Presence::Closed(reason) => format!("{shown}: {}", sanitize(reason)),
            Presence::NotAWorktree { is_empty: true } => format!("{shown} is empty"),
            Presence::NotAWorktree { is_empty: false } => {
                format!("{shown} is not a worktree; move it away to recreate the worktree")
            }
            _ => shown,
        }];
        lines.extend(gone.tree.iter().flat_map(|tree| self.tree(path, tree)));
        match &gone.part {
            Some(Part::BySwitch {
                branch, changes, ..
            }) => {
                lines.push(format!("branch {} has it", sanitize(branch)));
                lines.extend(uncommitted(*changes));
            }
            Some(Part::At { branch, .. }) => {
                lines.push(format!("branch {} has it", sanitize(branch)));
            }
            None => {}
        }
        lines.extend(gone.silence.as_deref().map(|why| {
            let why = sanitize(why);
            format!("git could not be asked ({why}): its worktrees and branches are not offered")
        }));
        Finding {
            topic: TOPIC,
            headline: headline.to_owned(),
            lines,
            choices: self.ways_on(path, presence, gone),
        }
    }

    /// The worktree that is gone, and what became of its branch.
    fn tree(&self, path: &Path, tree: &GoneTree) -> Vec<String> {
        let mut line = format!("a worktree of {}", self.shown(&tree.repository));
        if tree.path != path {
            line = format!("in {}, {line}", self.shown(&tree.path));
        }
        line = format!("it was {line}");
        if let Some(branch) = tree.branch.as_deref() {
            let branch = sanitize(branch);
            let became = match &tree.place {
                BranchPlace::Free => Some("still exists".to_owned()),
                BranchPlace::Gone => Some("is gone too".to_owned()),
                BranchPlace::Remote(remotes) => {
                    let remotes = remotes.join(" and ");
                    Some(format!("exists only as {}", sanitize(&remotes)))
                }
                BranchPlace::CheckedOutAt(other) => {
                    Some(format!("is checked out in {}", self.shown(other)))
                }
                BranchPlace::NotRecorded | BranchPlace::Current => None,
            };
            if let Some(became) = became {
                line = format!("{line}; branch {branch} {became}");
            }
        }
        let mut lines = vec![line];
        if let Some(reason) = &tree.lock {
            let reason = match reason.as_str() {
                "" => String::new(),
                reason => format!(" ({})", sanitize(reason)),
            };
            lines.push(format!(
                "git keeps it locked{reason}; to recreate it, run git worktree unlock first"
            ));
        }
        if let Some(source) = tree.source() {
            if let Ok(below) = path.strip_prefix(&tree.path)
                && tree.again != path
            {
                let below = below.to_string_lossy();
                lines.push(format!(
                    "branch {} has no {}",
                    sanitize(source),
                    sanitize(&below)
                ));
            }
            if tree.needs_force {
                lines.push(
                    "git still lists a worktree on the branch: if you moved it, choose its new directory"
                        .to_owned(),
                );
            }
        }
        lines
    }

    /// What can be done without the directory, likeliest first.
    fn ways_on(&self, path: &Path, presence: &Presence, gone: &Gone) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        let tree = gone.tree.as_ref();
        let is_free = matches!(
            presence,
            Presence::Missing | Presence::NotAWorktree { is_empty: true }
        );
        if is_free {
            choices.extend(tree.and_then(|tree| self.recreate(tree)));
            choices.extend(gone.part.as_ref().and_then(|part| self.switch(part)));
        }
        let mut go = Places {
            words: self,
            not: path,
            choices,
        };
        // The worktree is gone; the directory before it is not.
        let before = self.situation.directory();
        let before = before.filter(|place| place.presence == Presence::Directory);
        go.same(
            before.as_ref().map(|place| &*place.path),
            "where it was before",
        );
        go.same(
            tree.and_then(|tree| tree.has_branch.as_deref()),
            "has the branch",
        );
        go.same(
            tree.and_then(|tree| tree.working_tree.as_deref()),
            "same repository, other files",
        );
        if let Some(Part::At { path, .. }) = &gone.part {
            go.same(Some(path), "has the branch");
        }
        for guess in &gone.guesses {
            go.to(Some(&guess.path), guess_words(guess));
        }
        let is_narrow = |path: &&Path| !self.is_broad(path);
        let here = self.situation.launch.here.as_deref();
        // With a worktree of the repository there is a better place than the folder of worktrees.
        let working_tree = tree.and_then(|tree| tree.working_tree.as_ref());
        let nearest = gone.nearest.as_deref().filter(|_| working_tree.is_none());
        let narrow = nearest.filter(is_narrow);
        go.to(narrow.filter(|_| gone.nearest_in_repository), NEAREST);
        // Below these a path is of another machine, or the home of another person.
        let is_own = gone.nearest.as_deref().is_some_and(|path| !is_system(path));
        let is_better = tree.is_some_and(|tree| tree.source().is_some());
        let make = *presence == Presence::Missing && !is_better;
        let make = make.then(|| self.make());
        if is_own {
            go.choices.extend(make.clone());
        }
        for recorded in &self.situation.recorded {
            let is_there = recorded.presence == Presence::Directory;
            let path = is_there.then_some(&*recorded.path);
            go.to(path, "the session was there too");
        }
        go.to(narrow, NEAREST);
        go.to(here, "here");
        go.to(nearest, NEAREST);
        let mut choices = go.choices;
        if matches!(
            presence,
            Presence::NotAWorktree { .. } | Presence::OtherRepository
        ) {
            choices.push(self.resume_in(path, "as it is"));
        }
        choices.push(Choice::ask_path());
        if !is_own {
            choices.extend(make);
        }
        choices.push(Choice::read_only());
        self.narrow_first(choices)
    }

    /// Nobody works in a directory that holds everything: Enter must not lead there.
    fn narrow_first(&self, mut choices: Vec<Choice>) -> Vec<Choice> {
        let is_narrow = |choice: &Choice| match &choice.answer {
            Answer::GoTo(path) => !self.is_broad(path),
            _ => true,
        };
        if let Some(first) = choices.iter().position(is_narrow) {
            choices[..=first].rotate_right(1);
        }
        choices
    }

    fn recreate(&self, tree: &GoneTree) -> Option<Choice> {
        let source = tree.source()?;
        let label = match tree.place {
            BranchPlace::Remote(_) => format!("Recreate the worktree from {}", sanitize(source)),
            _ => "Recreate the worktree".to_owned(),
        };
        Some(self.choice(TOPIC, Answer::Recreate, label))
    }

    fn switch(&self, part: &Part) -> Option<Choice> {
        match part {
            Part::BySwitch {
                branch,
                changes: Changes::None,
                ..
            } if is_branch(branch) => {
                let label = format!("Switch to {} first", sanitize(branch));
                Some(self.choice(TOPIC, Answer::Switch, label))
            }
            Part::BySwitch { .. } | Part::At { .. } => None,
        }
    }

    fn make(&self) -> Choice {
        self.choice(
            TOPIC,
            Answer::MakeDirectory,
            "Make the directory again, empty",
        )
    }

    fn resume_in(&self, directory: &Path, note: &str) -> Choice {
        let answer = Answer::GoTo(directory.to_owned());
        let label = format!("Resume in {} ({note})", self.shown(directory));
        self.choice(TOPIC, answer, label)
    }

    fn here(&self, here: &Path) -> Choice {
        self.resume_in(here, "here")
    }

    /// Whether a directory holds everything of a person, or of a machine.
    fn is_broad(&self, path: &Path) -> bool {
        is_system(path) || self.situation.launch.home.as_deref() == Some(path)
    }

    /// The directory is not the first one that the transcript names, which lists show.
    pub(super) fn directory_note(&self) -> Option<String> {
        let place = self.situation.directory().filter(|_| self.stays())?;
        let named = self.situation.recorded.first()?;
        (named.path != place.path && place.why == Why::Storage).then(|| {
            format!(
                "the transcript names {}, but it is filed under {}, where Claude Code looks for it",
                self.shown(&named.path),
                self.shown(&place.path)
            )
        })
    }
}

/// The directories that are offered, each once.
struct Places<'a> {
    words: &'a Words<'a>,
    not: &'a Path,
    choices: Vec<Choice>,
}

impl Places<'_> {
    fn to(&mut self, path: Option<&Path>, note: &str) {
        let Some(path) = path else { return };
        let is_offered = |choice: &Choice| choice.answer == Answer::GoTo(path.to_owned());
        if path != self.not && !self.choices.iter().any(is_offered) {
            self.choices.push(self.words.resume_in(path, note));
        }
    }

    /// The same repository, or the session's own directory: `--yes` may go there.
    fn same(&mut self, path: Option<&Path>, note: &str) {
        let offered = self.choices.len();
        self.to(path, note);
        for choice in &mut self.choices[offered..] {
            choice.consent = Consent::Yes;
        }
    }
}

/// The root, and the folders of all home directories.
fn is_system(path: &Path) -> bool {
    path.parent().is_none() || ["/home", "/Users"].iter().any(|one| path == Path::new(one))
}

fn guess_words(guess: &Guess) -> &'static str {
    match guess.shares {
        Shares::Repository => "a guess: same name and repository",
        Shares::Remote => "a guess: same name and remote",
    }
}
