use std::path::Path;

use super::{Skipped, skip_line};
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
    let history = Path::new("/home/ada/my\tclaude/history.jsonl");
    let text = format!("{}\nnonsense\n1\n\n", skip_line(history, &asked));
    let skipped = Skipped::parse(&text);
    let has = |prompt: &Prompt| skipped.has(history, prompt);
    assert!(has(&asked));
    assert!(!has(&prompt("why?", asked.timestamp, None)));
    assert!(!has(&prompt("why?", asked.timestamp + 1, Some("8c1f"))));
    assert!(!has(&prompt("why not?", asked.timestamp, Some("8c1f"))));
    assert!(!skipped.has(Path::new("/elsewhere/history.jsonl"), &asked));
}
