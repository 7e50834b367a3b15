use std::collections::BTreeSet;

use super::script::{Script, Step};
use super::{SCRIPTS, demo};

const NOW: i64 = 1_772_359_200_000;

#[test]
fn every_script_says_who_where_when_and_what() {
    for source in SCRIPTS {
        let script = Script::parse(source);
        let project = &script.project;
        assert!(
            !project.is_empty() && !script.branch.is_empty() && script.ago > 0,
            "{source}"
        );
        assert!(script.steps.len() >= 3, "{project}");
        let understood = script.steps.iter().all(|step| match step {
            Step::You(text)
            | Step::Claude(text)
            | Step::Read(text)
            | Step::Think(text)
            | Step::Hook(text)
            | Step::Compact(text) => !text.is_empty(),
            Step::Shell { command, output } => !command.is_empty() && !output.is_empty(),
            Step::Edit { path, patch } => !path.is_empty() && !patch.is_empty(),
            Step::Todos(todos) => !todos.is_empty(),
            Step::Agent { task, answer } => !task.is_empty() && !answer.is_empty(),
            Step::Rewind(prompt) => *prompt > 0,
        });
        assert!(understood, "{script:?}");
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
