//! Titles that shells have to quote, completed key by key in the shells themselves. What a
//! completion puts into the line must be something that the next one goes on from.

use crate::desk::{Desk, Pty};
use crate::shells::{interactive, titled, until};
use crate::support::{Store, id};

const TITLES: [&str; 10] = [
    "docs: update readme",
    "docs: update recipes",
    "don't panic",
    "don't worry",
    "zap & stuff one",
    "zap & stuff two",
    "bug(core): alpha",
    "bug(core): beta",
    "wow! $HOME \"x\"",
    "Zapper",
];

/// Types keys after the command's name, completes, and lets the shell print the words of the line.
/// All of it is typed at once: a shell reads on only when a completion is done.
fn becomes(pty: &mut Pty, keys: &str, word: &str) {
    let line = format!("claude-resume {keys}\x01printf '<%s>' \x05\r");
    pty.type_text(&line);
    pty.wait_for(&format!("<claude-resume><{word}>"));
    until(pty, "clear; echo 're''st'\r", "rest\nready>");
}

#[test]
fn what_a_completion_has_put_in_is_completed_further() {
    for name in ["bash", "zsh", "fish"] {
        let desk = Desk::new();
        for (n, title) in (5..).zip(TITLES) {
            let content = titled(title, &desk.shop);
            desk.store.session("-shop", &id(n), 5, content);
        }
        let Some(mut pty) = interactive(&desk, name) else {
            continue;
        };
        for (keys, word) in [
            ("docs\ta\t", "docs: update readme"),
            ("docs:\tc\t", "docs: update recipes"),
            ("don\tp\t", "don't panic"),
            ("don\\'\tw\t", "don't worry"),
            ("\"don\tw\t", "don't worry"),
            ("zap\\ \to\t", "zap & stuff one"),
            ("'zap & st\tt\t", "zap & stuff two"),
            ("zap\\ \\&\tt\t", "zap & stuff two"),
            ("bug\tb\t", "bug(core): beta"),
            ("ZAPP\t", "Zapper"),
            ("wow\t", "wow! $HOME \"x\""),
            ("\"wow\t", "wow! $HOME \"x\""),
            ("'wow\t", "wow! $HOME \"x\""),
        ] {
            becomes(&mut pty, keys, word);
        }
        pty.type_text("exit\r");
        pty.end();
    }
}

#[test]
fn fish_gets_a_long_title_because_it_would_drop_an_id() {
    let store = Store::new();
    let long = "Long title ".repeat(12).trim_end().to_owned();
    let content = titled(&long, &store.outside("work"));
    store.session("-p", &id(1), 1, content);
    for (shell, value) in [("fish", long.as_str()), ("zsh", &id(1)), ("bash", &id(1))] {
        let ran = store.run(&["complete", "--shell", shell, "--", "long"]);
        assert_eq!(ran.out.split('\t').next(), Some(value), "{shell}");
    }
}
