//! Asks once more before something that would surprise.

use super::{Flow, Returned, motion};
use crate::resume::Answer;
use crate::tui::context::Context;
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::widgets::{Card, CardChoice};

#[derive(Debug)]
pub struct Confirm {
    pub card: Card,
    /// What the choices stand for.
    then: Vec<Consequence>,
}

/// What a choice hands to the screen below.
#[derive(Debug, Clone)]
pub enum Consequence {
    Do(Action),
    Answer(Answer),
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
    pub fn or(mut self, label: impl Into<String>, command: &str, then: Consequence) -> Self {
        self.card.choices.push(CardChoice {
            label: label.into(),
            command: command.to_owned(),
        });
        self.then.push(then);
        self
    }

    pub fn on_action(&mut self, action: Action, host: &mut Host<'_>) -> Flow {
        match (action, motion(action)) {
            (_, Some(motion)) => self.card.go(motion, host.context),
            (Action::Choose, _) => return self.choose(self.card.cursor),
            (Action::Back, _) => return Flow::Pop,
            _ => {}
        }
        Flow::Stay
    }

    /// A digit takes a choice at once.
    pub fn on_text(&mut self, text: &str) -> Flow {
        match text.parse::<usize>() {
            Ok(number @ 1..) => self.choose(number - 1),
            _ => Flow::Stay,
        }
    }

    pub fn click(&self, line: u16, context: &Context) -> Flow {
        match self.card.choice_at(line, context) {
            Some(Some(at)) => self.choose(at),
            Some(None) => Flow::Stay,
            None => Flow::Pop,
        }
    }

    fn choose(&self, at: usize) -> Flow {
        match self.then.get(at).cloned() {
            Some(Consequence::Do(action)) => Flow::Return(Returned::Confirmed(action)),
            Some(Consequence::Answer(answer)) => Flow::Return(Returned::Answer(answer)),
            None => Flow::Stay,
        }
    }
}
