use std::collections::BTreeSet;

use super::script::Script;
use super::{GONE, SCRIPTS, demo};

const NOW: i64 = 1_772_359_200_000;
const FACTS: [&str; 9] = [
    "project", "branch", "title", "tag", "worktree", "pr", "fork", "ago", "status",
];
/// Each with whether lines follow it.
const WORDS: [(&str, Option<bool>); 11] = [
    (">", None),
    ("<", None),
    ("$", Some(true)),
    ("read", Some(false)),
    ("edit", Some(true)),
    ("todo", Some(false)),
    ("agent", Some(true)),
    ("think", Some(false)),
    ("hook", Some(false)),
    ("compact", Some(false)),
    ("rewind", Some(false)),
];

#[test]
fn every_script_says_who_where_when_and_what() {
    for source in SCRIPTS.iter().chain(GONE) {
        let facts = source.lines().take_while(|line| !line.is_empty());
        for fact in facts {
            let name = fact.split_once(": ").expect("a fact").0;
            assert!(FACTS.contains(&name), "{fact}");
        }
        let script = Script::parse(source);
        let has_place = script.fact("project").is_some() && script.fact("branch").is_some();
        assert!(has_place && script.ago() > 0, "{source}");
        assert!(script.steps.len() >= 2, "{source}");
        for step in &script.steps {
            let known = WORDS.iter().find(|(word, _)| *word == step.word);
            let (_, has_more) = known.expect(step.word);
            assert!(!step.text.is_empty(), "{step:?}");
            assert!(
                has_more.is_none_or(|it| it != step.more.is_empty()),
                "{step:?}"
            );
        }
    }
}

#[test]
fn the_store_has_a_dozen_sessions_in_several_projects() {
    let demo = demo("/home/ada", NOW);
    let sessions: Vec<_> = demo
        .files
        .iter()
        .filter(|file| file.path.components().count() == 3)
        .collect();
    assert_eq!(sessions.len(), 12);
    let projects: BTreeSet<_> = sessions
        .iter()
        .filter_map(|file| file.path.parent())
        .collect();
    assert_eq!(projects.len(), 4);
    let paths: BTreeSet<_> = demo.files.iter().map(|file| &file.path).collect();
    assert_eq!(paths.len(), demo.files.len(), "no file twice");
    assert!(demo.files.iter().all(|file| file.modified <= NOW));
    assert_eq!(demo.running.len(), 1);
    for file in &sessions {
        for line in file.content.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("an object a line");
        }
    }
}

#[test]
fn the_history_knows_sessions_that_are_gone_and_prompts_that_repeat() {
    let demo = demo("/home/ada", NOW);
    let content = |name: &str| {
        let file = demo.files.iter().find(|file| file.path.ends_with(name));
        file.map(|file| file.content.clone()).expect("there")
    };
    let history = content("history.jsonl");
    let entries: Vec<serde_json::Value> = history
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let times: Vec<_> = entries.iter().map(|it| it["timestamp"].as_i64()).collect();
    assert!(times.is_sorted() && times.last() <= Some(&Some(NOW)));
    let is_there = |id: &str| {
        let name = format!("{id}.jsonl");
        demo.files.iter().any(|file| file.path.ends_with(&name))
    };
    let sessions: BTreeSet<&str> = entries
        .iter()
        .filter_map(|it| it["sessionId"].as_str())
        .collect();
    assert_eq!(sessions.iter().filter(|id| !is_there(id)).count(), 3);
    assert!(sessions.len() > 10);
    let repeated = entries.iter().filter(|it| it["display"] == "continue");
    assert_eq!(repeated.count(), 3);
    let hash = entries
        .iter()
        .find_map(|it| it["pastedContents"]["1"]["contentHash"].as_str())
        .expect("a paste");
    let pasted = content(&format!("{hash}.txt"));
    assert_eq!(crate::history::content_hash(pasted.as_bytes()), hash);
}
