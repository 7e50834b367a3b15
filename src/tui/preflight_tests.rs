use super::{BatchCard, BatchLine, broken};
use crate::resume::{Batch, Staying};
use crate::text::width;

#[test]
fn a_long_command_is_broken_at_spaces_and_loses_nothing() {
    let command = "git -C /home/ada/code/shop worktree add --force /home/ada/code/shop/.worktrees/jwt fix/jwt";
    for columns in [8, 20, 33, 80, 200] {
        let lines = broken(command, columns);
        assert!(lines.iter().all(|line| width(line) <= columns), "{lines:?}");
        let spaceless = |text: &str| text.replace(' ', "");
        assert_eq!(spaceless(&lines.concat()), spaceless(command));
    }
    assert_eq!(broken(command, 200), [command]);
}

#[test]
fn wide_characters_are_cut_between_and_not_inside() {
    let lines = broken("日本語のディレクトリ", 9);
    assert_eq!(lines, ["日本語の", "ディレク", "トリ"]);
    assert_eq!(broken("", 10), Vec::<String>::new());
}

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
