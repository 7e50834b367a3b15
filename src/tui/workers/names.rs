//! The names that rows have: what can follow `project:`, `branch:`, `tag:` and `model:`.

use std::collections::HashMap;

use crate::list::Rows;
use crate::search::project_label;
use crate::text::sanitize;
use crate::tui::message::Names;

/// So many of each are kept: the common ones are the ones that are typed.
const MOST: usize = 1000;

/// Collects the names of all rows that are shown, the most common first.
pub fn of(rows: &Rows) -> Names {
    let mut projects = HashMap::new();
    let mut branches = HashMap::new();
    let mut tags = HashMap::new();
    let mut models = HashMap::new();
    for row in rows.iter().filter(|row| row.session.hidden.is_none()) {
        let meta = &row.session.meta;
        count(&mut projects, meta.cwd.as_deref().map(project_label));
        count(&mut branches, meta.git_branch.as_deref());
        count(&mut tags, meta.tag.as_deref());
        count(&mut models, meta.model.as_deref());
    }
    Names {
        projects: sorted(projects),
        branches: sorted(branches),
        tags: sorted(tags),
        models: sorted(models),
    }
}

fn count<'a>(counts: &mut HashMap<&'a str, usize>, name: Option<&'a str>) {
    if let Some(name) = name {
        *counts.entry(name).or_default() += 1;
    }
}

fn sorted(counts: HashMap<&str, usize>) -> Vec<String> {
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    names
        .into_iter()
        .take(MOST)
        .map(|(name, _)| sanitize(name).into_owned())
        .collect()
}
