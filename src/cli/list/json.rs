//! The JSON contract of `list --json`: one object a line, every key always there.
//!
//! A superset of what Anthropic's SDK calls a session's info. Keys are only ever added;
//! `docs/FORMAT.md` describes each.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::Printed;
use crate::list::Row;
use crate::store::{Hidden, Kind, Live, Millis, TitleSource};
use crate::text::escape_json;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    session_id: &'a str,
    summary: Option<&'a str>,
    title_source: Option<&'static str>,
    custom_title: Option<&'a str>,
    ai_title: Option<&'a str>,
    first_prompt: Option<&'a str>,
    last_prompt: Option<&'a str>,
    tag: Option<&'a str>,
    git_branch: Option<&'a str>,
    cwd: Option<&'a str>,
    project_dir: String,
    path: String,
    root: String,
    created_at: Option<Millis>,
    last_modified: Millis,
    last_activity: Millis,
    file_size: u64,
    kind: Option<&'static str>,
    hidden: Option<&'static str>,
    live: Option<ListedLive<'a>>,
    pr: Option<ListedPr<'a>>,
    copies: Vec<String>,
}

#[derive(Serialize)]
struct ListedLive<'a> {
    pid: u32,
    status: &'static str,
    tmux: Option<&'a str>,
}

#[derive(Serialize)]
struct ListedPr<'a> {
    number: u64,
    url: Option<&'a str>,
    repository: Option<&'a str>,
}

pub fn print(out: &mut impl Write, printed: &Printed<'_>) -> io::Result<()> {
    for row in &printed.selection.rows {
        let live = printed.live.of(&row.session);
        let json = serde_json::to_string(&listed(row, live))?;
        writeln!(out, "{}", escape_json(&json))?;
    }
    Ok(())
}

fn listed<'a>(row: &'a Row, live: Option<&'a Live>) -> Listed<'a> {
    let session = &row.session;
    let meta = &session.meta;
    let title = meta.title();
    Listed {
        session_id: &session.file.id,
        summary: title.map(|(_, text)| text),
        title_source: title.map(|(source, _)| TitleSource::name(source)),
        // The SDK fills this from either kind of title, and scripts rely on it.
        custom_title: meta.custom_title.as_deref().or(meta.ai_title.as_deref()),
        ai_title: meta.ai_title.as_deref(),
        first_prompt: meta.first_prompt.as_deref(),
        last_prompt: meta.last_prompt(),
        tag: meta.tag.as_deref(),
        git_branch: meta.git_branch.as_deref(),
        cwd: meta.cwd.as_deref(),
        project_dir: lossy(&session.file.project.dir),
        path: lossy(&session.file.path()),
        root: lossy(&session.file.project.root),
        created_at: meta.created,
        last_modified: session.file.modified,
        last_activity: session.last_activity(),
        file_size: session.file.size,
        kind: meta.kind.map(Kind::name),
        hidden: session.hidden.map(Hidden::name),
        live: live.map(|live| ListedLive {
            pid: live.pid,
            status: live.status.name(),
            tmux: live.tmux.as_deref(),
        }),
        pr: meta.pr.as_deref().map(|pr| ListedPr {
            number: pr.number,
            url: pr.url.as_deref(),
            repository: pr.repository.as_deref(),
        }),
        copies: row
            .copies
            .iter()
            .map(|copy| lossy(&copy.file.path()))
            .collect(),
    }
}

fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
