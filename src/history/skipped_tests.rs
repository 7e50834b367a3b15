use std::path::Path;

use super::{Skip, Skipped};
use crate::history::Prompt;

fn prompt(display: &str, timestamp: i64, session: Option<&str>) -> Prompt {
    Prompt {
        display: display.to_owned(),
        timestamp,
        session: session.map(str::to_owned),
        ..Prompt::default()
    }
}

#[test]
fn what_is_written_is_read_back_and_garbage_hides_nothing() {
    let asked = prompt("why?", 1_760_000_000_123, Some("8c1f"));
    let skip = Skip::of(&asked, "/home/ada/my\tclaude/history.jsonl".into());
    let text = format!("{}\nnonsense\n1\n\n", skip.line());
    let skipped = Skipped::parse(&text);
    let mut expected = Skipped::default();
    expected.add(skip.clone());
    assert_eq!(skipped, expected);
    let has = |prompt: &Prompt| skipped.has(&skip.history, prompt);
    assert!(has(&asked));
    assert!(!has(&prompt("why?", asked.timestamp, None)));
    assert!(!has(&prompt("why?", asked.timestamp + 1, Some("8c1f"))));
    assert!(!has(&prompt("why not?", asked.timestamp, Some("8c1f"))));
    assert!(!skipped.has(Path::new("/elsewhere/history.jsonl"), &asked));
}

#[test]
fn an_entry_without_a_hash_hides_whatever_was_asked_then() {
    let skipped = Skipped::parse("17\t8c1f\t/home/ada/#my\tclaude/history.jsonl\n");
    let history = Path::new("/home/ada/#my\tclaude/history.jsonl");
    assert!(skipped.has(history, &prompt("one", 17, Some("8c1f"))));
    assert!(skipped.has(history, &prompt("another", 17, Some("8c1f"))));
    assert!(!skipped.has(history, &prompt("one", 17, None)));
}
