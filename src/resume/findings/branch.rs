//! Findings about the branch: a note, or a decision if the person asked for one.

use super::Words;
use crate::resume::finding::{Answer, Choice, Consent, Finding, Topic};
use crate::resume::situation::{BranchPlace, Changes, Git, Head, Repository, is_branch};
use crate::text::sanitize;

impl Words<'_> {
    pub(super) fn branch(&self) -> Option<Finding> {
        let topic = Topic::Branch;
        let (repository, wanted, now) = self.other_branch()?;
        if !self.situation.launch.asks.branch {
            return None;
        }
        let mut lines = vec![format!("{} is on {now}", self.shown(&repository.top))];
        let stay = self.choice(topic, Answer::GoOn, format!("Resume on {now}"));
        let mut choices = vec![stay.with(Consent::None)];
        match &repository.branch {
            BranchPlace::CheckedOutAt(tree) => {
                lines.push(format!("{wanted} is checked out in {}", self.shown(tree)));
                let place = repository.on_branch.clone();
                let label = format!("Resume in {}, on {wanted}", self.shown(&place));
                choices.push(self.choice(topic, Answer::GoTo(place), label));
            }
            BranchPlace::Free if repository.changes == Changes::None => {
                if self.switches_to().is_some() {
                    let mut label = format!("Switch to {wanted} first");
                    let place = self.situation.directory();
                    if place.is_some_and(|place| place.path != repository.on_branch) {
                        let top = self.shown(&repository.top);
                        lines.push(format!("branch {wanted} does not have the directory"));
                        label = format!("{label} and resume in {top}");
                    }
                    choices.push(self.choice(topic, Answer::Switch, label));
                }
            }
            BranchPlace::Free => lines.extend(uncommitted(repository.changes)),
            BranchPlace::NotRecorded
            | BranchPlace::Current
            | BranchPlace::Remote(_)
            | BranchPlace::Gone => return None,
        }
        choices.push(Choice::read_only());
        Some(Finding {
            topic,
            headline: format!("The session was on branch {wanted}"),
            lines,
            choices,
        })
    }

    fn switches_to(&self) -> Option<&str> {
        let branch = self.situation.session.branch.as_deref();
        branch.filter(|name| is_branch(name))
    }

    /// The repository, the session's branch and what is checked out instead.
    fn other_branch(&self) -> Option<(&Repository, String, String)> {
        let repository = self.situation.repository().filter(|_| self.stays())?;
        let wanted = self.situation.session.branch.as_deref()?;
        if matches!(
            repository.branch,
            BranchPlace::NotRecorded | BranchPlace::Current
        ) {
            return None;
        }
        let now = match &repository.head {
            Head::Branch(now) => sanitize(now).into_owned(),
            Head::Detached(commit) => format!("no branch ({})", sanitize(commit)),
        };
        Some((repository, sanitize(wanted).into_owned(), now))
    }

    pub(super) fn branch_note(&self) -> Option<String> {
        let branch = self.situation.session.branch.as_deref();
        // "HEAD" is also written where there is no repository.
        let branch = branch.filter(|name| *name != "HEAD" && self.stays());
        match &self.situation.git {
            Git::NoRepository => {
                let branch = sanitize(branch?);
                return Some(format!(
                    "the session was on branch {branch}; its directory is not in a repository now"
                ));
            }
            Git::Silent(why) => {
                branch?;
                let why = sanitize(why);
                return Some(format!(
                    "git could not be asked ({why}): the branch was not checked"
                ));
            }
            Git::Unknown | Git::Repository(_) => {}
        }
        let (repository, wanted, now) = self.other_branch()?;
        let became = match &repository.branch {
            BranchPlace::Remote(remotes) => {
                let remotes = remotes.join(" and ");
                format!(", which exists only as {}", sanitize(&remotes))
            }
            BranchPlace::Gone => ", which is gone".to_owned(),
            // It was decided.
            _ if self.situation.launch.asks.branch => return None,
            BranchPlace::CheckedOutAt(tree) => {
                format!(", now checked out in {}", self.shown(tree))
            }
            _ => String::new(),
        };
        Some(format!(
            "the session was on branch {wanted}{became}; its directory is on {now}"
        ))
    }
}

/// Why no switch is offered.
pub(super) fn uncommitted(changes: Changes) -> Option<String> {
    match changes {
        Changes::None => None,
        Changes::Files(1) => Some("1 uncommitted file, so no switch is offered".to_owned()),
        Changes::Files(files) => Some(format!(
            "{files} uncommitted files, so no switch is offered"
        )),
        Changes::Unknown => {
            Some("git did not say what is uncommitted, so no switch is offered".to_owned())
        }
    }
}
