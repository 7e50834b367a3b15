//! Requests the page that the reader shows.

use std::sync::Arc;

use chrono::DateTime;

use super::Sessions;
use crate::list::Row;
use crate::preview::{CardFacts, times};
use crate::reader::PreviewRequest;
use crate::text::size;
use crate::tui::layout::GUTTER;
use crate::tui::{Context, Host, Request};

impl Sessions {
    /// Requests the page that should be in the reader, if it is visible and not here yet.
    pub fn want_page(&mut self, host: &mut Host<'_>) {
        let pane = self.reader_pane(host.context);
        let Some(id) = self.list.cursor().filter(|_| !pane.area.is_empty()) else {
            return;
        };
        let columns = usize::from(pane.area.width.saturating_sub(GUTTER + 1)).max(1);
        if self.reader.row == Some(id) {
            self.reader.slide(pane);
        }
        let Some(row) = self.row(id, host.data).map(Arc::clone) else {
            return;
        };
        let wanted = (&self.query.query, self.target_of(id));
        let Some(spec) = self
            .reader
            .next_page(id, columns, wanted, pane.focused, host)
        else {
            return;
        };
        host.ask(Request::Preview(Box::new(PreviewRequest {
            generation: self.reader.generation,
            path: row.session.file.path(),
            rows: self.reader.rows(pane.area),
            facts: facts(&row, host.context),
            spec,
        })));
    }
}

/// What the list knows of a session, for the card above its conversation.
fn facts(row: &Row, context: &Context) -> CardFacts {
    let session = &row.session;
    let meta = &session.meta;
    let local = |at: i64| {
        let moment = DateTime::from_timestamp_millis(at)?;
        Some(moment.with_timezone(context.now.offset()).naive_local())
    };
    let last = local(session.last_activity());
    let folder = |copy: &crate::store::Session| {
        let folder = copy.file.project.dir.to_string_lossy();
        context.tilde(&folder)
    };
    CardFacts {
        title: row.title().into_owned(),
        project: meta.cwd.as_deref().map(|cwd| context.tilde(cwd)),
        branch: meta.git_branch.as_deref().map(str::to_owned),
        times: last.map(|last| times(meta.created.and_then(local), last)),
        file_size: Some(size(session.file.size)),
        copies: row.copies.iter().map(folder).collect(),
        ..CardFacts::default()
    }
}
