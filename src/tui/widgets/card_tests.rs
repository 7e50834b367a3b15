use super::wrapped;
use crate::text::width;

#[test]
fn a_long_command_is_broken_at_spaces_and_loses_nothing() {
    let command = "git -C /home/ada/code/shop worktree add --force /home/ada/code/shop/.worktrees/jwt fix/jwt";
    for columns in [8, 20, 33, 80, 200] {
        let lines = wrapped(command, columns);
        assert!(lines.iter().all(|line| width(line) <= columns), "{lines:?}");
        let spaceless = |text: &str| text.replace(' ', "");
        assert_eq!(spaceless(&lines.concat()), spaceless(command));
    }
    assert_eq!(wrapped(command, 200), [command]);
}

#[test]
fn wide_characters_are_cut_between_and_not_inside() {
    let lines = wrapped("日本語のディレクトリ", 9);
    assert_eq!(lines, ["日本語の", "ディレク", "トリ"]);
    assert_eq!(wrapped("", 10), Vec::<String>::new());
}
