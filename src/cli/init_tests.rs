use super::{InitShell, ShellKey};

#[test]
fn keys_are_written_as_each_shell_has_them() {
    let key = ShellKey::parse("Ctrl-G").expect("a key");
    assert_eq!(key.name(), "Ctrl+G");
    assert_eq!(key.binding(InitShell::Bash), r"\C-g");
    assert_eq!(key.binding(InitShell::Zsh), "^G");
    assert_eq!(key.binding(InitShell::Fish), r"\cg");
    let key = ShellKey::parse("alt-r").expect("a key");
    assert_eq!(key.binding(InitShell::Zsh), "^[r");
    for spelling in ["Alt+R", "ALT-r", "M-r", "meta+r"] {
        assert_eq!(ShellKey::parse(spelling), Some(key), "{spelling}");
    }
    assert_eq!(ShellKey::parse("C-g"), ShellKey::parse("Control+G"));
    assert_eq!(ShellKey::parse("none"), Some(ShellKey::None));
    for no in [
        "g", "ctrl-", "ctrl-gg", "ctrl-1", "hyper-x", "ctrl-\"", "", "alt++", "alt-é",
    ] {
        assert_eq!(ShellKey::parse(no), None, "{no}");
    }
}
