//! Names that the store knows, for completing them: sessions, branches, tags.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use clap::CommandFactory;
use uuid::Uuid;

use crate::cli::hand_over::ShellName;
use crate::cli::surroundings::Surroundings;
use crate::cli::what::{could_be_a_title, name, one_line};
use crate::cli::{Arguments, collect};
use crate::list::{Row, Rows, Scope, Sort};
use crate::store::{ScanDepth, Session, worktrees};
use crate::text::{age, sanitize, truncate, width};

/// Candidates that a person can look through.
const MOST: usize = 200;
/// Columns of a title in a description.
const TITLE: usize = 60;
/// Columns of a title that fish gets: it drops whatever does not hold what was typed, and an id
/// does not.
const FISH_TITLE: usize = 240;

/// What a session is called on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Id,
    /// Its title, where that names it and no other, and no id was begun.
    Title,
}

#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    pub surroundings: &'a Surroundings,
    pub roots: &'a [PathBuf],
    pub shell: ShellName,
}

impl Names<'_> {
    fn rows(&self) -> anyhow::Result<Rows> {
        let (rows, _) = collect(self.roots, ScanDepth::Candidates)?;
        Ok(rows)
    }

    pub fn branches(&self) -> anyhow::Result<Vec<String>> {
        self.each(|session| session.meta.git_branch.as_deref())
    }

    pub fn tags(&self) -> anyhow::Result<Vec<String>> {
        self.each(|session| session.meta.tag.as_deref())
    }

    fn each(&self, pick: impl Fn(&Session) -> Option<&str>) -> anyhow::Result<Vec<String>> {
        let rows = self.rows()?;
        let shown = rows.iter().filter(|row| row.session.hidden.is_none());
        let found: BTreeSet<String> = shown
            .filter_map(|row| pick(&row.session))
            // What is no safe text cannot be typed either.
            .filter(|name| sanitize(name) == *name)
            .map(str::to_owned)
            .collect();
        Ok(found.into_iter().take(MOST).collect())
    }

    /// Sessions whose id begins with what was typed, or whose title contains it, those of here first.
    pub fn sessions(&self, typed: &str, wanted: Wanted) -> anyhow::Result<Vec<(String, String)>> {
        let rows = self.rows()?;
        let here = self.surroundings.current_dir.as_ref();
        let scope = here.map(|here| Scope::repository(worktrees(here), here.clone()));
        let mut shown: Vec<&Row> = rows
            .iter()
            .filter(|row| row.session.hidden.is_none())
            .filter(|row| Uuid::try_parse(&row.session.file.id).is_ok())
            .collect();
        Sort::Activity.arrange(&mut shown);
        let is_far = |row: &&Row| {
            let scope = scope.as_ref();
            !scope.is_some_and(|scope| scope.contains(&row.session))
        };
        shown.sort_by_key(is_far);
        let typed = typed.to_lowercase();
        let now = self.surroundings.now.timestamp_millis();
        let mut titles: HashMap<String, usize> = HashMap::new();
        for row in &shown {
            if let Some(title) = name(&row.session) {
                *titles.entry(title.to_lowercase()).or_default() += 1;
            }
        }
        let mut commands = Arguments::command();
        // `help` is one from then on.
        commands.build();
        let widest = match self.shell {
            ShellName::Fish => FISH_TITLE,
            _ => TITLE,
        };
        let mut found = Vec::new();
        for row in shown {
            let session = &row.session;
            let id = session.file.id.to_string();
            let title = session.meta.title().map_or("", |(_, title)| title);
            let title = one_line(title);
            let begins = id.to_lowercase().starts_with(&typed);
            let is_in_title = !title.is_empty() && title.to_lowercase().contains(&typed);
            if !begins && !is_in_title {
                continue;
            }
            let age = age(session.last_activity(), now);
            // Only what leads straight to the session stands for it, and nobody wants a page of
            // text on the line.
            let leads_there = name(session)
                .is_some_and(|title| titles.get(&title.to_lowercase()) == Some(&1))
                && could_be_a_title(&title)
                && commands.find_subcommand(&title).is_none()
                && width(&title) <= widest;
            let begun = begins && !typed.is_empty();
            found.push(if wanted == Wanted::Title && leads_there && !begun {
                let short: String = id.chars().take(8).collect();
                (title, format!("{short} ({age})"))
            } else {
                (id, format!("{} ({age})", truncate(&title, TITLE)))
            });
            if found.len() == MOST {
                break;
            }
        }
        Ok(found)
    }
}
