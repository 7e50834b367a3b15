//! Several sessions at once, each in a tmux window of its own.
//!
//! Safe choices are taken without asking, and shown. A session that needs a decision is left out.

use std::path::PathBuf;

use super::finding::{Answers, Decision, answer_safely};
use super::plan::Plan;
use super::situation::Situation;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    pub going: Vec<Going>,
    pub staying: Vec<Staying>,
}

/// A session that is resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Going {
    pub title: String,
    pub plan: Plan,
    /// Its file, which may go before the plan runs.
    pub transcript: PathBuf,
    /// What was decided for it.
    pub decided: Vec<Decision>,
}

/// A session that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staying {
    pub title: String,
    pub why: String,
}

impl Batch {
    /// Takes the safe choices for each session, on top of what was answered for all.
    pub fn of(
        situations: Vec<(String, Situation)>,
        given: &Answers,
        staying: Vec<Staying>,
    ) -> Self {
        let mut batch = Self {
            going: Vec::new(),
            staying,
        };
        for (title, situation) in situations {
            let safely = answer_safely(&situation, given.clone());
            let plan = Plan::of(&situation, &safely.answers);
            let bad = plan.check_words(&situation.launch).err();
            let why = safely.open.map(|finding| finding.line());
            match why.or(bad.map(|error| error.to_string())) {
                Some(why) => batch.staying.push(Staying { title, why }),
                None => batch.going.push(Going {
                    title,
                    plan,
                    transcript: situation.session.transcript,
                    decided: safely.decided,
                }),
            }
        }
        batch
    }

    pub fn headline(&self) -> String {
        let forks = self.going.iter().all(|going| going.plan.is_fork());
        let verb = if forks { "Fork" } else { "Resume" };
        match self.going.len() {
            0 => "None of the marked sessions can be resumed without a decision".to_owned(),
            1 => format!("{verb} 1 marked session in its own tmux window"),
            going => format!("{verb} {going} marked sessions, each in its own tmux window"),
        }
    }
}
