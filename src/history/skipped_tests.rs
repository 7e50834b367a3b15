use std::path::Path;

use super::{Skip, Skipped};

#[test]
fn what_is_written_is_read_back_and_garbage_hides_nothing() {
    let skip = Skip {
        history: "/home/ada/my\tclaude/history.jsonl".into(),
        timestamp: 1_760_000_000_123,
        session: "8c1f".to_owned(),
    };
    let text = format!("{}\nnonsense\n1\n\n", skip.line());
    let skipped = Skipped::parse(&text);
    let mut expected = Skipped::default();
    expected.add(skip.clone());
    assert_eq!(skipped, expected);
    assert!(skipped.has(&skip.history, skip.timestamp, Some("8c1f")));
    assert!(!skipped.has(&skip.history, skip.timestamp, None));
    assert!(!skipped.has(&skip.history, skip.timestamp + 1, Some("8c1f")));
    assert!(!skipped.has(
        Path::new("/elsewhere/history.jsonl"),
        skip.timestamp,
        Some("8c1f")
    ));
}
