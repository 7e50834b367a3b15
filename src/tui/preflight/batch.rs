//! Several sessions at once, each into a tmux window of its own: what will happen to each of them.
//!
//! What harms nothing is decided without a question, and said. A session that needs another
//! decision stays, and the card says which.

use crate::resume::{Answers, Decision, Plan, Situation, answer_safely};

use super::{INDENT, broken};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    pub going: Vec<Going>,
    pub staying: Vec<Staying>,
    /// The first line in sight below the headline.
    pub top: usize,
}

/// A session that is resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Going {
    pub title: String,
    pub plan: Plan,
    /// How a shell would take the plan.
    command: String,
    /// What was decided for it.
    pub decided: Vec<Decided>,
}

/// Something that was found, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub found: String,
    pub taken: String,
}

/// A session that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staying {
    pub title: String,
    pub why: String,
}

/// A line below the headline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchLine {
    Title(String),
    Decided(String),
    Command(String),
    Heading(String),
    Why(String),
    Blank,
}

impl Batch {
    /// Decides for each session what harms nothing, beside what was decided for all.
    pub fn of(situations: Vec<(String, Situation)>, given: &Answers, left: Vec<Staying>) -> Self {
        let mut batch = Self {
            staying: left,
            ..Self::default()
        };
        for (title, situation) in situations {
            let safely = answer_safely(&situation, given.clone());
            let plan = Plan::of(&situation, &safely.answers);
            let bad = plan.check_words(&situation.launch).err();
            let why = safely.open.map(|question| question.finding());
            match why.or(bad.map(|error| error.to_string())) {
                Some(why) => batch.staying.push(Staying { title, why }),
                None => batch.going.push(Going {
                    title,
                    command: plan.command_line(),
                    plan,
                    decided: safely.decided.into_iter().map(in_words).collect(),
                }),
            }
        }
        batch
    }

    pub fn headline(&self) -> String {
        match self.going.len() {
            0 => "None of the marked sessions can be resumed without a decision".to_owned(),
            1 => "Resume 1 marked session in a tmux window of its own".to_owned(),
            going => format!("Resume {going} marked sessions, each in a tmux window of its own"),
        }
    }

    /// Everything below the headline, in lines of so many columns: nothing is cut.
    pub fn lines(&self, columns: usize) -> Vec<BatchLine> {
        let room = columns.saturating_sub(INDENT);
        let mut lines = Vec::new();
        let mut add = |text: &str, kind: fn(String) -> BatchLine| {
            lines.extend(broken(text, room).into_iter().map(kind));
        };
        for going in &self.going {
            add(&going.title, BatchLine::Title);
            for decided in &going.decided {
                let text = format!("{}. {}", decided.found, decided.taken);
                add(&text, BatchLine::Decided);
            }
            for warning in &going.plan.warnings {
                add(&warning.text, BatchLine::Decided);
            }
            add(&going.command, BatchLine::Command);
        }
        if self.staying.is_empty() {
            return lines;
        }
        if !lines.is_empty() {
            lines.push(BatchLine::Blank);
        }
        let heading = "Left out: resume them one by one to decide";
        let parts = broken(heading, room);
        lines.extend(parts.into_iter().map(BatchLine::Heading));
        for staying in &self.staying {
            let parts = broken(&staying.title, room);
            lines.extend(parts.into_iter().map(BatchLine::Title));
            let parts = broken(&staying.why, room);
            lines.extend(parts.into_iter().map(BatchLine::Why));
        }
        lines
    }
}

/// A question and its answer in words.
fn in_words((question, answer): Decision) -> Decided {
    Decided {
        taken: question.label_of(&answer).to_owned(),
        found: question.headline,
    }
}
