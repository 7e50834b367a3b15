use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::headline;

#[test]
fn openings_that_hide_the_subject_are_passed_over() {
    for (stored, shown) in [
        (
            "Implement the following plan:  # Plan: Redesign Action Summary  ## Context  The row",
            "Redesign Action Summary",
        ),
        (
            "Implement the following plan:  # Management Report: Roles & Audit  ## Context",
            "Management Report: Roles & Audit",
        ),
        (
            "Implement the following plan:  # Delta Aggregation & Predictions Plan  ## C…",
            "Delta Aggregation & Predictions Plan",
        ),
        (
            "Implement the following plan: fix the flaky test",
            "fix the flaky test",
        ),
        ("Implement the following plan:", ""),
        (
            "# Plan: Personal Profile Website",
            "Personal Profile Website",
        ),
        ("Plan the release", "Plan the release"),
        (
            "This session is being continued from a previous conversation that ran out of context",
            "",
        ),
        ("/clear", ""),
        ("/exit", ""),
        ("/review 412", "/review 412"),
        ("/model opusplan", ""),
        ("! cargo test --workspace", "$ cargo test --workspace"),
        (
            "(base) ada@mac work % code --list-extensions zsh: command not found: code",
            "$ code --list-extensions",
        ),
        ("!", "!"),
        ("?", "?"),
        ("[Image #2] the button is cut", "the button is cut"),
        ("[Image #2]", ""),
        (
            "https://github.com/acme/shop/pull/412 review this",
            "acme/shop#412 review this",
        ),
        (
            "https://docs.example.org/a/b/c/guide.html what is new",
            "docs.example.org/…/guide.html what is new",
        ),
        (
            r"S:\01_Repos\Portal\Views\Reports\Summary.cshtml add a link",
            r"…\Summary.cshtml add a link",
        ),
        (
            r"in C:\Users\ada\OneDrive\12\ENVSelect for the ENVSelect.py I want",
            r"in …\ENVSelect for the ENVSelect.py I want",
        ),
        (
            "/Users/ada/code/shop/src/auth/refresh.rs why UTC?",
            "…/refresh.rs why UTC?",
        ),
        ("src/auth.rs is slow", "src/auth.rs is slow"),
        (
            "**Mandate for Harmony** read it",
            "Mandate for Harmony read it",
        ),
    ] {
        assert_eq!(headline(stored), shown, "{stored}");
    }
}

#[test]
fn openings_are_passed_over_one_after_the_other() {
    for (stored, shown) in [
        ("[Image #1] [Image #2] # Plan: Fix it", "Fix it"),
        (
            "Implement the following plan:\n\n# Fix it\n\n## Context",
            "Fix it",
        ),
        (
            "Implement the following plan:\r\n\r\n# Plan: Fix it\r\n\r\n## Ctx",
            "Fix it",
        ),
        // The same on one line, as it is stored.
        (
            "Implement the following plan:\r \r # Plan: Fix it\r \r ## Ctx",
            "Fix it",
        ),
        ("[Pasted text #1 +20 lines] why?", "why?"),
        ("[Pasted text #1 +20 lines] [Image #2]", ""),
        (
            "Implement the following plan:  # **Plan: Fix it**",
            "Fix it",
        ),
        ("**Plan:** fix it", "fix it"),
        ("# Plan – Fix it", "Fix it"),
        ("# Implementation Plan: Fix it  ## Goal", "Fix it"),
        ("# Plan  ## Fix it  Now", "Fix it  Now"),
        ("# C# and F#  ## Context", "C# and F#"),
        ("# A title  with #412 in it", "A title  with #412 in it"),
    ] {
        assert_eq!(headline(stored), shown, "{stored}");
    }
}

#[test]
fn what_only_looks_like_an_opening_is_kept() {
    for kept in [
        "#412 is open",
        "#include <stdio.h> is missing",
        "Plan::new() panics",
        "Planning: who comes?",
        "Plan  the release",
        "**kwargs or *args?",
        "**/*.rs and **/*.toml",
        "see this  ## Context  of a paste",
        "[x] done, [ ] not done",
        "!important does nothing",
        "ada@example.org reads 20 % less",
        "/tmp/x is full",
        "/Users",
        "/compact/mode is a path",
        "and/or/but",
        "reads/writes/deletes/updates/lists nothing",
        "<div>src/components/settings/Profile.tsx</div>",
        "n/2 = m/2",
    ] {
        let shown = headline(kept);
        let is_bare = kept == "/Users";
        assert_eq!(shown, if is_bare { "" } else { kept }, "{kept}");
    }
}

#[test]
fn a_pasted_shell_prompt_becomes_a_sign() {
    for (stored, shown) in [
        ("ada@mac ~ % git push", "$ git push"),
        ("ada@box:~/shop$ make ada@box:~/shop$ make", "$ make"),
        (
            "(base) ada@mac a % ls b c (base) ada@mac a % cd b",
            "$ ls b c",
        ),
        ("root@box:/# df -h bash: df: command not found", "$ df -h"),
        ("ada@mac ~ % ", "ada@mac ~ %"),
        (
            "git@github.com:acme/shop is gone",
            "git@github.com:acme/shop is gone",
        ),
    ] {
        assert_eq!(headline(stored), shown, "{stored}");
    }
}

#[test]
fn web_addresses_keep_their_host_and_their_end() {
    for (stored, shown) in [
        (
            "see (https://github.com/acme/shop/issues/7).",
            "see (acme/shop#7).",
        ),
        (
            "https://github.com/acme/shop/pull/4/files#r1, ok?",
            "acme/shop#4, ok?",
        ),
        ("https://github.com/acme/shop", "acme/shop"),
        ("https://github.com/acme/shop/issues", "acme/shop/issues"),
        (
            "https://github.com/acme/shop/blob/main/a.rs",
            "acme/shop/…/a.rs",
        ),
        ("https://example.org", "example.org"),
        ("<http://example.org/a/?q=1#top>", "<example.org/a>"),
        (
            "[b](https://ada:secret@example.org/a/b)",
            "[b](example.org/…/b)",
        ),
        (
            "https://a.org/b/c https://d.org/e/f/g/h/i/j/k",
            "a.org/…/c d.org/…/k",
        ),
        ("https://", "https://"),
    ] {
        assert_eq!(headline(stored), shown, "{stored}");
    }
}

#[test]
fn long_paths_keep_their_end() {
    for (stored, shown) in [
        (
            r#""C:\My Documents\of 2026\report.txt" is empty"#,
            r#""…\report.txt" is empty"#,
        ),
        (
            "'/Users/ada/My Documents/a b.txt' is empty",
            "'…/a b.txt' is empty",
        ),
        (
            r"/Users/ada/My\ Documents/notes.md is empty",
            "…/notes.md is empty",
        ),
        ("'/Users/ada/code/shop/src/auth is slow", "'…/auth is slow"),
        (
            "@src/components/settings/Profile.tsx: fix it",
            "@…/Profile.tsx: fix it",
        ),
        ("(~/code/shop/src/auth/refresh.rs).", "(…/refresh.rs)."),
        (
            "look into /Users/ada/code/shop/src/auth/",
            "look into …/auth",
        ),
        ("'either a/b or c/d' it says", "'either a/b or c/d' it says"),
    ] {
        assert_eq!(headline(stored), shown, "{stored}");
    }
    let late = format!(
        "{} /Users/ada/code/shop/src/refresh.rs",
        "word ".repeat(12).trim()
    );
    assert_eq!(headline(&late), late);
}

/// Texts with much in them that the rules look for.
fn prompts() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "Implement the following plan:",
        "#",
        "##",
        "  ",
        " ",
        "Plan",
        ":",
        " – ",
        "**",
        "[Image #1]",
        "[Pasted text #2 +3 lines]",
        "! ",
        "(base) ",
        "ada@mac ",
        "~ % ",
        "ada@box:~$ ",
        " zsh: ",
        "https://",
        "github.com/",
        "acme/shop/",
        "pull/",
        "412",
        "/",
        "\\",
        "C:\\",
        "Users",
        "\"",
        "'",
        "…",
        "a.rs",
        "用户",
        "e\u{301}",
        "\u{301}",
        "\u{200d}",
        "\u{fe0f}",
        "👩",
        "🇩",
        "🇪",
        "\u{1160}",
        "\u{200b}",
        "\\ ",
        "?",
        ".",
    ]);
    prop::collection::vec(
        prop_oneof![4 => parts.prop_map(str::to_owned), 1 => "\\PC{0,6}"],
        0..24,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
        #[test]
    fn every_word_was_stored_and_no_line_gets_wider(prompt in prompts()) {
        let shown = headline(&prompt);
        let is_sign = |c: char| c.is_whitespace() || c.is_ascii_punctuation() || c == '…';
        for word in shown.split(is_sign).filter(|word| !word.is_empty()) {
            // Marks of bold text may stand inside a word.
            let stored = prompt.contains(word) || prompt.replace("**", "").contains(word);
            prop_assert!(stored, "{word:?} of {shown:?}");
        }
        prop_assert!(shown.width() <= prompt.width(), "{shown:?}");
    }
}
