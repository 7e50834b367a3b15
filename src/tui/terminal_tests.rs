use super::{Multiplexer, SCREEN_PIECE, to_clipboard};

#[test]
fn the_sequence_for_the_clipboard_is_one_that_the_multiplexer_passes_on() {
    assert_eq!(
        to_clipboard("hello", Multiplexer::None),
        "\x1b]52;c;aGVsbG8=\x1b\\"
    );
    assert_eq!(
        to_clipboard("hello", Multiplexer::Tmux),
        "\x1b]52;c;aGVsbG8=\x1b\\\x1bPtmux;\x1b\x1b]52;c;aGVsbG8=\x1b\x1b\\\x1b\\"
    );
    assert_eq!(
        to_clipboard("hello", Multiplexer::Screen),
        "\x1bP\x1b]52;c;aGVsbG8=\x07\x1b\\"
    );
}

#[test]
fn screen_gets_a_long_text_in_pieces_that_it_joins() {
    let text = "日本語 ".repeat(200);
    let wrapped = to_clipboard(&text, Multiplexer::Screen);
    let pieces: Vec<&str> = wrapped.split_inclusive("\x1b\\").collect();
    assert!(pieces.len() > 5);
    let joined: String = pieces
        .iter()
        .map(|piece| {
            let inside = piece
                .strip_prefix("\x1bP")
                .expect("the beginning of a string");
            let inside = inside.strip_suffix("\x1b\\").expect("its end");
            assert!(inside.len() <= SCREEN_PIECE);
            inside
        })
        .collect();
    let plain = to_clipboard(&text, Multiplexer::None);
    assert_eq!(joined, plain.replace("\x1b\\", "\x07"));
}
