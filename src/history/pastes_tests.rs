use std::fs;

use super::{Lacking, PromptPart, content_hash, expand, expand_within, flat, is_hash, paste_path};
use crate::history::{Paste, PasteKind, Prompt};

fn prompt(display: &str, pastes: Vec<PasteKind>) -> Prompt {
    Prompt {
        display: display.to_owned(),
        pastes: (1..)
            .zip(pastes)
            .map(|(id, kind)| Paste { id, kind })
            .collect(),
        ..Prompt::default()
    }
}

#[test]
fn the_hash_is_the_beginning_of_a_sha_256() {
    assert_eq!(content_hash(b""), "e3b0c44298fc1c14");
    assert_eq!(content_hash(b"abc"), "ba7816bf8f01cfea");
}

#[test]
fn every_kind_of_reference_is_put_back_in_full() {
    let root = tempfile::tempdir().unwrap();
    let long = "line\n".repeat(80);
    let hash = content_hash(long.as_bytes());
    fs::create_dir(root.path().join("paste-cache")).unwrap();
    fs::write(root.path().join(format!("paste-cache/{hash}.txt")), &long).unwrap();
    let prompt = prompt(
        "a [Pasted text #1 +80 lines] b [Image #2] c [...Truncated text #3 +5 lines...] d [Pasted text #1]",
        vec![
            PasteKind::Stored(hash),
            PasteKind::Image,
            PasteKind::Inline("[Pasted text #1]".to_owned()),
        ],
    );
    let pieces = expand(&prompt, root.path());
    assert_eq!(
        pieces,
        [
            PromptPart::Typed("a "),
            PromptPart::Pasted(long.clone().into()),
            PromptPart::Typed(" b "),
            PromptPart::Image("[Image #2]"),
            PromptPart::Typed(" c "),
            PromptPart::Pasted("[Pasted text #1]".into()),
            PromptPart::Typed(" d "),
            PromptPart::Pasted(long.clone().into()),
        ]
    );
    assert_eq!(
        flat(&pieces),
        format!("a {long} b [Image #2] c [Pasted text #1] d {long}")
    );
}

#[test]
fn what_is_referred_to_again_and_again_is_put_back_as_long_as_there_is_room() {
    let root = tempfile::tempdir().unwrap();
    let long = "x".repeat(600);
    let hash = content_hash(long.as_bytes());
    fs::create_dir(root.path().join("paste-cache")).unwrap();
    fs::write(root.path().join(format!("paste-cache/{hash}.txt")), &long).unwrap();
    let pastes = vec![
        PasteKind::Stored(hash.clone()),
        PasteKind::Inline("y".repeat(500)),
    ];
    let prompt = prompt(&"[Pasted text #1][Pasted text #2]".repeat(1000), pastes);
    let pieces = expand_within(&prompt, root.path(), 1500);
    assert_eq!(pieces.len(), 2000);
    assert_eq!(pieces[0], PromptPart::Pasted(long.into()));
    assert_eq!(pieces[1], PromptPart::Pasted("y".repeat(500).into()));
    assert_eq!(pieces[2], PromptPart::TooMuch("[Pasted text #1]"));
    assert_eq!(flat(&pieces[2..3]), "[Pasted text #1]");
    let pasted = |piece: &&PromptPart<'_>| matches!(piece, PromptPart::Pasted(_));
    assert_eq!(pieces.iter().filter(pasted).count(), 2);
    // A file that there is no room for is not read at all.
    let first = &expand_within(&prompt, root.path(), 599)[0];
    assert_eq!(*first, PromptPart::TooMuch("[Pasted text #1]"));
}

#[test]
fn what_is_gone_or_changed_is_known_and_stands_as_it_was_typed() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("paste-cache")).unwrap();
    fs::write(
        root.path().join("paste-cache/0123456789abcdef.txt"),
        "tampered",
    )
    .unwrap();
    let prompt = prompt(
        "[Pasted text #1] [Pasted text #2] [Pasted text #3]",
        vec![
            PasteKind::Stored("0123456789abcdef".to_owned()),
            PasteKind::Stored("fedcba9876543210".to_owned()),
            PasteKind::Nothing,
        ],
    );
    let pieces = expand(&prompt, root.path());
    assert_eq!(pieces[0], PromptPart::Changed("[Pasted text #1]"));
    assert_eq!(pieces[2], PromptPart::Expired("[Pasted text #2]"));
    assert_eq!(flat(&pieces), prompt.display);
    let lost = Lacking::of(&pieces).words();
    assert_eq!(lost.as_deref(), Some("3 pastes are lost"));
}

#[test]
fn a_hash_that_is_none_never_becomes_a_path() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("secret.txt"), "secret").unwrap();
    fs::create_dir(root.path().join("paste-cache")).unwrap();
    for hash in [
        "../secret",
        "0123456789abcde",
        "0123456789abcdef0",
        "0123456789abcdeg",
        "/etc/passwd",
        "",
        "日本語日本語",
        "0123456789abcde\0",
    ] {
        assert!(!is_hash(hash), "{hash}");
        assert_eq!(paste_path(root.path(), hash), None, "{hash}");
        let prompt = prompt("[Pasted text #1]", vec![PasteKind::Stored(hash.to_owned())]);
        assert_eq!(
            expand(&prompt, root.path()),
            [PromptPart::Expired("[Pasted text #1]")],
            "{hash}"
        );
    }
}

#[test]
fn words_that_only_look_like_a_reference_stay_as_they_were_typed() {
    let root = tempfile::tempdir().unwrap();
    for text in [
        "[Pasted text #7 +1 lines]",
        "[Pasted text #]",
        "[Pasted text #1",
        "[[Pasted text #1 [x]",
        "[Pasted text #99999999999999999999]",
        "a[0] = b[1]",
    ] {
        let prompt = prompt(text, vec![PasteKind::Image]);
        assert_eq!(expand(&prompt, root.path()), [PromptPart::Typed(text)]);
    }
}
