//! What the documents promise, held against what is there.

use std::fs;
use std::path::Path;

use crate::support::Store;

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

#[test]
fn the_test_command_of_the_readme_is_the_one_that_decides() {
    let command = "cargo fmt --check && cargo clippy --locked --all-targets -- -D warnings && cargo test --locked";
    assert!(text("README.md").lines().any(|line| line.trim() == command));
    assert!(text(".ci/run").lines().any(|line| line == command));
    assert!(text(".github/workflows/ci.yml").contains("bash .ci/run"));
}

#[test]
fn help_and_version_answer() {
    let store = Store::new();
    let help = store.run(&["list", "--help"]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("hidden kinds"), "{}", help.out);
    let version = concat!("claude-resume ", env!("CARGO_PKG_VERSION"));
    assert_eq!(store.run(&["--version"]).out.trim(), version);
}

#[test]
fn the_format_document_describes_every_key_of_the_history() {
    let format = text("docs/FORMAT.md");
    let store = Store::new();
    let entry = crate::history_command::entry("x", 1, Path::new("/p"), Some("gone"));
    crate::history_command::write(&store.root(), &[entry]);
    let listed = store.run(&["history", "--deleted", "--json"]).json();
    let keys = listed[0].as_object().expect("an object");
    assert_eq!(keys.len(), 10);
    for key in keys.keys() {
        assert!(format.contains(&format!("| `{key}` |")), "{key}");
    }
}

#[test]
fn the_format_document_describes_every_json_key() {
    let format = text("docs/FORMAT.md");
    for (command, least) in [("list", 22), ("show", 12)] {
        let contract = text(&format!(
            "tests/suite/snapshots/all__{command}_command__the_json_contract.snap"
        ));
        let mut keys = 0;
        for line in contract.lines().filter(|line| line.starts_with("  \"")) {
            let key = line
                .trim()
                .trim_start_matches('"')
                .split('"')
                .next()
                .unwrap_or_default();
            assert!(
                format.contains(&format!("| `{key}` |")),
                "docs/FORMAT.md does not describe {key}"
            );
            keys += 1;
        }
        assert!(keys >= least);
    }
}
