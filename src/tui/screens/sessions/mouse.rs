//! The mouse in the picker of sessions.

use crossterm::event::MouseEvent;
use ratatui::layout::Position;

use super::super::{Flow, WHEEL};
use super::Sessions;
use crate::resume::Wish;
use crate::tui::host::Host;
use crate::tui::layout::Focus;
use crate::tui::widgets::{Motion, Press};

impl Sessions {
    pub fn on_mouse(&mut self, event: MouseEvent, host: &mut Host<'_>) -> Flow {
        match self.pointer.event(event, self.focus, host.context) {
            Press::Wheel(at, direction) => self.wheel(at, direction, host),
            Press::Down(at) => self.press(at, host),
            Press::Divider => self.fit(host.context),
            Press::Double => return self.resume(Wish::Continue, host),
            Press::Nothing => {}
        }
        Flow::Stay
    }

    fn wheel(&mut self, at: Position, direction: isize, host: &Host<'_>) {
        let layout = host.context.layout(self.focus);
        if layout.preview.contains(at) {
            let pane = self.reader_pane(host.context);
            self.reader.scroll(Motion::Lines(direction * WHEEL), pane);
        } else if layout.list.contains(at) {
            let pane = self.pane(host.context);
            let rows = (WHEEL / isize::from(pane.row_height.max(1).cast_signed())).max(1);
            self.list.scroll(direction * rows, pane);
        }
    }

    fn press(&mut self, at: Position, host: &Host<'_>) {
        let layout = host.context.layout(self.focus);
        if layout.preview.contains(at) {
            // The preview may grow with the keys: find the clicked line before that.
            self.reader.clamp(self.reader_pane(host.context));
            let body = layout.preview.y + self.reader.header(layout.preview);
            self.focus = Focus::Preview;
            if let Some(below) = at.y.checked_sub(body) {
                let line = self.reader.top + usize::from(below);
                self.reader.click(line, self.reader_pane(host.context));
            }
        } else if layout.query.contains(at) {
            self.focus = Focus::List;
        } else if layout.list.contains(at) {
            let line = at.y - layout.list.y;
            let position = self.list.position_at(line, self.pane(host.context));
            self.focus = Focus::List;
            if !self.pointer.is_second(at, host.context.now) {
                let Some(position) = position else {
                    return;
                };
                self.list.go_to(position, self.pane(host.context));
            }
            if let Some(row) = self.list.cursor() {
                self.pointer.click(at, row.0, host.context.now);
            }
        }
    }
}
