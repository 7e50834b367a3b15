//! Findings about the directory: it is gone, it holds something else, or nothing names it.

use std::path::Path;

use super::FindingBuilder;
use super::branch::no_switch;
use crate::resume::finding::{Answer, Choice, Consent, Finding};
use crate::resume::situation::{
    BranchDirectory, BranchPlace, Gone, GoneTree, Presence, Recorded, is_branch, is_same_remote,
};
use crate::text::sanitize;

const OTHER_REPOSITORY: &str = "The session's directory holds another repository now";

impl FindingBuilder<'_> {
    pub(super) fn directory(&self) -> Option<Finding> {
        if let Some(lost) = self.situation.unusable() {
            return Some(self.unusable(lost));
        }
        match self.situation.directory() {
            Some((place, _)) => self.other_remote(&place.path),
            None => Some(self.not_recorded()),
        }
    }

    fn not_recorded(&self) -> Finding {
        let mut lines = vec!["the transcript names no directory".to_owned()];
        if let Some((_, folder)) = self.situation.session.location.filed() {
            let folder = sanitize(folder);
            lines.push(format!(
                "its project folder, {folder}, can belong to several directories"
            ));
        }
        let mut choices = Vec::from_iter(self.here());
        choices.extend([Choice::ask_path(), Choice::read_only()]);
        let headline = "The session's directory is not recorded";
        self.finding(headline, lines, self.narrow_first(choices))
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
        let remotes = format!(
            "its remote is {}; the session's pull request is in {wanted}",
            sanitize(&remotes)
        );
        let mut choices = vec![self.choice(Answer::GoOn, format!("Resume in {shown}"))];
        let here = self.here();
        choices.extend(here.filter(|here| here.answer != Answer::GoTo(directory.to_owned())));
        choices.extend([Choice::ask_path(), Choice::read_only()]);
        Some(self.finding(OTHER_REPOSITORY, vec![shown, remotes], choices))
    }

    fn unusable(&self, lost: &Recorded) -> Finding {
        let none = Gone::default();
        let gone = self.situation.gone.as_ref().unwrap_or(&none);
        let path = self.shown(&lost.path);
        let (headline, line) = match &lost.presence {
            Presence::Missing | Presence::Directory => ("The session's directory is gone", path),
            Presence::NotADirectory => ("The session's directory is a file now", path),
            Presence::Closed(reason) => (
                "The session's directory cannot be entered",
                format!("{path}: {}", sanitize(reason)),
            ),
            Presence::NotAWorktree { is_empty: true } => {
                ("The session's worktree is gone", format!("{path} is empty"))
            }
            Presence::NotAWorktree { is_empty: false } => (
                "The session's worktree is gone",
                format!("{path} is not a worktree; move it away to recreate the worktree"),
            ),
            Presence::OtherRepository => (OTHER_REPOSITORY, path),
        };
        let mut lines = vec![line];
        if let Some(tree) = &gone.tree {
            lines.extend(self.about_tree(&lost.path, tree));
        }
        if let Some(found) = &gone.on_branch {
            let branch = sanitize(&found.branch);
            lines.push(format!("the directory exists on branch {branch}"));
            if found.elsewhere.is_none() {
                lines.extend(no_switch(found.uncommitted));
            }
        }
        lines.extend(gone.silence.as_deref().map(|why| {
            let why = sanitize(why);
            format!("git failed ({why}): worktrees and branches are not offered")
        }));
        self.finding(headline, lines, self.ways_on(lost, gone))
    }

    /// The worktree that is gone, and what became of its branch.
    fn about_tree(&self, lost: &Path, tree: &GoneTree) -> Vec<String> {
        let inside = if tree.path == lost {
            String::new()
        } else {
            format!("in {}, ", self.shown(&tree.path))
        };
        let repository = self.shown(&tree.repository);
        let mut line = format!("it was {inside}a worktree of {repository}");
        if let (Some(branch), Some(became)) = (&tree.branch, self.became(&tree.place)) {
            let branch = sanitize(branch);
            line = format!("{line}; branch {branch} {became}");
        }
        let mut lines = vec![line];
        if let Some(reason) = &tree.lock {
            let locked = match reason.as_str() {
                "" => "git has it locked".to_owned(),
                reason => format!("git has it locked ({})", sanitize(reason)),
            };
            lines.push(format!(
                "{locked}. To recreate it, first run git worktree unlock"
            ));
        }
        let Some(source) = tree.source() else {
            return lines;
        };
        if let Ok(below) = lost.strip_prefix(&tree.path)
            && tree.again != lost
        {
            let line = format!("branch {source} has no {}", below.display());
            lines.push(sanitize(&line).into_owned());
        }
        if tree.needs_force {
            let line = "git still lists a worktree on the branch: if you moved it, choose its new directory";
            lines.push(line.to_owned());
        }
        lines
    }

    /// What can be done without the directory, likeliest first.
    fn ways_on(&self, lost: &Recorded, gone: &Gone) -> Vec<Choice> {
        let tree = gone.tree.as_ref();
        let on_branch = gone.on_branch.as_ref();
        let is_missing = lost.presence == Presence::Missing;
        let is_free = is_missing || lost.presence == Presence::NotAWorktree { is_empty: true };
        let mut choices = Vec::new();
        if is_free {
            choices.extend(tree.and_then(|tree| self.recreate(tree)));
            choices.extend(on_branch.and_then(|found| self.switch(found)));
        }
        // The worktree is gone; the directory before it may not be.
        let before = self.situation.directory();
        let before = before.filter(|(place, _)| place.is_usable());
        let has_branch = match tree.map(|tree| &tree.place) {
            Some(BranchPlace::CheckedOutAt(path)) => Some(path),
            _ => on_branch.and_then(|found| found.elsewhere.as_ref()),
        };
        let working_tree = tree.and_then(|tree| tree.working_tree.as_ref());
        // The session's own directory, or the same repository: `--yes` may go there.
        for (path, note) in [
            (
                before.map(|(place, _)| &place.path),
                "the session's previous directory",
            ),
            (has_branch, "the branch is checked out there"),
            (working_tree, "same repository, other files"),
        ] {
            let choice = path.map(|path| self.resume_in(path, note).with(Consent::Yes));
            choices.extend(choice);
        }
        for guess in &gone.guesses {
            let note = format!("a guess: same name and {}", guess.shares);
            choices.push(self.resume_in(&guess.path, &note));
        }
        // With a worktree of the repository there is a better place than the folder of worktrees.
        let nearest = gone.nearest.as_deref().filter(|_| working_tree.is_none());
        let nearest = nearest.map(|path| self.resume_in(path, "nearest existing directory"));
        choices.extend(nearest.clone().filter(|_| gone.nearest_in_repository));
        let is_better = tree.is_some_and(|tree| tree.source().is_some());
        let make = (is_missing && !is_better)
            .then(|| self.choice(Answer::MakeDirectory, "Create the directory again (empty)"));
        // Below these a path is of another machine, or in another home directory.
        let is_own = gone.nearest.as_deref().is_some_and(|path| !is_system(path));
        choices.extend(make.clone().filter(|_| is_own));
        let others = self.situation.recorded.iter().filter(|one| one.is_usable());
        choices.extend(others.map(|one| self.resume_in(&one.path, "also used by the session")));
        choices.extend(nearest);
        choices.extend(self.here());
        let mut choices = each_once(choices);
        choices.retain(|choice| match &choice.answer {
            Answer::GoTo(path) => *path != lost.path && !self.is_above_home(path),
            _ => true,
        });
        if matches!(
            lost.presence,
            Presence::NotAWorktree { .. } | Presence::OtherRepository
        ) {
            choices.push(self.resume_in(&lost.path, "as it is"));
        }
        choices.push(Choice::ask_path());
        choices.extend(make.filter(|_| !is_own));
        choices.push(Choice::read_only());
        self.narrow_first(choices)
    }

    /// Enter must not lead to a directory that holds everything.
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
        let source = sanitize(tree.source()?);
        let label = match tree.place {
            BranchPlace::Remote(_) => format!("Recreate the worktree from {source}"),
            _ => "Recreate the worktree".to_owned(),
        };
        Some(self.choice(Answer::Recreate, label))
    }

    fn switch(&self, found: &BranchDirectory) -> Option<Choice> {
        let is_safe = found.uncommitted == Some(0) && is_branch(&found.branch);
        let label = format!("Switch to {} first", sanitize(&found.branch));
        (is_safe && found.elsewhere.is_none()).then(|| self.choice(Answer::Switch, label))
    }

    fn resume_in(&self, directory: &Path, note: &str) -> Choice {
        let label = format!("Resume in {} ({note})", self.shown(directory));
        self.choice(Answer::GoTo(directory.to_owned()), label)
    }

    fn here(&self) -> Option<Choice> {
        let here = self.situation.launch.here.as_deref();
        let here = here.filter(|here| !self.is_above_home(here));
        here.map(|here| self.resume_in(here, "here"))
    }

    /// Whether a directory holds everything of a user, or of a machine.
    fn is_broad(&self, path: &Path) -> bool {
        let home = self.situation.launch.home.as_deref();
        let is_home = |home| path == home || self.situation.real(path) == self.situation.real(home);
        self.is_above_home(path) || home.is_some_and(is_home)
    }

    /// Whether a directory is above a home directory: no session belongs there, and Claude Code
    /// would look at all that is below. Either of them may be a link.
    fn is_above_home(&self, path: &Path) -> bool {
        let real = |path| self.situation.real(path);
        let is_above = |path: &Path, home: &Path| home != path && home.starts_with(path);
        let holds = |home| is_above(path, home) || is_above(real(path), real(home));
        let home = self.situation.launch.home.as_deref();
        is_system(path) || is_system(real(path)) || home.is_some_and(holds)
    }

    /// The directory is not the first one that the transcript names, which lists show.
    pub(super) fn directory_note(&self) -> Option<String> {
        let (place, _) = self.situation.directory().filter(|_| self.stays())?;
        let named = self.situation.recorded.first()?;
        let worktree = self.situation.worktree.as_ref();
        let is_worktree = worktree.is_some_and(|tree| tree.place.path == place.path);
        (named.path != place.path && !is_worktree).then(|| {
            let (named, own) = (self.shown(&named.path), self.shown(&place.path));
            format!(
                "the transcript names {named}, but its file belongs to {own}. Claude Code looks in {own}"
            )
        })
    }
}

/// The first choice for each directory.
fn each_once(choices: Vec<Choice>) -> Vec<Choice> {
    let mut unique: Vec<Choice> = Vec::new();
    for choice in choices {
        if !unique.iter().any(|known| known.answer == choice.answer) {
            unique.push(choice);
        }
    }
    unique
}

/// The root, and the folders of all home directories.
fn is_system(path: &Path) -> bool {
    path.parent().is_none() || ["/home", "/Users"].iter().any(|one| path == Path::new(one))
}
