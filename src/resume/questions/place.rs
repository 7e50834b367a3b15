//! Questions about the directory.

use std::path::{Path, PathBuf};

use super::branch::uncommitted;
use super::{Answer, Asker, Choice, Gravity, Question, Topic};
use crate::resume::directory::Why;
use crate::resume::situation::{
    Below, BranchPlace, Clue, Force, Ground, Inferred, Lost, LostBranch, LostRepository, Part,
    PartOf, Past, Presence, Source, Tree, is_branch,
};
use crate::text::sanitize;

/// Does a place hold what the session worked on?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Footing {
    /// The same repository: nobody is harmed who says yes to everything.
    Same,
    Unsure,
}

impl Asker<'_> {
    pub(super) fn directory(&self) -> Option<Question> {
        if let Some((path, presence)) = self.situation.missing() {
            return Some(self.missing(&path, &presence));
        }
        match self.situation.directory() {
            Some(place) => self.another_repository(&place.path),
            None => Some(self.no_directory()),
        }
    }

    /// Nothing says where the session was.
    fn no_directory(&self) -> Question {
        let mut lines = vec!["the transcript names no directory".to_owned()];
        if let Some((_, folder)) = self.situation.subject.home.filed() {
            lines.push(format!(
                "it is filed under {}, which does not tell which directory that was",
                sanitize(folder)
            ));
        }
        let mut choices = Vec::new();
        if let Inferred::Several(places) = &self.situation.inferred {
            let it_fits = |place: &PathBuf| self.resume_in(place, " (it may have been there)");
            choices.extend(places.iter().map(it_fits));
        }
        if let Some(here) = self.situation.launch.here.as_deref() {
            choices.push(self.resume_in(here, " (here)"));
        }
        choices.push(Self::ask_path());
        choices.push(Self::read_only());
        Question {
            topic: Topic::Directory,
            headline: "Where this session ran is not recorded".to_owned(),
            lines,
            choices,
            safe: None,
            can_pass: false,
        }
    }

    fn missing(&self, path: &Path, presence: &Presence) -> Question {
        let none = Lost::default();
        let lost = self.situation.lost.as_ref().unwrap_or(&none);
        let headline = match presence {
            Presence::Missing | Presence::Directory => "The directory of this session is gone",
            Presence::Emptied => "The directory of this session is empty now",
            Presence::NotADirectory => "The directory of this session is a file now",
            Presence::Closed(_) => "The directory of this session cannot be entered",
        };
        let shown = self.shown(path);
        let mut lines = match (&lost.repository, presence) {
            (_, Presence::Closed(reason)) => vec![format!("{shown}: {}", sanitize(reason))],
            (Some(repository), _) => self.lost_tree(path, repository),
            (None, Presence::Missing) => match &lost.part {
                Some(part) => self.lost_part(&shown, part),
                None => vec![shown],
            },
            (None, _) => vec![shown],
        };
        lines.extend(lost.silence.as_deref().map(|why| {
            format!(
                "git could not be asked ({}): what it knows of it is not offered",
                sanitize(why)
            )
        }));
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

    /// Which working tree was lost, and how anybody knows.
    fn lost_tree(&self, path: &Path, repository: &LostRepository) -> Vec<String> {
        let branch = match &repository.branch {
            LostBranch::Unknown => String::new(),
            LostBranch::Gone(name) => format!(", branch {} is gone, too", sanitize(name)),
            LostBranch::Remote(name, remotes) => {
                let remotes = remotes.join(" and ");
                let (name, remotes) = (sanitize(name), sanitize(&remotes));
                format!(", branch {name} is gone, but for {remotes}")
            }
            LostBranch::Free(name) => format!(", branch {} still exists", sanitize(name)),
            LostBranch::TakenBy(name, tree) => {
                let tree = self.shown(tree);
                format!(", branch {} is in {tree} now", sanitize(name))
            }
        };
        let working_tree = repository.working_tree.as_deref();
        let of = self.shown(working_tree.unwrap_or(&repository.top));
        let shown = self.shown(path);
        let tree = self.shown(&repository.tree);
        let (one_of, inside_one_of) = if repository.clue.is_certain() {
            ("worktree of", "a worktree of")
        } else {
            ("probably a worktree of", "probably a worktree of")
        };
        let mut lines = vec![match &repository.below {
            Below::Nothing => format!("{shown}  ({one_of} {of}{branch})"),
            Below::There(_) | Below::NotThere(_) => {
                format!("{shown}  (in {tree}, {inside_one_of} {of}{branch})")
            }
        }];
        let clue = match repository.clue {
            Clue::Said | Clue::Listed => None,
            Clue::Inside | Clue::Enclosed => Some("it lay where that repository keeps worktrees"),
            Clue::Beside => Some("other worktrees lie beside it, and the branch is there"),
            Clue::Named => Some("its name and its branch point there"),
        };
        lines.extend(clue.map(|clue| format!("git does not know it any more: {clue}")));
        if repository.force == Force::Twice {
            lines.push("git keeps it locked: it may be on a disk that is not there now".to_owned());
        }
        if let (Below::NotThere(below), Some(source)) = (&repository.below, repository.source()) {
            let below = sanitize(&below.to_string_lossy()).into_owned();
            let branch = sanitize(source.commit());
            lines.push(format!("branch {branch} has no {below}"));
        }
        lines
    }

    /// A directory that its repository could bring back.
    fn lost_part(&self, shown: &str, part: &Part) -> Vec<String> {
        let top = self.shown(&part.top);
        let brings_back = |words: &[&str]| format!("this brings it back: {}", part.command(words));
        match &part.of {
            PartOf::Branch(name, tree) => {
                let has_it = format!("{shown}  (branch {} of {top} has it)", sanitize(name));
                let lines = [Some(has_it), uncommitted(*tree)];
                lines.into_iter().flatten().collect()
            }
            PartOf::BranchAt(name, _) => {
                vec![format!(
                    "{shown}  (branch {} of {top} has it)",
                    sanitize(name)
                )]
            }
            PartOf::Deleted => vec![
                format!("{shown}  (deleted from {top}, and committed there)"),
                brings_back(&["restore", "--source=HEAD"]),
            ],
            PartOf::Submodule => vec![
                format!("{shown}  (a submodule of {top})"),
                brings_back(&["submodule", "update", "--init"]),
            ],
        }
    }

    fn resume_in(&self, directory: &Path, note: &str) -> Choice {
        let answer = Answer::GoTo(directory.to_owned());
        let label = format!("Resume in {}{note}", self.shown(directory));
        self.choice(Topic::Directory, answer, label)
    }

    fn ask_path() -> Choice {
        Choice {
            answer: Answer::AskPath,
            label: "Choose a directory".to_owned(),
            shows: "Tab completes".to_owned(),
            gravity: Gravity::Light,
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
        let mut choices: Vec<Choice> = Vec::new();
        let mut safe = None;
        let mut offer = |directory: &Path, note: &str, footing: Footing| {
            let answer = Answer::GoTo(directory.to_owned());
            if directory == path || choices.iter().any(|choice| choice.answer == answer) {
                return;
            }
            if footing == Footing::Same && safe.is_none() {
                safe = Some(answer);
            }
            choices.push(self.resume_in(directory, note));
        };
        // Where the rule would go by itself: the worktree is gone, the directory before it is not.
        let by_rule = self.situation.directory();
        if let Some(place) = by_rule.filter(|place| place.presence == Presence::Directory) {
            offer(&place.path, " (where it was before)", Footing::Same);
        }
        let here = self.situation.launch.here.as_deref();
        if let Some(repository) = &lost.repository {
            let (footing, same, main) = if repository.clue.is_certain() {
                let main = " (same repository: Claude will see other files)";
                (Footing::Same, "same repository", main)
            } else {
                let main = " (probably its repository)";
                (Footing::Unsure, "probably its repository", main)
            };
            if let LostBranch::TakenBy(_, tree) = &repository.branch {
                let place = repository.place_in(tree);
                offer(&place, " (it has the branch)", footing);
            }
            if let Some(tree) = &repository.working_tree {
                offer(&repository.place_in(tree), main, footing);
            }
            if let Some(here) = here.filter(|_| repository.has_here) {
                offer(here, &format!(" (here: {same})"), footing);
            }
        }
        let part = lost.part.as_ref().map(|part| &part.of);
        if let Some(PartOf::BranchAt(_, place)) = part {
            offer(place, " (it has the branch)", Footing::Same);
        }
        let parent = lost.parent.as_deref();
        let nearest = " (the nearest that is left)";
        if let Some(parent) = parent.filter(|_| lost.parent_is_its) {
            offer(parent, nearest, Footing::Unsure);
        }
        for place in &lost.moved_to {
            offer(place, " (it may have been moved there)", Footing::Unsure);
        }
        for recorded in &self.situation.recorded {
            if recorded.presence == Presence::Directory {
                let note = " (the session was there, too)";
                offer(&recorded.path, note, Footing::Unsure);
            }
        }
        if let Some(parent) = parent {
            offer(parent, nearest, Footing::Unsure);
        }
        for place in &lost.same_branch {
            let note = " (it has a branch of that name)";
            offer(place, note, Footing::Unsure);
        }
        if let Some(here) = here {
            offer(here, " (here)", Footing::Unsure);
        }
        // Where something else stands now, nothing can be made.
        if matches!(presence, Presence::Missing | Presence::Emptied) {
            let tree = lost.repository.as_ref();
            let source = tree.and_then(|tree| Some((tree, tree.source()?)));
            if let Some((tree, source)) = source {
                let label = match source {
                    Source::Branch(_) => "Recreate the worktree".to_owned(),
                    Source::Remote { remote, .. } => {
                        format!("Recreate the worktree from {}", sanitize(remote))
                    }
                };
                let choice = self.choice(Topic::Directory, Answer::Recreate, &*label);
                match tree.force {
                    Force::No | Force::Once => choices.insert(0, choice),
                    // Somebody locked it lest git forget it.
                    Force::Twice => choices.push(Choice {
                        label: format!("{label} although it is locked"),
                        gravity: Gravity::Heavy,
                        ..choice
                    }),
                }
            }
            if let Some(PartOf::Branch(name, Tree::Clean)) = part
                && is_branch(name)
            {
                let label = format!("Switch to {} first", sanitize(name));
                let choice = self.choice(Topic::Directory, Answer::Switch, label);
                choices.insert(0, choice);
            }
        }
        if *presence == Presence::Emptied {
            choices.push(self.resume_in(path, " (as it is)"));
        }
        choices.push(Self::ask_path());
        choices.push(Self::read_only());
        (choices, safe)
    }

    /// The directory is there and holds something else.
    fn another_repository(&self, directory: &Path) -> Option<Question> {
        let cause = self.otherness()?;
        let topic = Topic::Directory;
        let shown = self.shown(directory);
        let mut choices = vec![self.choice(topic, Answer::GoOn, format!("Resume in {shown}"))];
        let here = self.situation.launch.here.as_deref();
        if let Some(here) = here.filter(|here| *here != directory) {
            choices.push(self.resume_in(here, " (here)"));
        }
        choices.push(Self::ask_path());
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
            Ground::Unknown | Ground::Silent(_) | Ground::NoRepository | Ground::Severed(_) => {
                return None;
            }
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
        if repository.past == Past::Possible {
            return None;
        }
        let branch = match (&repository.session_branch, &subject.branch) {
            (BranchPlace::Gone, Some(branch)) => {
                format!(", and it has no branch {}", sanitize(branch))
            }
            _ => String::new(),
        };
        Some(format!(
            "it was made after the session was left, and so were all of its commits{branch}"
        ))
    }

    /// A directory that only a name speaks for, or that is not the one which lists show.
    pub(super) fn directory_warning(&self) -> Option<String> {
        let place = self.situation.directory().filter(|_| self.stays())?;
        let listed = self.situation.recorded.first();
        if let Some(listed) = listed.filter(|one| one.path != place.path)
            && place.why == Why::Storage
        {
            return Some(format!(
                "the transcript puts the session in {}; it is filed under {}, and Claude Code looks for it there",
                self.shown(&listed.path),
                self.shown(&place.path)
            ));
        }
        (place.why == Why::Name).then(|| {
            let shown = self.shown(&place.path);
            format!("{shown}: {}", place.why.words())
        })
    }

    /// Is the directory that will be taken the one that git was asked about?
    pub(super) fn stays(&self) -> bool {
        matches!(
            self.answers.get(Topic::Directory),
            None | Some(Answer::GoOn)
        )
    }
}

fn name_of(repository: &str) -> String {
    let name = repository.rsplit('/').next().unwrap_or(repository);
    name.to_ascii_lowercase()
}
