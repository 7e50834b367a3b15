//! The small files in a session's own folder: the title that `/rename` keeps, the archive mark.
//!
//! Read only where phase 1 saw the folder. A missing or broken sidecar says nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::session::Millis;
use crate::record::parse_timestamp;

/// More than any sidecar that Claude Code writes.
const MAX_BYTES: u64 = 64 * 1024;

/// What the sidecars of one session say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sidecar {
    pub custom_title: Option<String>,
    /// When the session was put away; the end of time if the mark does not say.
    pub archived_at: Option<Millis>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomTitle {
    custom_title: String,
}

#[derive(Deserialize)]
struct Archived {
    archived: bool,
    #[serde(default)]
    at: serde_json::Value,
}

impl Sidecar {
    pub fn read(folder: &Path) -> Self {
        let title = parse::<CustomTitle>(&folder.join("custom-title.json"))
            .map(|file| file.custom_title.trim().to_owned())
            .filter(|title| !title.is_empty());
        let archived = parse::<Archived>(&folder.join("archived.json"))
            .filter(|file| file.archived)
            .map(|file| {
                let at = file.at.as_str().unwrap_or_default();
                parse_timestamp(at.as_bytes()).unwrap_or(Millis::MAX)
            });
        Self {
            custom_title: title,
            archived_at: archived,
        }
    }
}

fn parse<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    serde_json::from_slice(&bytes).ok()
}
