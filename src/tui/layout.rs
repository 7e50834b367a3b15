//! Where things are on the screen: a pure function of its size and of how the panes are set.
//!
//! Both the drawing and the mouse ask here, so a click always means what it points at.

use ratatui::layout::Rect;

/// From this width on the preview stands beside the list.
const SIDE_COLUMNS: u16 = 100;
/// From this size on it stands below it. Smaller screens have only the list.
const STACKED_COLUMNS: u16 = 50;
const STACKED_ROWS: u16 = 18;
/// The least and the most that the list may take, in percent.
const LEAST: u16 = 20;
const MOST: u16 = 80;

/// How the panes are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panes {
    pub preview: Switch,
    /// The list's share in percent, beside the preview.
    pub side: u16,
    /// The list's share in percent, above the preview.
    pub stacked: u16,
    /// The same while the preview is read.
    pub reading: u16,
    pub density: Density,
}

impl Panes {
    /// The list's share that a divider between the panes sets.
    pub fn share_mut(&mut self, arrangement: Arrangement, focus: Focus) -> Option<&mut u16> {
        match (arrangement, focus) {
            (Arrangement::Side, _) => Some(&mut self.side),
            (Arrangement::Stacked, Focus::List) => Some(&mut self.stacked),
            (Arrangement::Stacked, Focus::Preview) => Some(&mut self.reading),
            (Arrangement::Alone, _) => None,
        }
    }
}

impl Default for Panes {
    fn default() -> Self {
        Self {
            preview: Switch::On,
            side: 48,
            stacked: 56,
            reading: 20,
            density: Density::Auto,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::On => Self::Off,
            Self::Off => Self::On,
        }
    }
}

/// How many lines a row takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Density {
    /// As many as the screen has room for.
    Auto,
    One,
    Two,
    Three,
}

/// Which pane the keys go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    List,
    Preview,
}

/// How the two panes stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    Side,
    Stacked,
    /// One at a time.
    Alone,
}

/// The areas of a screen. An area without room is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub arrangement: Arrangement,
    pub query: Rect,
    pub top_rule: Rect,
    pub list: Rect,
    /// The line between list and preview.
    pub divider: Rect,
    pub preview: Rect,
    pub bottom_rule: Rect,
    pub footer: Rect,
}

impl Layout {
    /// Everything between the rules.
    pub fn body(&self) -> Rect {
        let parts = [self.list, self.divider, self.preview].into_iter();
        let parts = parts.filter(|part| !part.is_empty());
        parts.reduce(Rect::union).unwrap_or_default()
    }

    pub fn of(screen: Rect, panes: Panes, focus: Focus) -> Self {
        let arrangement = arrangement(screen, panes);
        let mut rest = screen;
        let query = take_top(&mut rest, 1);
        let footer = if screen.height >= 4 {
            take_bottom(&mut rest, 1)
        } else {
            Rect::default()
        };
        let has_rules = screen.height >= 8;
        let (top_rule, bottom_rule) = if has_rules {
            (take_top(&mut rest, 1), take_bottom(&mut rest, 1))
        } else {
            (Rect::default(), Rect::default())
        };
        let (list, divider, preview) = split(rest, arrangement, panes, focus);
        Self {
            arrangement,
            query,
            top_rule,
            list,
            divider,
            preview,
            bottom_rule,
            footer,
        }
    }

    /// The lines of a row here, without the gap below it.
    pub fn density(&self, panes: Panes) -> Density {
        let roomy = self.list.width >= 44;
        match panes.density {
            Density::Auto if !roomy || self.list.height < 8 => Density::One,
            Density::Auto if self.list.height < 22 => Density::Two,
            Density::Auto => Density::Three,
            chosen => chosen,
        }
    }
}

/// Lines that a row takes, the gap below it included.
pub fn row_height(density: Density) -> u16 {
    match density {
        Density::One => 1,
        Density::Two => 2,
        Density::Three | Density::Auto => 4,
    }
}

/// Columns of the preview that the names of speakers take.
pub const GUTTER: u16 = 10;

/// Most urgent lines of a card that a low preview has room for.
const MOST_URGENT: u16 = 2;

/// Lines at the top of the preview for a card of so many, the rule below it included. A low one
/// has its title, and below it only what is `urgent`.
pub fn preview_header(area: Rect, card: u16, urgent: u16) -> u16 {
    match area.height {
        0..=3 => 0,
        6..=9 if urgent > 0 => urgent.min(MOST_URGENT) + 2,
        4..=9 => 1,
        height => card.min(height * 2 / 5) + 1,
    }
}

/// The list's share when the divider is dragged to `at`.
pub fn share(at: u16, start: u16, length: u16) -> u16 {
    // Rounded up: rounding down would leave the divider before the pointer.
    let percent = (u32::from(at.saturating_sub(start)) * 100).div_ceil(u32::from(length.max(1)));
    u16::try_from(percent).unwrap_or(MOST).clamp(LEAST, MOST)
}

/// A share made smaller or larger by a step.
pub fn step(share: u16, by: i16) -> u16 {
    share.saturating_add_signed(by).clamp(LEAST, MOST)
}

fn arrangement(screen: Rect, panes: Panes) -> Arrangement {
    match panes.preview {
        Switch::On if screen.width >= SIDE_COLUMNS && screen.height >= 8 => Arrangement::Side,
        Switch::On if screen.width >= STACKED_COLUMNS && screen.height >= STACKED_ROWS => {
            Arrangement::Stacked
        }
        Switch::On | Switch::Off => Arrangement::Alone,
    }
}

fn split(rest: Rect, arrangement: Arrangement, panes: Panes, focus: Focus) -> (Rect, Rect, Rect) {
    let nothing = Rect::default();
    let part = |length: u16, share: u16| {
        let part = u32::from(length) * u32::from(share) / 100;
        u16::try_from(part).unwrap_or(length)
    };
    match (arrangement, focus) {
        (Arrangement::Alone, Focus::List) => (rest, nothing, nothing),
        (Arrangement::Alone, Focus::Preview) => (nothing, nothing, rest),
        (Arrangement::Side, _) => {
            let mut rest = rest;
            let columns = part(rest.width, panes.side);
            let list = take_left(&mut rest, columns);
            let divider = take_left(&mut rest, 1);
            (list, divider, rest)
        }
        (Arrangement::Stacked, _) => {
            let mut rest = rest;
            let share = match focus {
                Focus::List => panes.stacked,
                Focus::Preview => panes.reading,
            };
            let lines = part(rest.height, share);
            let list = take_top(&mut rest, lines);
            let divider = take_top(&mut rest, 1);
            (list, divider, rest)
        }
    }
}

fn take_top(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    let taken = Rect { height, ..*rest };
    rest.y += height;
    rest.height -= height;
    taken
}

fn take_bottom(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    rest.height -= height;
    Rect {
        y: rest.y + rest.height,
        height,
        ..*rest
    }
}

fn take_left(rest: &mut Rect, width: u16) -> Rect {
    let width = width.min(rest.width);
    let taken = Rect { width, ..*rest };
    rest.x += width;
    rest.width -= width;
    taken
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
