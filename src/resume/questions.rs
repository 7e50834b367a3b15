//! What a person has to decide before a session is resumed, one question at a time.
//!
//! Pure. Where nothing needs a decision there is no question, and Enter is Enter. Every choice
//! shows the exact command that it leads to: the plan that its answer gives. What is worth a word
//! and no decision becomes a warning of the plan.

mod branch;
mod caution;
mod place;
mod program;

pub use program::no_program;

use std::path::{Path, PathBuf};

use super::launch::Wish;
use super::plan::{Plan, Warning};
use super::situation::{Home, Situation};
use crate::paths::tilde;
use crate::store::Status;
use crate::text::sanitize;

/// What a question is about, in the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Program,
    Outside,
    /// Before whatever shows a command that runs there.
    Directory,
    Running,
    Branch,
    Child,
    Caution,
    /// Only ever a warning.
    Copies,
}

impl Topic {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Outside => "outside",
            Self::Running => "running",
            Self::Directory => "directory",
            Self::Branch => "branch",
            Self::Child => "child-session",
            Self::Caution => "caution",
            Self::Copies => "copies",
        }
    }
}

/// What can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// As planned.
    GoOn,
    /// Make the worktree again, from its branch.
    Recreate,
    /// Resume in this directory.
    GoTo(PathBuf),
    /// Let me type a directory.
    AskPath,
    /// Switch to the session's branch first.
    Switch,
    /// Go to the pane where it runs.
    Jump,
    Fork,
    /// Save the transcript although a Claude Code around this one says not to.
    Persist,
    /// Do not resume: read it.
    ReadOnly,
}

/// How much a choice asks of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gravity {
    /// Nothing is lost by it.
    Light,
    /// It takes a second key.
    Heavy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub answer: Answer,
    pub label: String,
    /// The command that it leads to, or what happens instead.
    pub shows: String,
    pub gravity: Gravity,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub topic: Topic,
    pub headline: String,
    pub lines: Vec<String>,
    /// The one that most people want comes first.
    pub choices: Vec<Choice>,
    /// What `--yes` takes: the choice that harms nothing. None where there is no such choice.
    pub safe: Option<Answer>,
    /// May it pass with a word where nobody can be asked?
    pub can_pass: bool,
}

/// What was answered so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers(Vec<(Topic, Answer)>);

impl Answers {
    pub fn get(&self, topic: Topic) -> Option<&Answer> {
        let mut given = self.0.iter();
        given.find_map(|(about, answer)| (*about == topic).then_some(answer))
    }

    /// These answers and one more.
    #[must_use]
    pub fn with(&self, topic: Topic, answer: Answer) -> Self {
        let mut all = self.clone();
        all.0.retain(|(about, _)| *about != topic);
        all.0.push((topic, answer));
        all
    }

    fn has(&self, topic: Topic) -> bool {
        self.get(topic).is_some()
    }
}

/// The next thing to decide; `None` when the plan stands.
pub fn next_question(situation: &Situation, answers: &Answers) -> Option<Question> {
    let asker = Asker { situation, answers };
    if answers.get(Topic::Running) == Some(&Answer::Jump) {
        return None;
    }
    for topic in [
        Topic::Program,
        Topic::Outside,
        Topic::Directory,
        Topic::Running,
        Topic::Branch,
        Topic::Child,
        Topic::Caution,
    ] {
        let question = match topic {
            _ if answers.has(topic) => None,
            Topic::Program => asker.program(),
            Topic::Outside => asker.outside(),
            Topic::Directory => asker.directory(),
            Topic::Running => asker.running(),
            Topic::Branch => asker.branch(),
            Topic::Child => asker.child(),
            Topic::Caution => asker.caution(),
            Topic::Copies => None,
        };
        if question.is_some() {
            return question;
        }
    }
    None
}

/// What `--yes` answers.
pub fn safe_answer(question: &Question) -> Option<&Answer> {
    question.safe.as_ref()
}

/// A question and what was answered without a person.
pub type Decision = (Question, Answer);

/// What was decided without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Safely {
    pub answers: Answers,
    /// The questions that had a safe answer, with it.
    pub decided: Vec<Decision>,
    /// The first that had none.
    pub open: Option<Question>,
}

/// Answers what can be answered without harm, beside what was decided already. A question for
/// which there is no such answer stays.
pub fn answer_safely(situation: &Situation, mut answers: Answers) -> Safely {
    let mut decided = Vec::new();
    let mut open = None;
    while let Some(question) = next_question(situation, &answers) {
        let Some(answer) = safe_answer(&question).cloned() else {
            open = Some(question);
            break;
        };
        answers = answers.with(question.topic, answer.clone());
        decided.push((question, answer));
    }
    Safely {
        answers,
        decided,
        open,
    }
}

/// Every question that is left, whatever the others are answered: what comes after a choice that
/// ends it is still worth knowing.
pub fn open_questions(situation: &Situation, mut answers: Answers) -> Vec<Question> {
    let mut questions = Vec::new();
    while let Some(question) = next_question(situation, &answers) {
        answers = answers.with(question.topic, Answer::GoOn);
        questions.push(question);
    }
    questions
}

impl Question {
    /// What was found, on one line.
    pub fn finding(&self) -> String {
        format!("{}: {}", self.headline, self.lines.join("; "))
    }

    /// What the choice is called that has this answer.
    pub fn label_of(&self, answer: &Answer) -> &str {
        let mut choices = self.choices.iter();
        let choice = choices.find(|choice| choice.answer == *answer);
        choice.map_or("", |choice| &choice.label)
    }
}

/// What the person should know beside the questions.
pub(super) fn accepted_warnings(situation: &Situation, answers: &Answers) -> Vec<Warning> {
    let asker = Asker { situation, answers };
    let mut warnings = Vec::new();
    let mut warn = |topic, text: Option<String>| {
        warnings.extend(text.map(|text| Warning { topic, text }));
    };
    warn(Topic::Outside, asker.name_warning());
    warn(Topic::Directory, asker.directory_warning());
    warn(Topic::Branch, asker.branch_warning());
    warn(Topic::Child, asker.child_warning());
    warn(Topic::Caution, asker.damage_warning());
    warn(Topic::Copies, asker.copies_warning());
    warnings
}

/// Puts questions into words.
struct Asker<'a> {
    situation: &'a Situation,
    answers: &'a Answers,
}

impl Asker<'_> {
    /// A choice with the command of the plan that it leads to.
    fn choice(&self, topic: Topic, answer: Answer, label: impl Into<String>) -> Choice {
        let answers = self.answers.with(topic, answer.clone());
        Choice {
            shows: Plan::of(self.situation, &answers).command_line(),
            answer,
            label: label.into(),
            gravity: Gravity::Light,
        }
    }

    fn read_only() -> Choice {
        Choice {
            answer: Answer::ReadOnly,
            label: "Read only".to_owned(),
            shows: "nothing is run".to_owned(),
            gravity: Gravity::Light,
        }
    }

    /// A path as people write it, safe to print.
    fn shown(&self, path: &Path) -> String {
        let home = self.situation.launch.home.as_deref();
        sanitize(&tilde(path, home)).into_owned()
    }

    fn program(&self) -> Option<Question> {
        let (headline, cause) = no_program(&self.situation.program, &self.situation.launch)?;
        Some(Question {
            topic: Topic::Program,
            headline,
            lines: vec![
                cause,
                "Install it: npm install -g @anthropic-ai/claude-code (or see claude.com/claude-code)".to_owned(),
                "Or say what to run: CLAUDE_RESUME_COMMAND=/path/to/claude, or [claude] command in the configuration".to_owned(),
            ],
            choices: vec![Self::read_only()],
            safe: None,
            can_pass: false,
        })
    }

    fn running(&self) -> Option<Question> {
        let running = self.situation.running.as_ref()?;
        // A fork writes into a file of its own.
        if self.situation.launch.wish != Wish::Continue {
            return None;
        }
        let doing = match running.status {
            Status::Busy => "busy",
            Status::Waiting => "waiting for you",
            Status::Idle => "idle",
            Status::Shell => "running a shell command",
            Status::Unknown => "open",
        };
        let topic = Topic::Running;
        let mut choices = Vec::new();
        if let Some(pane) = &running.tmux {
            let label = format!("Go to it in tmux ({})", sanitize(pane));
            choices.push(self.choice(topic, Answer::Jump, label));
        }
        choices.push(self.choice(topic, Answer::Fork, "Fork it: go on in a copy"));
        choices.push(Choice {
            gravity: Gravity::Heavy,
            ..self.choice(
                topic,
                Answer::GoOn,
                "Resume anyway: two writers damage a transcript",
            )
        });
        choices.push(Self::read_only());
        Some(Question {
            topic,
            headline: "This session is open already".to_owned(),
            lines: vec![format!("process {}, {doing}", running.pid)],
            choices,
            safe: Some(Answer::Fork),
            can_pass: false,
        })
    }

    fn outside(&self) -> Option<Question> {
        let Home::Outside { in_store } = &self.situation.subject.home else {
            return None;
        };
        let topic = Topic::Outside;
        if let Some(path) = in_store {
            return Some(Question {
                topic,
                headline: "Claude Code will open another file".to_owned(),
                lines: vec![format!(
                    "Claude Code looks the id up in its store: it will open {}, not the file that you named",
                    self.shown(path)
                )],
                choices: vec![
                    self.go_on_outside("Resume the one in the store"),
                    Self::read_only(),
                ],
                safe: Some(Answer::GoOn),
                // Another file than the one that was named is nothing to be opened unasked.
                can_pass: false,
            });
        }
        Some(Question {
            topic,
            headline: "Claude Code will not find this session".to_owned(),
            lines: vec![
                format!(
                    "{} is not in its store",
                    self.shown(&self.situation.subject.transcript)
                ),
                "Claude Code looks the id up in its store, and no file there has it".to_owned(),
            ],
            choices: vec![Self::read_only(), self.go_on_outside("Let Claude Code try")],
            safe: None,
            can_pass: false,
        })
    }

    /// Whether to resume at all comes before where. While that is open there is no command yet.
    fn go_on_outside(&self, label: &str) -> Choice {
        let choice = self.choice(Topic::Outside, Answer::GoOn, label);
        let is_open = !self.answers.has(Topic::Directory);
        match self.directory().filter(|_| is_open) {
            Some(next) => Choice {
                shows: format!("asks first where: {}", next.headline),
                ..choice
            },
            None => choice,
        }
    }

    /// Claude Code knows a session by the name of its file.
    fn name_warning(&self) -> Option<String> {
        let subject = &self.situation.subject;
        let stem = subject.transcript.file_stem()?;
        let inside = matches!(subject.home, Home::Store { .. });
        (inside && !stem.eq_ignore_ascii_case(&subject.id)).then(|| {
            format!(
                "{} is not named by its id: Claude Code may not find it",
                self.shown(&subject.transcript)
            )
        })
    }

    fn copies_warning(&self) -> Option<String> {
        let copies = &self.situation.subject.copies;
        if copies.is_empty() {
            return None;
        }
        let named: Vec<String> = copies.iter().map(|path| self.shown(path)).collect();
        Some(format!(
            "the newest of several files with this id is taken: {} too",
            named.join(", ")
        ))
    }
}
