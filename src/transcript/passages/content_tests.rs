use serde_json::json;

use super::{GAP, HEAD, TAIL};
use crate::transcript::passages::tests::{lines, read, result};

#[test]
fn of_a_long_output_both_ends_are_kept() {
    let long = format!(
        "{}{}\\{}",
        "é\n".repeat(300_000),
        "\\".repeat(500_000),
        "ü\"".repeat(100_000)
    );
    for content in [
        json!(long),
        json!([{"type": "text", "text": long}, {"type": "text", "text": long}]),
    ] {
        let (found, _) = read(&lines(&[result("1", content, false)]));
        let [only] = &found[..] else {
            panic!("one passage")
        };
        let pieces: Vec<&str> = only.text.split(GAP).collect();
        assert!(
            long.starts_with(pieces[0]) && pieces[0].len() > HEAD / 2,
            "{}",
            pieces[0].len()
        );
        let last = pieces[pieces.len() - 1];
        assert!(long.ends_with(last) && last.len() > TAIL / 2);
        assert!(only.text.len() <= HEAD + TAIL + 64);
        assert!(only.cut > 40_000);
    }
    let (found, _) = read(&lines(&[result("1", "x".repeat(HEAD + TAIL), false)]));
    assert_eq!((found[0].cut, found[0].text.len()), (0, HEAD + TAIL));
}
