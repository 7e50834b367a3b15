//! What is about to run: a session that is resumed, or a new one that starts with a prompt.

use super::finding::{Answers, Finding};
use super::fresh::Fresh;
use super::plan::Plan;
use super::situation::Situation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    Resume(Box<Situation>),
    Begin(Box<Fresh>),
}

impl Intent {
    /// What is left to decide.
    pub fn findings(&self, answers: &Answers) -> Vec<Finding> {
        match self {
            Self::Resume(situation) => situation.findings(answers),
            Self::Begin(fresh) => fresh.findings(answers),
        }
    }

    pub fn plan(&self, answers: &Answers) -> Plan {
        match self {
            Self::Resume(situation) => Plan::of(situation, answers),
            Self::Begin(fresh) => fresh.plan(answers),
        }
    }
}

impl From<Situation> for Intent {
    fn from(situation: Situation) -> Self {
        Self::Resume(Box::new(situation))
    }
}

impl From<Fresh> for Intent {
    fn from(fresh: Fresh) -> Self {
        Self::Begin(Box::new(fresh))
    }
}
