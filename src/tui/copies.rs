//! The other files of a session, as rows of their own below the one that stands for them.
//!
//! They are made when somebody opens that row, since a second root can hold a copy of everything.
//! The search knows nothing of them: their numbers are counted from the end, where no row is.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::list::Row;
use crate::search::RowId;

#[derive(Debug, Default)]
pub struct Copies {
    rows: HashMap<RowId, Copy>,
    /// A file keeps its number, so that the cursor stays on it.
    numbers: HashMap<PathBuf, RowId>,
}

#[derive(Debug)]
struct Copy {
    owner: RowId,
    row: Arc<Row>,
}

impl Copies {
    /// The copies of a row as rows.
    pub fn of(&mut self, owner: RowId, row: &Row) -> Vec<RowId> {
        let mut ids = Vec::new();
        for session in &row.copies {
            let next = RowId(u32::MAX - u32::try_from(self.numbers.len()).unwrap_or(0));
            let id = *self.numbers.entry(session.file.path()).or_insert(next);
            let row = Arc::new(Row {
                session: session.clone(),
                copies: Vec::new(),
            });
            self.rows.insert(id, Copy { owner, row });
            ids.push(id);
        }
        ids
    }

    pub fn row(&self, id: RowId) -> Option<&Arc<Row>> {
        Some(&self.rows.get(&id)?.row)
    }

    /// The row that stands for a copy.
    pub fn owner(&self, id: RowId) -> Option<RowId> {
        Some(self.rows.get(&id)?.owner)
    }
}
