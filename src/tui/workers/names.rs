//! The names that rows have, for completing `project:`, `branch:`, `tag:` and `model:`.

use std::collections::HashMap;

use crate::list::Rows;
use crate::search::project_label;
use crate::store::SessionMeta;
use crate::text::sanitize;
use crate::tui::data::Names;

/// Maximum number of each: the common ones are the ones that are typed.
const MOST: usize = 1000;

/// The names of all rows that are shown, the most common first.
pub fn of(rows: &Rows) -> Names {
    Names {
        projects: most_common(rows, |meta| meta.cwd.as_deref().map(project_label)),
        branches: most_common(rows, |meta| meta.git_branch.as_deref()),
        tags: most_common(rows, |meta| meta.tag.as_deref()),
        models: most_common(rows, |meta| meta.model.as_deref()),
    }
}

fn most_common(rows: &Rows, name: fn(&SessionMeta) -> Option<&str>) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let shown = rows.iter().filter(|row| row.session.hidden.is_none());
    for name in shown.filter_map(|row| name(&row.session.meta)) {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let names = names.into_iter().take(MOST);
    names.map(|(name, _)| sanitize(name).into_owned()).collect()
}
