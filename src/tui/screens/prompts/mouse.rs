//! The mouse in the prompt history.

use crossterm::event::MouseEvent;
use ratatui::layout::Position;

use super::super::{Flow, WHEEL};
use super::Prompts;
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::layout::Focus;
use crate::tui::widgets::{Motion, Press};

impl Prompts {
    pub fn on_mouse(&mut self, event: MouseEvent, host: &mut Host<'_>) -> Flow {
        match self.pointer.event(event, self.focus, host.context) {
            Press::Wheel(at, direction) => {
                if host.context.layout(self.focus).preview.contains(at) {
                    let pane = self.reader_pane(host.context);
                    self.reader.scroll(Motion::Lines(direction * WHEEL), pane);
                } else {
                    self.list.scroll(direction * WHEEL, self.pane(host.context));
                }
            }
            Press::Down(at) => self.press(at, host),
            Press::Double => return self.on_action(Action::GoToSession, host),
            Press::Divider | Press::Nothing => {}
        }
        Flow::Stay
    }

    fn press(&mut self, at: Position, host: &Host<'_>) {
        let layout = host.context.layout(self.focus);
        if layout.preview.contains(at) {
            let below = at.y.checked_sub(self.reader_pane(host.context).area.y);
            self.focus = Focus::Preview;
            if let Some(below) = below {
                let line = self.reader.top + usize::from(below);
                self.reader.click(line, self.reader_pane(host.context));
            }
        } else if layout.query.contains(at) {
            self.focus = Focus::List;
        } else if layout.list.contains(at) {
            let pane = self.pane(host.context);
            let above = layout.list.y + (layout.list.height - pane.lines);
            let line = at.y.checked_sub(above);
            let position = line.and_then(|line| self.list.position_at(line, pane));
            self.focus = Focus::List;
            if let Some(position) = position {
                self.list.go_to(position, self.pane(host.context));
                self.pointer.click(at, host.context.now);
            }
        }
    }
}
