//! Names in the store to complete: sessions, branches, tags.

use std::collections::{BTreeSet, HashMap};

use clap::CommandFactory;
use uuid::Uuid;

use super::Candidate;
use crate::cli::init::InitShell;
use crate::cli::surroundings::Surroundings;
use crate::cli::what::{could_be_a_title, name, one_line};
use crate::cli::{Arguments, collect};
use crate::list::{Row, Scope, Sort};
use crate::store::{ScanDepth, Session};
use crate::text::{age, sanitize, truncate, width};

/// The most candidates.
const MOST: usize = 200;
/// Columns of a title in a description.
const TITLE: usize = 60;
/// Columns of a title in fish, which drops candidates that do not contain the typed text, such as
/// ids.
const FISH_TITLE: usize = 240;

/// How a session is named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Id,
    /// By its title, if that is unique and no id was typed.
    Title,
}

#[derive(Debug, Clone, Copy)]
pub struct StoreNames<'a> {
    pub surroundings: &'a Surroundings,
    pub shell: InitShell,
}

impl StoreNames<'_> {
    /// All values of a field.
    pub fn each(&self, field: impl Fn(&Session) -> Option<&str>) -> Vec<String> {
        let (rows, _) = collect(self.surroundings, ScanDepth::Candidates);
        let shown = rows.iter().filter(|row| row.session.hidden.is_none());
        let found: BTreeSet<String> = shown
            .filter_map(|row| field(&row.session))
            // A name with control characters cannot be typed.
            .filter(|name| sanitize(name) == *name)
            .map(str::to_owned)
            .collect();
        found.into_iter().take(MOST).collect()
    }

    /// Sessions whose id begins with the typed text or whose title contains it, nearest first.
    pub fn sessions(&self, typed: &str, kind: NameKind) -> Vec<Candidate> {
        let (rows, _) = collect(self.surroundings, ScanDepth::Candidates);
        let scope = self.surroundings.scope().unwrap_or(Scope::Everything);
        let mut shown: Vec<&Row> = rows
            .iter()
            .filter(|row| row.session.hidden.is_none())
            .filter(|row| Uuid::try_parse(&row.session.file.id).is_ok())
            .collect();
        Sort::Activity.arrange(&mut shown);
        shown.sort_by_cached_key(|row| !scope.contains(&row.session));
        let typed = typed.to_lowercase();
        let now = self.surroundings.now.timestamp_millis();
        let mut titles: HashMap<String, usize> = HashMap::new();
        for row in &shown {
            if let Some(title) = name(&row.session) {
                *titles.entry(title.to_lowercase()).or_default() += 1;
            }
        }
        let mut commands = Arguments::command();
        // Adds `help`.
        commands.build();
        let widest = match self.shell {
            InitShell::Fish => FISH_TITLE,
            _ => TITLE,
        };
        let mut found = Vec::new();
        for row in shown {
            let session = &row.session;
            let id = session.file.id.to_string();
            let title = one_line(&session.meta.headline().unwrap_or_default());
            let begins = id.to_lowercase().starts_with(&typed);
            let is_in_title = !title.is_empty() && title.to_lowercase().contains(&typed);
            if !begins && !is_in_title {
                continue;
            }
            let age = age(session.last_activity(), now);
            // A title has to be unique, short, and read as a title.
            let is_name = name(session)
                .is_some_and(|title| titles.get(&title.to_lowercase()) == Some(&1))
                && could_be_a_title(&title)
                && commands.find_subcommand(&title).is_none()
                && width(&title) <= widest;
            let begun = begins && !typed.is_empty();
            found.push(if kind == NameKind::Title && is_name && !begun {
                let short: String = id.chars().take(8).collect();
                (title, format!("{short} ({age})"))
            } else {
                (id, format!("{} ({age})", truncate(&title, TITLE)))
            });
            if found.len() == MOST {
                break;
            }
        }
        found
    }
}
