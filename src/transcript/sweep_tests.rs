use super::{CHUNK, LONGEST, sweep};

fn found(text: &str, word: &str) -> Vec<String> {
    let mut lines = Vec::new();
    sweep(text.as_bytes(), word.as_bytes(), |hit| {
        assert!(hit.rest().starts_with(word.as_bytes()));
        let line = String::from_utf8_lossy(hit.line()).into_owned();
        // Long ones are told by their length.
        lines.push(if line.len() < 100 {
            line
        } else {
            line.len().to_string()
        });
    })
    .expect("read");
    lines
}

#[test]
fn every_hit_has_its_line() {
    assert_eq!(found("a x\nb\n\nxx\nc x", "x"), ["a x", "xx", "xx", "c x"]);
    assert_eq!(found("", "x"), Vec::<String>::new());
    assert_eq!(found("a\nb\n", "x"), Vec::<String>::new());
}

#[test]
fn lines_may_straddle_chunks() {
    for shift in 0..6 {
        let filler = "-".repeat(CHUNK - 4 + shift);
        let text = format!("{filler}\nthe word\n{filler}\nthe word");
        let wanted = ["the word", "the word"];
        assert_eq!(found(&text, "word"), wanted, "{shift}");
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over_and_the_next_is_not() {
    let long = "word ".repeat(LONGEST);
    let text = format!("word\n{long}\nword again\n{long}");
    assert_eq!(found(&text, "word"), ["word", "word again"]);
    let nearly = format!("{}word", "-".repeat(LONGEST / 2));
    let text = format!("{nearly}\n{nearly}\n");
    assert_eq!(found(&text, "word").len(), 2);
}
