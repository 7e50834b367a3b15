//! Finding in a conversation: from match to match, also to those that are not laid out or not found
//! yet.

use super::{Direction, Hold, MatchMove, PendingMove, Reader, ReaderPane};
use crate::preview::{Around, LedgerHead};
use crate::reader::MatchPos;
use crate::tui::host::Host;
use crate::tui::keymap::Action;
use crate::tui::widgets::{FindBar, Input, Stage};

impl Reader {
    /// Does what a key asks for that any text has. Returns whether it is one.
    pub fn on_action(&mut self, action: Action, pane: ReaderPane, host: &mut Host<'_>) -> bool {
        match action {
            Action::NextMatch => self.next_match(Direction::Forward, pane, host),
            Action::PreviousMatch => self.next_match(Direction::Back, pane, host),
            Action::Find => self.start_find(),
            Action::FindDone => self.end_find(pane, host),
            _ => return false,
        }
        true
    }

    /// Opens the find bar.
    fn start_find(&mut self) {
        let from = self.line(self.cursor).map(|line| line.place);
        self.find = Some(FindBar {
            from,
            ..FindBar::default()
        });
    }

    /// Does the find bar have the keys?
    pub fn is_typing(&self) -> bool {
        let find = self.find.as_ref();
        find.is_some_and(|find| find.stage == Stage::Typing)
    }

    /// Edits the text in the find bar while it has the keys.
    pub fn edit_find(&mut self, edit: impl FnOnce(&mut Input)) {
        let is_typing = |find: &&mut FindBar| find.stage == Stage::Typing;
        let Some(find) = self.find.as_mut().filter(is_typing) else {
            return;
        };
        edit(&mut find.input);
        let from = self.find.as_ref().and_then(|find| find.from);
        self.pending = from.map(|place| {
            PendingMove::Match(MatchMove {
                from: MatchPos { place, offset: 0 },
                direction: Direction::Forward,
                expand: false,
            })
        });
    }

    /// Enter in the find bar: keys go to the conversation again, and the match is shown even where
    /// a fold hides it.
    fn end_find(&mut self, pane: ReaderPane, host: &mut Host<'_>) {
        if self.find_text().is_none() {
            self.find = None;
            return;
        }
        if let Some(find) = &mut self.find {
            find.stage = Stage::Typed;
        }
        let here = self.page().and_then(|page| page.mark_of(self.cursor));
        let from = match self.pending {
            Some(PendingMove::Match(wanted)) => Some(wanted.from),
            _ => here,
        };
        if let Some(from) = from {
            self.find_from(from, Direction::Forward, pane, host);
        }
    }

    fn next_match(&mut self, direction: Direction, pane: ReaderPane, host: &mut Host<'_>) {
        let Some(here) = self.page().and_then(|page| page.mark_of(self.cursor)) else {
            return self.tell_of_none(host);
        };
        let from = match direction {
            Direction::Forward => MatchPos {
                offset: here.offset + 1,
                ..here
            },
            Direction::Back => here,
        };
        self.find_from(from, direction, pane, host);
    }

    /// Goes to the first match from a line on, or to the last one before it.
    fn find_from(
        &mut self,
        from: MatchPos,
        direction: Direction,
        pane: ReaderPane,
        host: &mut Host<'_>,
    ) {
        let wanted = MatchMove {
            from,
            direction,
            expand: true,
        };
        self.pending = Some(PendingMove::Match(wanted));
        self.seek(wanted, pane, host);
    }

    fn tell_of_none(&self, host: &mut Host<'_>) {
        if self.marks().is_empty() && self.is_searched() {
            let page = self.page();
            let is_all = page.is_none_or(|page| page.found.unseen.is_empty());
            host.tell(if is_all {
                "no match here"
            } else {
                "no match in what is shown"
            });
        }
    }

    /// Goes to the wanted match, or requests the page with it. The first match that is found is the
    /// next one in either direction; around the end it goes only when no more will be found.
    pub(super) fn seek(&mut self, wanted: MatchMove, pane: ReaderPane, host: &mut Host<'_>) {
        let Some(page) = self.page().filter(|page| self.has_found(page)) else {
            return;
        };
        let is_over = self.is_searched();
        let marks = &page.found.marks;
        let from = marks.partition_point(|mark| mark.at < wanted.from);
        let (next, around) = match wanted.direction {
            Direction::Forward => (marks.get(from), marks.first()),
            Direction::Back => (
                from.checked_sub(1).and_then(|at| marks.get(at)),
                marks.last(),
            ),
        };
        // What a search of all conversations found may be before a compaction, too.
        let is_compacted = page.head == LedgerHead::Compacted;
        if next.is_none() && is_over && is_compacted && self.find.is_none() && self.target.is_some()
        {
            self.options.earlier += 1;
            return;
        }
        let Some(mark) = next.or(around.filter(|_| is_over)).map(|mark| mark.at) else {
            if is_over {
                self.pending = None;
                if wanted.expand {
                    self.tell_of_none(host);
                }
            }
            return;
        };
        if let Some(line) = page.line_of(mark) {
            self.pending = None;
            self.land(line, wanted, pane);
            return;
        }
        // On the way back, matches before the old place are found again once it is shown.
        if wanted.direction == Direction::Forward {
            self.pending = Some(PendingMove::Match(MatchMove {
                from: mark,
                ..wanted
            }));
        }
        self.around = Around::Turn(mark.place.turn);
    }

    /// Puts the cursor on a match.
    fn land(&mut self, line: usize, wanted: MatchMove, pane: ReaderPane) {
        let in_sight = self.top..self.top + self.rows(pane.area);
        let is_there = !wanted.expand || self.cursor == line;
        if is_there && in_sight.contains(&line) {
            self.cursor = line;
        } else {
            self.go_to_match(line, pane);
        }
        self.hold = Hold::Here;
        // A fold may hide the match.
        if wanted.expand
            && (self.find.is_some() || self.target.is_some())
            && let Some(fold) = self.closed_fold(line)
        {
            let title = self.page().and_then(|page| page.mark_of(self.cursor));
            self.options.toggle(fold);
            self.pending = title.map(|title| PendingMove::Match(inside(title, wanted)));
        }
    }
}

/// The match in a fold that expands: the first one after its title, or on the way back the last one
/// before the start of that way.
fn inside(title: MatchPos, wanted: MatchMove) -> MatchMove {
    // A way around the end came from there.
    let end = if title < wanted.from {
        wanted.from
    } else {
        MatchPos::END
    };
    // Lines of the same message move when a fold above them expands.
    let is_back = wanted.direction == Direction::Back && end.place != title.place;
    let (from, direction) = if is_back {
        (end, Direction::Back)
    } else {
        (title, Direction::Forward)
    };
    // Another fold inside may hide it.
    MatchMove {
        from,
        direction,
        expand: true,
    }
}
