use super::printed;

#[test]
fn what_was_written_over_is_gone() {
    for (line, shown) in [
        ("plain", "plain"),
        ("10%\r20%\r100%", "100%"),
        ("downloading\rdone", "done"),
        ("with an end of line\r", "with an end of line"),
        ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E", "NAME"),
        ("|\u{8}/\u{8}-\u{8}ok", "ok"),
        ("\u{8}\u{8}x", "x"),
        ("\u{1b}[32m100 %\u{1b}[0m\rok", "ok"),
        ("", ""),
        ("\r\r", ""),
    ] {
        assert_eq!(printed(line), shown, "{line:?}");
    }
}
