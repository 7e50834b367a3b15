use super::{InitShell, Key};

#[test]
fn keys_are_written_as_each_shell_has_them() {
    let key = Key::parse("Ctrl-G").expect("a key");
    assert_eq!(key.name(), "Ctrl+G");
    assert_eq!(key.binding(InitShell::Bash), r"\C-g");
    assert_eq!(key.binding(InitShell::Zsh), "^G");
    assert_eq!(key.binding(InitShell::Fish), r"\cg");
    let key = Key::parse("alt-r").expect("a key");
    assert_eq!(key.binding(InitShell::Zsh), "^[r");
    for spelling in ["Alt+R", "ALT-r", "M-r", "meta+r"] {
        assert_eq!(Key::parse(spelling), Some(key), "{spelling}");
    }
    assert_eq!(Key::parse("C-g"), Key::parse("Control+G"));
    assert_eq!(Key::parse("none"), Some(Key::None));
    for no in [
        "g", "ctrl-", "ctrl-gg", "ctrl-1", "hyper-x", "ctrl-\"", "", "alt++", "alt-é",
    ] {
        assert_eq!(Key::parse(no), None, "{no}");
    }
}
