//! What the conversation itself says of the state that resuming restores, gathered entry by entry.
//!
//! The result is the same for a conversation that is held whole and one that is read in pieces.

use serde_json::Value;

use super::super::entry::{ContentBlock, Entry};
use super::super::turns::{Turn, TurnStep};
use super::files::{FileChange, add_change};
use super::todos::Todos;
use crate::record::EntryType;

#[derive(Debug, Default)]
pub struct Remarks {
    pub(super) permission_mode: Option<String>,
    session: Option<String>,
    /// Skills that were invoked, each once.
    pub(super) skills: Vec<String>,
    pub(super) todos: Todos,
    /// Files that were changed, without their patches.
    pub(super) files: Vec<FileChange>,
}

impl Remarks {
    pub fn take_entry(&mut self, entry: &Entry) {
        replace(
            &mut self.permission_mode,
            entry.line.permission_mode.as_str(),
        );
        replace(&mut self.session, entry.line.session_id.as_str());
        self.take_skills(entry);
    }

    pub fn take_turn(&mut self, turn: &Turn) {
        for call in turn.steps.iter().filter_map(TurnStep::call) {
            self.todos.take(call);
            if let Some(change) = FileChange::of(call) {
                add_change(&mut self.files, change);
            }
        }
    }

    /// Skills are listed in an attachment, or called as a tool.
    fn take_skills(&mut self, entry: &Entry) {
        let names = &mut self.skills;
        let mut note = |name: &str| {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        };
        let attachment = &entry.line.attachment;
        if entry.kind == EntryType::Attachment && attachment["type"] == "invoked_skills" {
            let skills = attachment["skills"].as_array().into_iter().flatten();
            skills
                .filter_map(|skill| skill["name"].as_str())
                .for_each(&mut note);
        }
        for block in entry.blocks() {
            if let ContentBlock::ToolUse {
                name: "Skill",
                input,
                ..
            } = block
                && let Some(name) = input["skill"].as_str().or(input["command"].as_str())
            {
                note(name);
            }
        }
    }

    /// Is this a line of the session, and not of one that it was copied from?
    pub(super) fn is_of_this_session(&self, line: &Value) -> bool {
        match (line["sessionId"].as_str(), self.session.as_deref()) {
            (Some(said), Some(session)) => said == session,
            _ => true,
        }
    }
}

/// Takes what a line says, if anything. Nearly every line says the same.
pub fn replace(known: &mut Option<String>, said: Option<&str>) {
    if said.is_some() && known.as_deref() != said {
        *known = said.map(str::to_owned);
    }
}
