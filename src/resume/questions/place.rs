//! Questions about the directory and its branch.

use std::path::Path;

use super::{Answer, Asker, Choice, Gravity, Question, Topic};
use crate::resume::situation::{
    BranchPlace, Ground, Head, Lost, Presence, Repository, Tree, is_branch,
};
use crate::text::sanitize;

impl Asker<'_> {
    pub(super) fn directory(&self) -> Option<Question> {
        match self.situation.missing() {
            Some((path, presence)) => Some(self.missing(path, presence)),
            None => self.another_repository(),
        }
    }

    fn missing(&self, path: &Path, presence: &Presence) -> Question {
        let none = Lost::default();
        let lost = self.situation.lost.as_ref().unwrap_or(&none);
        let shown = self.shown(path);
        let mut lines = Vec::new();
        let headline = match presence {
            Presence::Missing | Presence::Directory => "The directory of this session is gone",
            Presence::NotADirectory => "The directory of this session is a file now",
            Presence::Closed(_) => "The directory of this session cannot be entered",
        };
        match (&lost.repository, presence) {
            (_, Presence::Closed(reason)) => lines.push(format!("{shown}: {}", sanitize(reason))),
            (Some(repository), _) => {
                let branch = match (&repository.branch, &repository.taken_by) {
                    (Some(branch), None) => format!(", branch {} still exists", sanitize(branch)),
                    (Some(branch), Some(tree)) => {
                        format!(
                            ", branch {} is in {} now",
                            sanitize(branch),
                            self.shown(tree)
                        )
                    }
                    (None, _) => String::new(),
                };
                let of = self.shown(
                    repository
                        .working_tree
                        .as_deref()
                        .unwrap_or(&repository.top),
                );
                lines.push(format!("{shown}  (worktree of {of}{branch})"));
            }
            (None, _) => lines.push(shown),
        }
        let (choices, safe) = self.ways_on(path, presence, lost);
        Question {
            topic: Topic::Directory,
            headline: headline.to_owned(),
            lines,
            choices,
            safe,
            can_pass: false,
        }
    }

    /// What can be done without the directory, best first, and the one that harms nothing: a
    /// place that holds the same repository.
    fn ways_on(
        &self,
        path: &Path,
        presence: &Presence,
        lost: &Lost,
    ) -> (Vec<Choice>, Option<Answer>) {
        let topic = Topic::Directory;
        let mut choices: Vec<Choice> = Vec::new();
        let mut safe = None;
        let mut offer = |directory: &Path, note: &str, same: bool| {
            let answer = Answer::GoTo(directory.to_owned());
            if directory == path || choices.iter().any(|choice| choice.answer == answer) {
                return;
            }
            if same && safe.is_none() {
                safe = Some(answer.clone());
            }
            let label = format!("Resume in {}{note}", self.shown(directory));
            choices.push(self.choice(topic, answer, label));
        };
        // Where the rule would go by itself: the worktree is gone, the directory before it is not.
        let by_rule = self.situation.directory();
        if let Some(place) = by_rule.filter(|place| place.presence == Presence::Directory) {
            offer(&place.path, " (where it was before)", true);
        }
        if let Some(repository) = &lost.repository {
            if let Some(tree) = &repository.taken_by {
                offer(tree, " (it has the branch)", true);
            }
            if let Some(tree) = &repository.working_tree {
                offer(
                    tree,
                    " (same repository: Claude will see other files)",
                    true,
                );
            }
        }
        let here = self.situation.launch.here.as_deref();
        if let Some(here) = here.filter(|_| lost.here_is_kin) {
            offer(here, " (here: same repository)", true);
        }
        for place in &lost.moved_to {
            offer(place, " (it may have been moved there)", false);
        }
        for recorded in &self.situation.recorded {
            if recorded.presence == Presence::Directory {
                offer(&recorded.path, " (the session was there, too)", false);
            }
        }
        if let Some(parent) = &lost.parent {
            offer(parent, " (the nearest that is left)", false);
        }
        if let Some(here) = here {
            offer(here, " (here)", false);
        }
        let recreatable = lost.repository.as_ref().is_some_and(|repository| {
            let branch = repository.branch.as_deref();
            branch.is_some_and(is_branch) && repository.taken_by.is_none() && path.is_absolute()
        });
        if recreatable && *presence == Presence::Missing {
            let choice = self.choice(topic, Answer::Recreate, "Recreate the worktree");
            choices.insert(0, choice);
        }
        choices.push(Choice {
            answer: Answer::AskPath,
            label: "Choose a directory".to_owned(),
            shows: "Tab completes".to_owned(),
            gravity: Gravity::Light,
        });
        choices.push(Self::read_only());
        (choices, safe)
    }

    /// The directory is there and holds something else.
    fn another_repository(&self) -> Option<Question> {
        let place = self.situation.directory()?;
        let cause = self.otherness()?;
        let topic = Topic::Directory;
        let shown = self.shown(&place.path);
        let mut choices = vec![self.choice(topic, Answer::GoOn, format!("Resume in {shown}"))];
        let here = self.situation.launch.here.as_deref();
        if let Some(here) = here.filter(|here| *here != place.path) {
            let label = format!("Resume in {} (here)", self.shown(here));
            choices.push(self.choice(topic, Answer::GoTo(here.to_owned()), label));
        }
        choices.push(Choice {
            answer: Answer::AskPath,
            label: "Choose a directory".to_owned(),
            shows: "Tab completes".to_owned(),
            gravity: Gravity::Light,
        });
        choices.push(Self::read_only());
        Some(Question {
            topic,
            headline: "The directory of this session holds another repository now".to_owned(),
            lines: vec![shown, cause],
            choices,
            safe: None,
            can_pass: false,
        })
    }

    /// Why it is another repository; `None` while nothing speaks for that.
    fn otherness(&self) -> Option<String> {
        let subject = &self.situation.subject;
        let repository = match &self.situation.ground {
            Ground::Unknown | Ground::NoRepository => return None,
            Ground::Repository(repository) => repository,
        };
        if let Some(wanted) = &subject.pr_repository
            && !repository.remotes.is_empty()
            && !repository.remotes.iter().any(|one| one.eq_ignore_ascii_case(wanted))
            // A fork of it has another owner and the same name.
            && !repository.remotes.iter().any(|one| name_of(one) == name_of(wanted))
        {
            return Some(format!(
                "its remote is {}; the session made a pull request to {}",
                sanitize(&repository.remotes.join(", ")),
                sanitize(wanted)
            ));
        }
        let is_younger = repository.reaches_back == Some(false);
        if is_younger && repository.session_branch == BranchPlace::Gone {
            return Some(format!(
                "every commit in it is newer than the session, and there is no branch {}",
                sanitize(subject.branch.as_deref().unwrap_or_default())
            ));
        }
        None
    }

    /// Is the directory that will be taken the one that git was asked about?
    fn stays(&self) -> bool {
        matches!(
            self.answers.get(Topic::Directory),
            None | Some(Answer::GoOn)
        )
    }

    pub(super) fn branch(&self) -> Option<Question> {
        let topic = Topic::Branch;
        let (repository, wanted, now) = self.other_branch()?;
        if !self.situation.launch.asks.branch {
            return None;
        }
        let elsewhere = match &repository.session_branch {
            BranchPlace::Free => None,
            BranchPlace::CheckedOutAt(tree) => Some(tree),
            BranchPlace::Gone | BranchPlace::NotRecorded => return None,
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
            (None, Tree::Dirty(files)) => lines.push(format!(
                "{files} {} not committed, so no switch is offered",
                if files == 1 { "file is" } else { "files are" }
            )),
            (None, Tree::Clean) => {}
            (None, Tree::Unknown) => {
                lines.push("git did not say whether anything is uncommitted".to_owned());
            }
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

    pub(super) fn branch_warning(&self) -> Option<String> {
        if self.situation.ground == Ground::NoRepository && self.stays() {
            let branch = self.situation.subject.branch.as_deref()?;
            return Some(format!(
                "the session was on branch {}, and its directory is no repository any more",
                sanitize(branch)
            ));
        }
        let (repository, wanted, now) = self.other_branch()?;
        match repository.session_branch {
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

fn name_of(repository: &str) -> String {
    let name = repository.rsplit('/').next().unwrap_or(repository);
    name.to_ascii_lowercase()
}
