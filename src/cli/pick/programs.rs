//! The person's pager and editor, by what the environment says.

use std::env;

use crate::resume::words;
use crate::tui::Programs;

/// `$PAGER` and `$EDITOR` (or `$VISUAL`), as words: no shell sees them. Each stands in for the
/// other where only one is set. A pager that only prints shows nothing on a screen that comes
/// back at once.
pub fn programs() -> Programs {
    let set = |name: &str| words(&env::var(name).ok()?);
    let prints = |words: &Vec<String>| words.first().is_some_and(|word| word == "cat");
    let pager = set("PAGER").filter(|words| !prints(words));
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    let less = || vec!["less".to_owned()];
    Programs {
        pager: pager
            .clone()
            .or_else(|| editor.clone())
            .unwrap_or_else(less),
        editor: editor.or(pager).unwrap_or_else(less),
    }
}
