use super::{BatchCard, BatchLine};
use crate::resume::{Batch, Staying};

#[test]
fn nothing_from_disk_reaches_the_terminal_as_it_stands() {
    let batch = Batch {
        staying: vec![Staying {
            title: "\u{1b}]0;owned\u{7}fix\u{202e} login".to_owned(),
            why: "/home/ada/a\nb\u{1b}[2J is gone".to_owned(),
        }],
        ..Batch::default()
    };
    let lines = BatchCard::new(batch).lines(80);
    assert!(
        lines.contains(&BatchLine::Title("fix login".to_owned())),
        "{lines:?}"
    );
    assert!(
        lines.contains(&BatchLine::Why("/home/ada/a b is gone".to_owned())),
        "{lines:?}"
    );
}
