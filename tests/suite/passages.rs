//! The text of transcripts beside what a slow reading of them finds.

use std::fs;
use std::path::{Path, PathBuf};

use claude_resume::transcript::{Checkpoint, Voice, agent_files, passages};

use crate::oracle::{FullPassage, oracle};
use crate::support::corpus;

/// Bytes of an output that are kept at most, with what stands for the rest.
const MOST: usize = 1024 * 1024 + 64;

fn compare(path: &Path) -> usize {
    let bytes = fs::read(path).expect("read");
    let mut found = Vec::new();
    let sink = &mut |passage: &claude_resume::transcript::Passage<'_>| {
        let own = FullPassage {
            voice: passage.voice,
            tool: passage.tool.map(str::to_owned),
            uuid: passage.uuid,
            part: passage.part,
            at: passage.at,
            lines: passage.lines.clone(),
            is_error: passage.is_error,
            text: passage.text.to_owned(),
        };
        found.push((own, passage.cut));
    };
    let end = passages(&bytes[..], &Checkpoint::default(), &|| false, sink).expect("read");
    found.sort_by_key(|(it, _)| (it.lines.start, it.part, it.voice));
    let expected = oracle(&bytes);
    let path = path.display();
    assert_eq!(end.traits, expected.traits, "{path}");
    // A line of noise is not looked into, so its damage is not seen.
    assert!(end.damaged <= expected.damaged, "{path}");
    for ((found, cut), expected) in found.iter().zip(&expected.passages) {
        if *cut > 0 {
            check_cut(&found.text, &expected.text);
            let whole = FullPassage {
                text: expected.text.clone(),
                ..found.clone()
            };
            assert_eq!(whole, *expected, "{path}");
        } else {
            assert!(
                found.voice != Voice::ToolOutput || found.text.len() <= MOST,
                "{path}"
            );
            // Of values that are not known to be text the first are enough.
            let is_same = found.voice == Voice::ToolInput
                && expected.text.len() > 8 * 1024
                && found.text.len() > 8 * 1024;
            if !is_same {
                assert_eq!(found, expected, "{path}");
            }
        }
    }
    assert_eq!(found.len(), expected.passages.len(), "{path}");
    found.len()
}

/// The pieces of an output that was cut are in the whole, in order, from its start to its end.
fn check_cut(pieces: &str, whole: &str) {
    assert!(pieces.len() <= MOST);
    let mut rest = whole;
    let last = pieces.split("\n…\n").last().expect("a piece");
    for piece in pieces.split("\n…\n") {
        let at = rest.find(piece).expect("a piece of it");
        assert!(
            rest.len() < whole.len() || at == 0,
            "it starts as the whole"
        );
        rest = &rest[at + piece.len()..];
    }
    assert!(whole.ends_with(last));
}

#[test]
fn the_text_of_every_fixture_is_what_a_slow_reading_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut passages = 0;
    for kind in ["lite", "preview", "transcript"] {
        for entry in fs::read_dir(folder.join(kind)).expect("listed") {
            passages += compare(&entry.expect("listed").path());
        }
    }
    assert!(passages > 500, "{passages}");
}

/// `CLAUDE_RESUME_CORPUS=DIR cargo test corpus` does the same for every transcript below a folder.
#[test]
fn the_text_of_the_corpus_is_what_a_slow_reading_finds() {
    for path in corpus().into_iter().flatten() {
        compare(&path);
    }
}

#[test]
fn agents_are_found_in_the_folder_of_their_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = folder.path().join("s1/subagents");
    fs::create_dir_all(agents.join("workflows/run")).expect("made");
    let names = [
        "agent-b.jsonl",
        "agent-b.meta.json",
        "agent-acompact-1.jsonl",
        "other.jsonl",
        "workflows/run/agent-a.jsonl",
    ];
    for name in names {
        fs::write(agents.join(name), "").expect("written");
    }
    fs::write(folder.path().join("agent-beside.jsonl"), "").expect("written");
    let found = agent_files(&folder.path().join("s1.jsonl")).expect("listed");
    let expected: Vec<PathBuf> = ["agent-b.jsonl", "workflows/run/agent-a.jsonl"]
        .map(|name| agents.join(name))
        .into();
    assert_eq!(found, expected);
    assert_eq!(
        agent_files(&folder.path().join("s2.jsonl")).expect("listed"),
        Vec::<PathBuf>::new()
    );
}
