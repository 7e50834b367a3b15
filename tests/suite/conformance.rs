//! A listing of the fixtures beside what Anthropic's JS SDK said of the same files.
//!
//! The SDK's answers are recorded, so that this runs without it. `docs/CONTRIBUTING.md` says how
//! to record them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use claude_resume::transcript::{Chain, LeafRule, LoadExtent, load, read_entries};
use serde_json::Value;

use crate::support::{Store, id};

const FIELDS: [&str; 8] = [
    "summary",
    "customTitle",
    "firstPrompt",
    "tag",
    "gitBranch",
    "cwd",
    "createdAt",
    "fileSize",
];

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Fixtures of which we give other messages than the SDK: it passes over lines that a strict
/// parser refuses, and over both of two objects on one line.
const WANTED_MESSAGES: [&str; 2] = ["health-refused-by-parsers", "health-two-on-a-line"];

/// Puts every fixture into a store; the session ids number them by name.
fn store() -> (Store, BTreeMap<String, String>) {
    let store = Store::new();
    let mut names: Vec<String> = fs::read_dir(fixtures().join("lite"))
        .expect("listed")
        .map(|entry| {
            entry
                .expect("listed")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let mut by_id = BTreeMap::new();
    for (n, name) in (1..).zip(names) {
        let content = fs::read(fixtures().join("lite").join(&name)).expect("read");
        store.session("-fixtures", &id(n), u64::from(n), content);
        by_id.insert(id(n), name.trim_end_matches(".jsonl").to_owned());
    }
    (store, by_id)
}

fn by_name(listed: &[Value], names: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    listed
        .iter()
        .map(|session| {
            (
                names[session["sessionId"].as_str().expect("an id")].clone(),
                session.clone(),
            )
        })
        .collect()
}

/// The differences as `fixture<TAB>field`.
fn differences(
    ours: &BTreeMap<String, Value>,
    theirs: &BTreeMap<String, Value>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in ours.keys().chain(theirs.keys()) {
        match (ours.get(name), theirs.get(name)) {
            (Some(ours), Some(theirs)) => {
                let differing = FIELDS.iter().filter(|field| {
                    let theirs = theirs.get(**field).unwrap_or(&Value::Null);
                    ours[**field] != *theirs
                });
                found.extend(differing.map(|field| format!("{name}\t{field}")));
            }
            _ => {
                found.insert(format!("{name}\tlisted"));
            }
        }
    }
    found
}

#[test]
fn a_listing_differs_from_the_sdk_only_where_we_say_so() {
    let (store, names) = store();
    if let Ok(path) = std::env::var("CLAUDE_RESUME_KEEP_CONFORMANCE_STORE") {
        let copied = std::process::Command::new("cp")
            .arg("-R")
            .arg(store.root())
            .arg(path)
            .status();
        assert!(copied.is_ok_and(|status| status.success()));
    }
    let ran = store.run(&["list", "--all", "--include", "all", "--json"]);
    let shown: Vec<Value> = ran
        .json()
        .into_iter()
        .filter(|row| row["hidden"].is_null())
        .collect();
    let ours = by_name(&shown, &names);

    let recorded = fs::read_to_string(fixtures().join("conformance/recorded.json")).expect("read");
    let theirs: BTreeMap<String, Value> = serde_json::from_str(&recorded).expect("JSON");

    let wanted =
        fs::read_to_string(fixtures().join("conformance/recorded-deviations.tsv")).expect("read");
    let wanted: BTreeSet<String> = wanted
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.splitn(3, '\t');
            let (case, field) = (
                columns.next().unwrap_or_default(),
                columns.next().unwrap_or_default(),
            );
            assert!(
                columns.next().is_some_and(|why| !why.is_empty()),
                "no reason: {line}"
            );
            format!("{case}\t{field}")
        })
        .collect();
    assert_eq!(differences(&ours, &theirs), wanted);
}

/// What the SDK's `getSessionMessages` says of the fixtures of the loader.
#[test]
fn the_messages_are_those_of_the_sdk() {
    let recorded = fixtures().join("conformance/recorded-messages.json");
    let recorded = fs::read_to_string(recorded).expect("read");
    let theirs: BTreeMap<String, Vec<String>> = serde_json::from_str(&recorded).expect("JSON");
    let mut ours = BTreeMap::new();
    for entry in fs::read_dir(fixtures().join("transcript")).expect("listed") {
        let path = entry.expect("listed").path();
        let index = load(&path, LoadExtent::Resumed).expect("loads");
        let chain = Chain::build(&index, LeafRule::Newest);
        let file = fs::File::open(&path).expect("opens");
        let entries = read_entries(file, chain.messages(&index)).expect("reads");
        let ids: Vec<String> = entries.into_iter().map(|entry| entry.uuid).collect();
        let name = path.file_stem().expect("a name").to_string_lossy();
        ours.insert(name.into_owned(), ids);
    }
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        theirs.keys().collect::<Vec<_>>()
    );
    let differing: BTreeSet<&str> = ours
        .iter()
        .filter(|(name, ids)| theirs[*name] != **ids)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(differing, BTreeSet::from(WANTED_MESSAGES));
}

#[test]
fn every_deviation_has_a_reason() {
    let deviations =
        fs::read_to_string(fixtures().join("conformance/deviations.tsv")).expect("read");
    for line in deviations.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), 3, "{line}");
        assert!(columns.iter().all(|column| !column.is_empty()), "{line}");
    }
}
