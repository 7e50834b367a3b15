//! The JSON contract of `list --json`: one object per line, every key always present.
//!
//! A superset of the session info of Anthropic's SDK. Keys are only ever added;
//! `docs/FORMAT.md` describes each.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::list::Row;
use crate::store::{Hidden, Kind, Live, Millis, Registry, TitleSource};
use crate::text::escape_json;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionInfo<'a> {
    session_id: &'a str,
    summary: Option<&'a str>,
    title: Option<Cow<'a, str>>,
    title_source: Option<&'static str>,
    custom_title: Option<&'a str>,
    ai_title: Option<&'a str>,
    first_prompt: Option<&'a str>,
    last_prompt: Option<&'a str>,
    tag: Option<&'a str>,
    git_branch: Option<&'a str>,
    cwd: Option<&'a str>,
    last_cwd: Option<&'a str>,
    project_dir: String,
    path: String,
    root: String,
    created_at: Option<Millis>,
    last_modified: Millis,
    last_activity: Millis,
    file_size: u64,
    kind: Option<&'static str>,
    hidden: Option<&'static str>,
    live: Option<Value>,
    pr: Option<Value>,
    copies: Vec<String>,
}

pub fn print(out: &mut impl Write, rows: &[&Row], live: &Registry) -> io::Result<()> {
    for row in rows {
        let live = live.of(&row.session);
        let json = serde_json::to_string(&session_info(row, live))?;
        writeln!(out, "{}", escape_json(&json))?;
    }
    Ok(())
}

fn session_info<'a>(row: &'a Row, live: Option<&'a Live>) -> SessionInfo<'a> {
    let session = &row.session;
    let meta = &session.meta;
    let title = meta.raw_title();
    SessionInfo {
        session_id: &session.file.id,
        summary: title.map(|(_, text)| text),
        title: meta.headline(),
        title_source: title.map(|(source, _)| TitleSource::name(source)),
        // The SDK fills this from either kind of title, and scripts rely on it.
        custom_title: meta.custom_title.as_deref().or(meta.ai_title.as_deref()),
        ai_title: meta.ai_title.as_deref(),
        first_prompt: meta.first_prompt.as_deref(),
        last_prompt: meta.last_prompt(),
        tag: meta.tag.as_deref(),
        git_branch: meta.git_branch.as_deref(),
        cwd: meta.cwd.as_deref(),
        last_cwd: meta.last_cwd.as_deref(),
        project_dir: lossy(&session.file.project.dir),
        path: lossy(&session.file.path()),
        root: lossy(&session.file.project.root),
        created_at: meta.created,
        last_modified: session.file.modified,
        last_activity: session.last_activity(),
        file_size: session.file.size,
        kind: meta.kind.map(Kind::name),
        hidden: session.hidden.map(Hidden::name),
        live: live
            .map(|live| json!({"pid": live.pid, "status": live.status.name(), "tmux": live.tmux})),
        pr: meta
            .pr
            .as_deref()
            .map(|pr| json!({"number": pr.number, "url": pr.url, "repository": pr.repository})),
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
