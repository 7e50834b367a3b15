//! What is remembered from one run to the next: scope, order, and how the panes are set.

use crate::list::Sort;

use super::layout::Panes;

/// Which sessions to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Those of this repository if it has any, else all.
    #[default]
    Auto,
    Here,
    All,
}

/// The settings that the user changes by using the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    pub reach: Reach,
    pub order: Sort,
    pub panes: Panes,
}
