use super::BatchCard;
use crate::resume::{Batch, Staying};
use crate::tui::theme::Theme;

#[test]
fn nothing_from_disk_reaches_the_terminal_as_it_stands() {
    let batch = Batch {
        staying: vec![Staying {
            title: "\u{1b}]0;owned\u{7}fix\u{202e} login".to_owned(),
            why: "/home/ada/a\nb\u{1b}[2J is gone".to_owned(),
        }],
        ..Batch::default()
    };
    let lines = BatchCard::new(batch).lines(80, Theme::default());
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    assert_eq!(lines[1], "   fix login");
    assert_eq!(lines[2], "     /home/ada/a b is gone");
}
