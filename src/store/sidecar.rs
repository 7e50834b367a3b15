//! The small files in a session's own folder: the title that `/rename` keeps, the archive mark.
//!
//! Read only where phase 1 saw the folder. A missing or broken sidecar says nothing.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::session::Millis;
use crate::files;
use crate::record::{parse_epoch, parse_timestamp};

pub const TITLE: &str = "custom-title.json";
pub const ARCHIVED: &str = "archived.json";

/// What the sidecars of one session say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sidecar {
    pub custom_title: Option<String>,
    /// When the session was put away; the end of time if the mark does not say.
    pub archived_at: Option<Millis>,
}

impl Sidecar {
    /// Reads them. An error if too many files are open to do so.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let title = files::json_if_open(&folder.join(TITLE))?.and_then(|file| {
            let title = file.get("customTitle")?.as_str()?.trim();
            (!title.is_empty()).then(|| title.to_owned())
        });
        let archived = files::json_if_open(&folder.join(ARCHIVED))?
            .filter(|file| file.get("archived") == Some(&Value::Bool(true)))
            .map(|file| {
                let time = match file.get("at") {
                    Some(Value::String(text)) => parse_timestamp(text.as_bytes()),
                    Some(Value::Number(number)) => parse_epoch(number.to_string().as_bytes()),
                    _ => None,
                };
                time.unwrap_or(Millis::MAX)
            });
        Ok(Self {
            custom_title: title,
            archived_at: archived,
        })
    }
}
