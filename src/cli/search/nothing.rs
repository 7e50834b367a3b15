//! What is said where nothing was found: what was searched, and what may have been meant.

use super::find::Finder;
use crate::cli::{complain, counted};
use crate::list::Scope;
use crate::search::NameKind;

/// Says on stderr what was searched in vain, and where there is something.
pub fn report(finder: &mut Finder<'_>, typed: &str, scope: &Scope) {
    let searched = format!("{} of {}", searched(finder), scope.label());
    let others = match finder.count_others() {
        (0, 0) => String::new(),
        (0, hidden) => {
            let sessions = counted(hidden, "hidden session");
            format!("; {sessions}: use --include all")
        }
        (elsewhere, _) => {
            let sessions = counted(elsewhere, "session");
            format!("; {sessions} elsewhere: use --all")
        }
    };
    complain(&format!("{searched}{others}"));
    suggest(finder, typed);
    for omission in finder.omissions() {
        complain(&format!("not searched: {omission}"));
    }
}

/// Says what may have been meant.
pub fn suggest(finder: &mut Finder<'_>, typed: &str) {
    for (kind, name, near) in finder.unknown_names() {
        let (what, operator) = match kind {
            NameKind::Tool => ("tool", "tool:"),
            NameKind::Path => ("file", "file:"),
        };
        let near: Vec<String> = near
            .iter()
            .map(|near| format!("{operator}{near}"))
            .collect();
        let meant = match near.as_slice() {
            [] => String::new(),
            near => format!(": did you mean {}?", near.join(", ")),
        };
        complain(&format!("no {what} is called '{name}'{meant}"));
    }
    if let Some(suggestion) = finder.suggestion() {
        let meant = suggestion.in_text(typed);
        let sessions = counted(suggestion.count, "session");
        complain(&format!("did you mean '{meant}'? ({sessions})"));
    }
}

/// What was looked into, as the picker says it.
fn searched(finder: &Finder<'_>) -> String {
    let query = finder.query();
    let (sessions, conversations) = finder.searched();
    if query.about_rows().is_none() {
        return format!("no match in {}", counted(sessions, "session"));
    }
    let conversations = counted(conversations, "conversation");
    if query.is_of_content() {
        format!("no match in {conversations}")
    } else {
        format!("no match in titles, prompts and {conversations}")
    }
}
