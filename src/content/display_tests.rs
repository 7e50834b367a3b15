use super::display_text;
use crate::transcript::Voice;

#[test]
fn a_passage_is_what_the_screen_shows() {
    use Voice::{ToolInput, ToolOutput, User};
    for (voice, text, shown) in [
        (User, " as typed\n", "as typed"),
        (ToolOutput, "10%\r20%\r100%\nnext", "100%\nnext"),
        (ToolOutput, "|\u{8}/\u{8}ok", "ok"),
        (ToolOutput, "dos\r\nlines\r\n", "dos\nlines"),
        // Only what was printed was written over.
        (ToolInput, "a\rb", "a\rb"),
        (User, "\u{1b}[31mred\u{1b}[0m", "red"),
        // One that never ends hides no more than its line.
        (ToolOutput, "\u{1b}]0;half\nnext", "0;half\nnext"),
        (ToolOutput, "\u{1b}[2K\r\u{1b}[1m 50% ", "50%"),
        (User, "\u{c9}t\u{e9}", "\u{c9}t\u{e9}"),
    ] {
        assert_eq!(display_text(voice, text), shown, "{text:?}");
    }
}
