//! Findings about the branch: a note, or a decision if the configuration asks for one.

use super::FindingBuilder;
use crate::resume::finding::{Answer, Choice, Consent, Finding};
use crate::resume::situation::{BranchPlace, GitState, Repository, is_branch};
use crate::text::sanitize;

impl FindingBuilder<'_> {
    pub(super) fn branch(&self) -> Option<Finding> {
        let (repository, wanted) = self.other_branch()?;
        if !self.situation.launch.asks.branch {
            return None;
        }
        let (name, now) = (sanitize(wanted), sanitize(&repository.head));
        let top = self.shown(&repository.top);
        let mut lines = vec![format!("{top} is on {now}")];
        let stay = self.choice(Answer::GoOn, format!("Resume on {now}"));
        let mut choices = vec![stay.with(Consent::None)];
        match &repository.branch {
            BranchPlace::CheckedOutAt(place) => {
                let shown = self.shown(place);
                lines.push(format!("{name} is checked out in {shown}"));
                let label = format!("Resume in {shown}, on {name}");
                choices.push(self.choice(Answer::GoTo(place.clone()), label));
            }
            BranchPlace::Free if repository.uncommitted == Some(0) && is_branch(wanted) => {
                let mut label = format!("Switch to {name} first");
                let place = self.situation.directory();
                if place.is_some_and(|(place, _)| place.path != repository.on_branch) {
                    lines.push(format!("the directory does not exist on branch {name}"));
                    label = format!("{label} and resume in {top}");
                }
                choices.push(self.choice(Answer::Switch, label));
            }
            BranchPlace::Free => lines.extend(no_switch(repository.uncommitted)),
            _ => return None,
        }
        choices.push(Choice::read_only());
        let headline = format!("The session was on branch {name}");
        Some(self.finding(&headline, lines, choices))
    }

    /// The repository and the session's branch, if another one is checked out.
    fn other_branch(&self) -> Option<(&Repository, &str)> {
        let repository = self.situation.repository().filter(|_| self.stays())?;
        let wanted = self.situation.session.branch.as_deref()?;
        match repository.branch {
            BranchPlace::NotRecorded | BranchPlace::Current => None,
            _ => Some((repository, wanted)),
        }
    }

    pub(super) fn branch_note(&self) -> Option<String> {
        let branch = self.situation.session.branch.as_deref();
        // "HEAD" is also written where there is no repository.
        let branch = branch.filter(|name| *name != "HEAD" && self.stays())?;
        let name = sanitize(branch);
        let repository = match &self.situation.git {
            GitState::NoRepository => {
                return Some(format!(
                    "the session was on branch {name}; its directory is not in a repository now"
                ));
            }
            GitState::Silent(why) => {
                return Some(format!(
                    "git failed ({}): the branch was not checked",
                    sanitize(why)
                ));
            }
            GitState::Unknown | GitState::Repository(_) => self.other_branch()?.0,
        };
        let became = match &repository.branch {
            BranchPlace::Free | BranchPlace::CheckedOutAt(_)
                if self.situation.launch.asks.branch =>
            {
                // It was decided.
                return None;
            }
            BranchPlace::Free => String::new(),
            place => format!(", which {}", self.became(place)?),
        };
        let now = sanitize(&repository.head);
        Some(format!(
            "the session was on branch {name}{became}; its directory is on {now}"
        ))
    }

    /// What became of a branch.
    pub(super) fn became(&self, place: &BranchPlace) -> Option<String> {
        let text = match place {
            BranchPlace::Free => "still exists".to_owned(),
            BranchPlace::Gone => "is gone".to_owned(),
            BranchPlace::Remote(remotes) => format!("exists only as {}", remotes.join(" and ")),
            BranchPlace::CheckedOutAt(place) => format!("is checked out in {}", self.shown(place)),
            BranchPlace::NotRecorded | BranchPlace::Current => return None,
        };
        Some(sanitize(&text).into_owned())
    }
}

/// Why no switch is offered.
pub(super) fn no_switch(uncommitted: Option<usize>) -> Option<String> {
    match uncommitted {
        Some(0) => None,
        Some(1) => Some("1 uncommitted file: commit or stash it to switch".to_owned()),
        Some(files) => Some(format!(
            "{files} uncommitted files: commit or stash them to switch"
        )),
        None => Some("uncommitted files could not be checked, so no switch is offered".to_owned()),
    }
}
