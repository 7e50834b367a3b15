use super::{Paste, PasteKind, Prompt, fingerprint};

#[test]
fn every_field_is_read() {
    let line = br#"{"display":"fix [Pasted text #1 +2 lines]\nnow","pastedContents":{"1":{"id":1,"type":"text","content":"a\nb"},"2":{"id":2,"type":"text","contentHash":"0123456789abcdef"},"3":{"id":3,"type":"image","content":"xx"},"x":{"id":9}},"timestamp":1760000000123,"project":"/home/ada/code/shop","sessionId":"8c1f"}"#;
    let prompt = Prompt::parse(line).expect("an entry");
    assert_eq!(
        prompt,
        Prompt {
            display: "fix [Pasted text #1 +2 lines]\nnow".to_owned(),
            pastes: vec![
                Paste {
                    id: 1,
                    kind: PasteKind::Inline("a\nb".to_owned())
                },
                Paste {
                    id: 2,
                    kind: PasteKind::Stored("0123456789abcdef".to_owned())
                },
                Paste {
                    id: 3,
                    kind: PasteKind::Image
                },
            ],
            timestamp: 1_760_000_000_123,
            project: "/home/ada/code/shop".to_owned(),
            session: Some("8c1f".to_owned()),
        }
    );
}

#[test]
fn what_is_missing_is_missed_only_where_it_is_the_prompt() {
    let old = Prompt::parse(br#"{"display":"hello","project":"/p","timestamp":1700000000000}"#);
    assert_eq!(old.expect("kept").session, None);
    let bare = Prompt::parse(br#"{"display":"hello"}"#).expect("kept");
    assert_eq!((bare.timestamp, bare.project.as_str()), (0, ""));
    for line in [
        &br#"{"project":"/p","timestamp":1}"#[..],
        br#"{"display":7}"#,
        br#"{"display":"half wri"#,
        br#"{"display":"whole","project":"/p""#,
        br#"{"display":"a"}{"display":"b"}"#,
        b"\0\0\0\0",
        b"null",
        b"[]",
        b"42",
    ] {
        assert_eq!(
            Prompt::parse(line),
            None,
            "{}",
            String::from_utf8_lossy(line)
        );
    }
}

#[test]
fn the_same_words_with_another_paste_are_another_prompt() {
    let prompt = |paste: &str| Prompt {
        display: "why? [Pasted text #1 +80 lines]".to_owned(),
        pastes: vec![Paste {
            id: 1,
            kind: PasteKind::Stored(paste.to_owned()),
        }],
        ..Prompt::default()
    };
    assert_eq!(fingerprint(&prompt("a")), fingerprint(&prompt("a")));
    assert_ne!(fingerprint(&prompt("a")), fingerprint(&prompt("b")));
    let spaced = Prompt {
        display: " why? [Pasted text #1 +80 lines]\n".to_owned(),
        timestamp: 9,
        ..prompt("a")
    };
    assert_eq!(fingerprint(&spaced), fingerprint(&prompt("a")));
}

#[test]
fn a_mark_of_the_encoding_before_a_line_is_no_part_of_it() {
    let marked = Prompt::parse("\u{feff}{\"display\":\"hi\"}".as_bytes());
    assert_eq!(marked, Prompt::parse(br#"{"display":"hi"}"#));
    assert!(marked.is_some());
}

#[test]
fn a_time_that_no_date_can_be_is_none() {
    for time in ["9999999999999999", "-5"] {
        let line = format!("{{\"display\":\"x\",\"timestamp\":{time}}}");
        let prompt = Prompt::parse(line.as_bytes()).expect("a prompt");
        assert_eq!(prompt.timestamp, 0);
    }
}
