use proptest::prelude::*;

use super::markdown;
use crate::text::width;

fn text(source: &str, columns: usize) -> String {
    let lines = markdown(source, columns, None).into_iter().map(|line| {
        let text: String = line.into_iter().map(|span| span.text).collect();
        text.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn blocks_are_laid_out() {
    let source = "# Title\nA *nice* day with `code` and a [link](https://example.com/x).\n\n\
        - one\n- two with many words that go on\n  - inner\n\n1. first\n2. second\n\n\
        > quoted words that are long enough to go on\n\n```rust\nfn main() {}\n```\n\n---\n\
        - [x] done\n- [ ] open";
    insta::assert_snapshot!(text(source, 30));
}

#[test]
fn tables_give_way() {
    let source = "| name | what it does |\n|---|---|\n| a | a long description that must give way |\n| 漢字 | b |";
    insta::assert_snapshot!(text(source, 28));
}

#[test]
fn tables_keep_their_sides_and_their_breaks() {
    let source =
        "| n | mid | text |\n|---:|:---:|---|\n| 7 | a | one<br>two |\n| 100 | abcde | x |";
    assert_eq!(
        text(source, 40),
        "  n │  mid  │ text\n────┼───────┼─────\n  7 │   a   │ one\n    │       │ two\n100 │ abcde │ x"
    );
    assert_eq!(text("one<br/>two<BR />three", 40), "one\ntwo\nthree");
    assert_eq!(text("one<br>\ntwo", 40), "one\ntwo");
}

#[test]
fn escape_sequences_are_gone_as_a_whole() {
    let source = "| \u{1b}[31ma\u{1b}[0m | b |\n|---|---|\n| c | d |";
    assert!(text(source, 40).starts_with("a │ b\n"));
    assert_eq!(
        text("see \u{1b}[1mthis\u{1b}[0m\nand that", 40),
        "see this\nand that"
    );
}

#[test]
fn tags_are_text_to_be_seen() {
    assert_eq!(text("why is <div> red?", 40), "why is <div> red?");
    assert_eq!(
        text("<details>\nhidden\n</details>", 40),
        "<details>\nhidden\n</details>"
    );
}

proptest! {
    #[test]
    fn no_line_is_too_wide_and_none_holds_a_control(
        source in "(#|-|>|\\*|`|\\||\n|[a-z漢🎉]|\\[|\\]\\(x\\)|1\\.|\t|\u{1b}| ){0,60}",
        columns in 10_usize..60,
    ) {
        for line in markdown(&source, columns, None) {
            let text: String = line.into_iter().map(|span| span.text).collect();
            prop_assert!(width(&text) <= columns, "{text:?}");
            prop_assert!(!text.contains(char::is_control), "{text:?}");
        }
    }
}
