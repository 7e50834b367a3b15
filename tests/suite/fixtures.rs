//! What the windows of each fixture say, and that each fixture says what it proves.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use claude_resume::store::LiteReading;

use crate::support::read;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn names(kind: &str) -> BTreeSet<String> {
    fs::read_dir(folder().join(kind))
        .expect("exists")
        .map(|entry| {
            let name = entry
                .expect("listed")
                .file_name()
                .into_string()
                .expect("UTF-8");
            name.strip_suffix(".jsonl")
                .expect("a transcript")
                .to_owned()
        })
        .collect()
}

/// Every field that is there, one a line.
fn describe(reading: &LiteReading) -> String {
    let meta = &reading.meta;
    let mut fields = vec![format!("sight: {:?}", reading.coverage)];
    let title = meta
        .raw_title()
        .map(|(source, text)| format!("{text:?} ({source:?})"));
    let mut add = |name: &str, value: Option<String>| {
        fields.extend(value.map(|value| format!("{name}: {value}")));
    };
    let text = |value: &Option<Box<str>>| value.as_ref().map(|text| format!("{text:?}"));
    add("title", title);
    add("first prompt", text(&meta.first_prompt));
    add(
        "last prompt",
        meta.last_prompt().map(|text| format!("{text:?}")),
    );
    add("tag", text(&meta.tag));
    add("branch", text(&meta.git_branch));
    add("cwd", text(&meta.cwd));
    add("created", meta.created.map(|at| at.to_string()));
    add("last message", meta.last_message.map(|at| at.to_string()));
    add("kind", meta.kind.map(|kind| kind.name().to_owned()));
    add(
        "pr",
        meta.pr
            .as_ref()
            .map(|pr| format!("{} {:?} {:?}", pr.number, pr.url, pr.repository)),
    );
    add("continued in", text(&meta.continued_in));
    let first = meta.origin.first_message;
    add("model", text(&meta.model));
    add("left", meta.left.map(|left| format!("{left:?}")));
    add("torn end", meta.torn_end.then(|| "yes".to_owned()));
    add("first message", first.map(|id| id.to_string()));
    add("forked from", text(&meta.origin.forked_from));
    add(
        "title cleared",
        reading.title_cleared.then(|| "yes".to_owned()),
    );
    format!("  {}\n", fields.join("\n  "))
}

#[test]
fn every_fixture_reads_as_recorded() {
    let mut described = String::new();
    for name in names("lite") {
        let bytes = fs::read(folder().join("lite").join(format!("{name}.jsonl"))).expect("read");
        described += &(name + "\n" + &describe(&read(&bytes)));
    }
    insta::assert_snapshot!(described);
}

#[test]
fn every_fixture_has_a_line_on_what_it_proves() {
    let readme = fs::read_to_string(folder().join("README.md")).expect("read");
    for kind in ["lite", "transcript"] {
        let heading = format!("| fixture in `{kind}/` |");
        let explained: BTreeSet<String> = readme
            .lines()
            .skip_while(|line| !line.starts_with(&heading))
            .take_while(|line| line.starts_with('|'))
            .filter_map(|line| {
                line.strip_prefix("| `")?
                    .split_once('`')
                    .map(|(name, _)| name.to_owned())
            })
            .collect();
        assert_eq!(explained, names(kind));
    }
}

/// `docs/FORMAT.md` names a fixture for each fact: none of them may be gone.
#[test]
fn the_format_document_names_only_fixtures_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let format = fs::read_to_string(root.join("docs/FORMAT.md")).expect("read");
    for kind in ["lite", "transcript"] {
        let names = names(kind);
        let named: Vec<&str> = format
            .split(&format!("`{kind}/"))
            .skip(1)
            .filter_map(|rest| rest.split('`').next())
            .collect();
        assert!(named.len() > 20, "the document names its proofs: {named:?}");
        for name in named {
            assert!(names.contains(name), "{name} is not in fixtures/{kind}");
        }
    }
}
