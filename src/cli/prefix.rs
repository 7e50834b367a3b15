//! Which files are of sessions whose id begins so: one rule for all that take the beginning of one.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::list::has_prefix;
use crate::store::FileInfo;
use crate::transcript::session_ids;

/// How far into a file to look for a session's id: its first lines.
pub const FIRST_LINES: u64 = 16 * 1024;

/// The files of each session whose id begins so, by that id in small letters. Names are enough,
/// but for the files of an old store: those that are called otherwise are opened.
pub fn with_prefix(
    files: impl IntoIterator<Item = FileInfo>,
    prefix: &str,
) -> BTreeMap<String, Vec<FileInfo>> {
    let mut found: BTreeMap<String, Vec<FileInfo>> = BTreeMap::new();
    let mut otherwise: BTreeMap<String, Vec<FileInfo>> = BTreeMap::new();
    for file in files {
        if Uuid::try_parse(&file.id).is_ok() {
            if has_prefix(&file.id, prefix) {
                let files = found.entry(file.id.to_lowercase());
                files.or_default().push(file);
            }
        } else if let Some(id) = id_of_old(&file, prefix) {
            otherwise.entry(id.to_lowercase()).or_default().push(file);
        }
    }
    // A file of its own counts more than lines in another.
    for (id, files) in otherwise {
        found.entry(id).or_insert(files);
    }
    found
}

/// Is this all of an id, as Claude Code writes them? Then it is one, whatever is called so.
pub fn is_whole_id(word: &str) -> bool {
    word.len() == 36 && Uuid::try_parse(word).is_ok()
}

/// The id that begins so and that the first lines of a file name.
pub fn said_inside(file: &FileInfo, prefix: &str) -> Option<String> {
    let named = session_ids(&file.path(), FIRST_LINES).unwrap_or_default();
    named.into_iter().find(|id| has_prefix(id, prefix))
}

/// The same for a file of an old store, which names files otherwise. One of a sub-agent names the
/// session that it worked for, and is none.
fn id_of_old(file: &FileInfo, prefix: &str) -> Option<String> {
    let is_agent = file.id.starts_with("agent-");
    (!is_agent).then(|| said_inside(file, prefix)).flatten()
}
