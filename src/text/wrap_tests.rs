use proptest::prelude::*;

use super::wrap;
use crate::text::width;

#[test]
fn words_stay_whole_where_they_fit() {
    assert_eq!(wrap("the quick brown fox", 10), ["the quick", "brown fox"]);
    assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
    assert_eq!(wrap("done (or not)", 7), ["done", "(or", "not)"]);
    assert_eq!(wrap("a\n\n  b", 10), ["a", "", "  b"]);
    assert_eq!(wrap("漢字漢字漢字", 5), ["漢字", "漢字", "漢字"]);
    assert_eq!(wrap("", 10), Vec::<String>::new());
}

proptest! {
    #[test]
    fn no_line_is_too_long_and_nothing_visible_is_lost(text in "[a-z 漢é\n]{0,60}", columns in 2_usize..20) {
        let lines = wrap(&text, columns);
        for line in &lines {
            prop_assert!(width(line) <= columns, "{line:?}");
        }
        let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(visible(&lines.concat()), visible(&text));
    }
}
