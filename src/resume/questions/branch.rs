//! Questions about the branch that is checked out in the directory, and words where git is silent.

use std::path::Path;

use super::{Answer, Asker, Question, Topic};
use crate::resume::quote::printable;
use crate::resume::situation::{
    Below, BranchPlace, Cut, Ground, Head, LostBranch, LostRepository, Past, Repository, Severed,
    Tree, is_branch,
};
use crate::text::sanitize;

impl Asker<'_> {
    pub(super) fn branch(&self) -> Option<Question> {
        let topic = Topic::Branch;
        let (repository, wanted, now) = self.other_branch()?;
        if !self.situation.launch.asks.branch {
            return None;
        }
        let elsewhere = match &repository.session_branch {
            BranchPlace::Free => None,
            BranchPlace::CheckedOutAt(tree) => Some(tree),
            BranchPlace::Gone | BranchPlace::Remote(_) | BranchPlace::NotRecorded => return None,
        };
        let mut lines = vec![format!("{} is on {now}", self.shown(&repository.top))];
        let stay = format!("Resume on {now}");
        let mut choices = Vec::new();
        match (elsewhere, repository.tree) {
            (Some(tree), _) => {
                let shown = self.shown(tree);
                lines.push(format!("{wanted} is checked out in {shown}"));
                let place = repository.place_in(tree);
                let label = format!("Resume in {}, on {wanted}", self.shown(&place));
                choices.push(self.choice(topic, Answer::GoTo(place), label));
            }
            (None, Tree::Clean)
                if self
                    .situation
                    .subject
                    .branch
                    .as_deref()
                    .is_some_and(is_branch) =>
            {
                let mut label = format!("Switch to {wanted} first");
                if let Below::NotThere(below) = &repository.below {
                    let below = sanitize(&below.to_string_lossy()).into_owned();
                    lines.push(format!("branch {wanted} has no {below}"));
                    label = format!("{label} and resume in {}", self.shown(&repository.top));
                }
                choices.push(self.choice(topic, Answer::Switch, label));
            }
            (None, tree) => lines.extend(uncommitted(tree)),
        }
        choices.insert(0, self.choice(topic, Answer::GoOn, stay));
        choices.push(Self::read_only());
        Some(Question {
            topic,
            headline: format!("The session was on branch {wanted}"),
            lines,
            choices,
            safe: Some(Answer::GoOn),
            can_pass: true,
        })
    }

    /// The repository, the session's branch and what is checked out instead.
    fn other_branch(&self) -> Option<(&Repository, String, String)> {
        let repository = self.situation.repository().filter(|_| self.stays())?;
        let wanted = self.situation.subject.branch.as_deref()?;
        if repository.session_branch == BranchPlace::NotRecorded {
            return None;
        }
        let now = match &repository.head {
            Head::Branch(now) if now == wanted => return None,
            Head::Branch(now) => sanitize(now).into_owned(),
            Head::Detached(commit) => format!("no branch ({})", sanitize(commit)),
        };
        Some((repository, sanitize(wanted).into_owned(), now))
    }

    /// A working tree that git does not take for one any more.
    fn severed(&self, severed: &Severed) -> String {
        let tree = self.shown(&severed.tree);
        let Some(repository) = &severed.repository else {
            return format!("{tree} is a worktree whose repository is gone, or was moved");
        };
        match severed.cut {
            Cut::Moved => format!(
                "{tree} is a worktree whose repository was moved; this mends it: {}",
                repair(repository, Some(&severed.tree))
            ),
            // Given the tree itself, git looks for the very file that is missing.
            Cut::Unlinked => format!(
                "{tree} is a worktree whose .git file is gone; this mends it: {}",
                repair(repository, None)
            ),
        }
    }

    /// The repository that this directory seems to have been a worktree of, and has the branch.
    fn other_with_branch(&self) -> Option<&LostRepository> {
        let lost = self.situation.lost.as_ref()?.repository.as_ref()?;
        let has_it = matches!(lost.branch, LostBranch::Free(_) | LostBranch::TakenBy(..));
        has_it.then_some(lost)
    }

    /// What is said where a directory that had a repository has none.
    fn no_repository(&self) -> Option<String> {
        let branch = self.situation.subject.branch.as_deref();
        let branch = branch.filter(|branch| *branch != "HEAD")?;
        let mut said = format!(
            "the session was on branch {}, and its directory is no repository any more",
            sanitize(branch)
        );
        if let Some(other) = self.other_with_branch() {
            let top = self.shown(&other.top);
            said = format!("{said}: it was probably a worktree of {top}, which has the branch");
        }
        Some(said)
    }

    pub(super) fn branch_warning(&self) -> Option<String> {
        if self.situation.ground == Ground::NoRepository && self.stays() {
            return self.no_repository();
        }
        if let (Ground::Severed(severed), true) = (&self.situation.ground, self.stays()) {
            return Some(self.severed(severed));
        }
        if let (Ground::Silent(why), true) = (&self.situation.ground, self.stays()) {
            self.situation.subject.branch.as_ref()?;
            return Some(format!(
                "git could not be asked ({}): branch and changes were not checked",
                sanitize(why)
            ));
        }
        let anew = self.begun_anew();
        let Some((repository, wanted, now)) = self.other_branch() else {
            return anew;
        };
        match &repository.session_branch {
            BranchPlace::Remote(remotes) => Some(format!(
                "the session was on branch {wanted}, which is gone, but for {}; this is {now}",
                sanitize(&remotes.join(" and "))
            )),
            BranchPlace::Gone if anew.is_some() => {
                anew.map(|anew| format!("{anew}, and has no branch {wanted}; this is {now}"))
            }
            BranchPlace::Gone => Some(match self.other_with_branch() {
                Some(other) => format!(
                    "the session was on branch {wanted}, which this repository does not have, and {} has; this is {now}",
                    self.shown(&other.top)
                ),
                None => {
                    format!("the session was on branch {wanted}, which is gone; this is {now}")
                }
            }),
            _ if !self.situation.launch.asks.branch => {
                Some(format!("the session was on branch {wanted}; this is {now}"))
            }
            _ => anew,
        }
    }

    /// A repository without a past, in a directory that has one.
    fn begun_anew(&self) -> Option<String> {
        let repository = self.situation.repository().filter(|_| self.stays())?;
        (repository.past == Past::Anew).then(|| {
            let top = self.shown(&repository.top);
            format!("the repository in {top} was begun after the session was left")
        })
    }
}

/// The command that brings a working tree and its repository together again.
pub(super) fn repair(repository: &Path, tree: Option<&Path>) -> String {
    let repository = repository.to_string_lossy();
    let tree = tree.map(Path::to_string_lossy);
    let words = ["git", "-C", &*repository, "worktree", "repair"];
    let words = words.into_iter().chain(tree.as_deref());
    printable(&words.map(str::to_owned).collect::<Vec<_>>())
}

/// Why no switch is offered.
pub(super) fn uncommitted(tree: Tree) -> Option<String> {
    match tree {
        Tree::Clean => None,
        Tree::Dirty(files) => Some(format!(
            "{files} {} not committed, so no switch is offered",
            if files == 1 { "file is" } else { "files are" }
        )),
        Tree::Unknown => Some("git did not say whether anything is uncommitted".to_owned()),
    }
}
