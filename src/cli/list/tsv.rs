//! Tab-separated lines for other programs. The columns are named in the help of `list`.

use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat, Utc};

use super::Printed;
use crate::text::sanitize;

pub fn print(out: &mut impl Write, printed: &Printed<'_>) -> io::Result<()> {
    for row in &printed.selection.rows {
        let session = &row.session;
        let meta = &session.meta;
        let active = DateTime::<Utc>::from_timestamp_millis(session.last_activity())
            .map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true))
            .unwrap_or_default();
        let size = session.file.size.to_string();
        let fields = [
            &*session.file.id,
            active.as_str(),
            size.as_str(),
            meta.cwd.as_deref().unwrap_or_default(),
            meta.git_branch.as_deref().unwrap_or_default(),
            meta.tag.as_deref().unwrap_or_default(),
            meta.title().map_or("", |(_, title)| title),
        ];
        // No tab or newline survives sanitising, so the columns hold.
        writeln!(out, "{}", fields.map(sanitize).join("\t"))?;
    }
    Ok(())
}
