//! Asks once more before something that would surprise.

use super::{Flow, Returned};
use crate::tui::widgets::{Card, CardChoice};

#[derive(Debug)]
pub struct Confirm {
    pub card: Card,
    /// What the choices hand to the screen below.
    then: Vec<Returned>,
}

impl Confirm {
    /// A question without choices yet.
    pub fn new(headline: impl Into<String>, title: &str, lines: Vec<String>) -> Self {
        Self {
            card: Card {
                headline: headline.into(),
                title: title.to_owned(),
                lines,
                ..Card::default()
            },
            then: Vec::new(),
        }
    }

    /// Adds a choice.
    #[must_use]
    pub fn or(mut self, label: impl Into<String>, command: &str, then: Returned) -> Self {
        self.card.choices.push(CardChoice {
            label: label.into(),
            command: command.to_owned(),
        });
        self.then.push(then);
        self
    }

    pub fn choose(&self, at: usize) -> Flow {
        let then = self.then.get(at).cloned();
        then.map_or(Flow::Stay, Flow::Return)
    }
}
