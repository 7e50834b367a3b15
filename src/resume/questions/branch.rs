//! Questions about the branch that is checked out in the directory, and words where git is silent.

use super::{Answer, Asker, Question, Topic};
use crate::resume::quote::printable;
use crate::resume::situation::{BranchPlace, Ground, Head, Repository, Severed, Tree, is_branch};
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
                let answer = Answer::GoTo(tree.clone());
                choices.push(self.choice(topic, answer, format!("Resume in {shown}, on {wanted}")));
            }
            (None, Tree::Clean)
                if self
                    .situation
                    .subject
                    .branch
                    .as_deref()
                    .is_some_and(is_branch) =>
            {
                let label = format!("Switch to {wanted} first");
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
        let (repository, path) = (repository.to_string_lossy(), severed.tree.to_string_lossy());
        let words = ["git", "-C", &*repository, "worktree", "repair", &*path];
        format!(
            "{tree} is a worktree whose repository was moved; this mends it: {}",
            printable(&words.map(str::to_owned))
        )
    }

    pub(super) fn branch_warning(&self) -> Option<String> {
        if self.situation.ground == Ground::NoRepository && self.stays() {
            let branch = self.situation.subject.branch.as_deref()?;
            return Some(format!(
                "the session was on branch {}, and its directory is no repository any more",
                sanitize(branch)
            ));
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
        let (repository, wanted, now) = self.other_branch()?;
        match &repository.session_branch {
            BranchPlace::Remote(remotes) => Some(format!(
                "the session was on branch {wanted}, which is gone, but for {}; this is {now}",
                sanitize(&remotes.join(" and "))
            )),
            BranchPlace::Gone => Some(format!(
                "the session was on branch {wanted}, which is gone; this is {now}"
            )),
            _ if !self.situation.launch.asks.branch => {
                Some(format!("the session was on branch {wanted}; this is {now}"))
            }
            _ => None,
        }
    }
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
