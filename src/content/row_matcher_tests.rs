use chrono::Utc;
use proptest::prelude::*;

use super::*;
use crate::content::library::Library;
use crate::content::rank::Closeness;
use crate::content::store::TextStore;
use crate::content::testing::{Said, add};
use crate::search::{Needle, Query};

const KEY: FileKey = FileKey(7);

fn library(said: &[Said<'_>]) -> Library {
    let mut library = Library::default();
    add(&mut library, KEY, said);
    library
}

fn wanted(query: &str) -> Wanted {
    Wanted::new(&Query::parse(query, &Utc::now())).expect("something is wanted")
}

fn closeness(library: &Library, query: &str) -> Option<Closeness> {
    let wanted = wanted(query);
    let mut matcher = RowMatcher::new(library, &wanted);
    let candidates = matcher.candidate_files().expect("matched");
    let has = matcher.has_all(&[KEY]).expect("matched");
    // What has it is never passed over.
    let is_candidate = candidates.is_none_or(|files| files.contains(&KEY));
    assert!(is_candidate || !has, "{query}");
    has.then(|| matcher.rank(&[KEY]).expect("matched").closeness())
}

fn passages(library: &Library, query: &str) -> Vec<u64> {
    let found = RowMatcher::new(library, &wanted(query))
        .passages(&[KEY])
        .expect("matched");
    found
        .iter()
        .map(|passage| passage.entry.lines.start / 10)
        .collect()
}

const USER: Voice = Voice::User;
const CLAUDE: Voice = Voice::Claude;

#[test]
fn files_without_a_block_for_a_word_are_passed_over() {
    let mut library = Library::default();
    let filler = "nothing of it. ".repeat(3000);
    for (key, word) in [(1, "clocks"), (2, "pubsub"), (3, "")] {
        let said = [
            (USER, None, filler.as_str()),
            (Voice::ToolOutput, Some("Bash"), word),
        ];
        add(&mut library, FileKey(key), &said);
    }
    let candidates = |library: &Library, query: &str| {
        let wanted = wanted(query);
        let found = RowMatcher::new(library, &wanted)
            .candidate_files()
            .expect("matched");
        found.map(|found| found.len())
    };
    assert_eq!(candidates(&library, "pubsub"), Some(3), "no filter yet");
    library.seal(&TextStore::default(), true).expect("sealed");
    // The tool texts of all are in one block.
    assert_eq!(candidates(&library, "pubsub"), Some(3));
    assert_eq!(candidates(&library, "nowhere"), Some(0));
    assert_eq!(candidates(&library, "nothing"), Some(3));
    assert_eq!(candidates(&library, "it"), Some(3));
    assert_eq!(candidates(&library, "qx"), Some(0));
    assert_eq!(candidates(&library, "i"), None, "too short to tell");
}

#[test]
fn words_are_found_wherever_they_are() {
    let library = library(&[
        (USER, None, "Where do the clocks differ?"),
        (CLAUDE, None, "In `pubsub.rs`,\n  the **Straße** is long"),
        (Voice::ToolOutput, Some("Bash"), "error: two crates"),
    ]);
    for query in [
        "clocks",
        "CLOCKS",
        "strasse",
        "the strasse is",
        "pubsub.rs, the",
        "crates",
        "ock",
    ] {
        let found = closeness(&library, &format!("\"{}\"", query.to_lowercase()));
        assert_eq!(found, Some(Closeness::Phrase), "{query}");
    }
    assert_eq!(
        closeness(&library, "Crates"),
        None,
        "a capital asks for a capital"
    );
    assert_eq!(closeness(&library, "Straße"), Some(Closeness::Phrase));
    assert_eq!(
        closeness(&library, "differ?in"),
        None,
        "not from one passage into the next"
    );
}

#[test]
fn words_in_a_row_are_better_than_words_in_a_passage() {
    let library = library(&[
        (USER, None, "refresh the token"),
        (CLAUDE, None, "a token to refresh"),
        (CLAUDE, None, "cache"),
    ]);
    assert_eq!(closeness(&library, "refresh the"), Some(Closeness::Phrase));
    assert_eq!(closeness(&library, "the refresh"), Some(Closeness::Passage));
    assert_eq!(
        closeness(&library, "cache refresh"),
        Some(Closeness::Scattered)
    );
    assert_eq!(closeness(&library, "cache missing"), None);
    assert_eq!(closeness(&library, "refresh -cache"), None);
    assert_eq!(
        closeness(&library, "refresh -missing"),
        Some(Closeness::Phrase)
    );
    assert_eq!(passages(&library, "refresh"), [0, 1]);
    assert_eq!(passages(&library, "refresh cache"), [0, 1, 2]);
}

#[test]
fn only_passages_that_are_asked_for_count() {
    let library = library(&[
        (USER, None, "make the build green"),
        (Voice::ToolInput, Some("Bash"), "cargo build"),
        (Voice::ToolInput, Some("Edit"), "green"),
        (Voice::Path, Some("Edit"), "/code/src/auth.rs"),
        (CLAUDE, None, "done: auth.rs"),
    ]);
    assert_eq!(passages(&library, "role:user build"), [0]);
    assert_eq!(passages(&library, "role:tool build"), [1]);
    assert_eq!(closeness(&library, "role:claude build"), None);
    assert_eq!(passages(&library, "tool:bash build"), [1]);
    assert_eq!(closeness(&library, "tool:read build"), None);
    assert_eq!(passages(&library, "tool:edit"), [2, 3]);
    assert_eq!(passages(&library, "file:src/auth.rs"), [3]);
    assert_eq!(closeness(&library, "file:green"), None, "no path has it");
    assert_eq!(passages(&library, "/auth\\.[a-z]+$/"), [4, 3]);
}

/// The library with all text in a file, so that filter and blocks are used.
fn sealed(mut library: Library) -> Library {
    library.seal(&TextStore::default(), true).expect("sealed");
    library
}

#[test]
fn text_in_a_file_answers_like_text_in_memory() {
    let filler = "some words that are between the others and say nothing. ".repeat(400);
    let said: Vec<Said<'_>> = vec![
        (USER, None, &filler),
        (CLAUDE, None, "the Pubsub topic"),
        (CLAUDE, None, &filler),
        (Voice::ToolOutput, Some("Bash"), &filler),
        (Voice::ToolOutput, Some("Bash"), "topic not found"),
    ];
    let (memory, file) = (library(&said), sealed(library(&said)));
    for query in [
        "pubsub",
        "Pubsub",
        "PUBSUB",
        "topic",
        "topic -found",
        "\"topic not\"",
        "zz",
        "to",
        "間",
        "between nothing. topic",
    ] {
        assert_eq!(
            closeness(&memory, query),
            closeness(&file, query),
            "{query}"
        );
        assert_eq!(passages(&memory, query), passages(&file, query), "{query}");
    }
}

proptest! {
    /// Against the slowest possible search: every passage folded and looked at alone.
    #[test]
    fn nothing_is_missed_at_the_edges_of_blocks(
        shift in 0_usize..200,
        words in prop::collection::vec("[a-cäß字 ]{1,6}", 1..4),
        needle in "[a-cäß字]{1,4}",
    ) {
        let filler = "x".repeat(crate::content::segment::BLOCK - 100 - shift);
        let text = words.join("\n").repeat(40);
        let said = [(USER, None, filler.as_str()), (CLAUDE, None, text.as_str()), (USER, None, needle.as_str())];
        let file = sealed(library(&said));
        let folded = |text: &str| Needle::new(text).map_or_else(String::new, |needle| needle.text().to_owned());
        let expected: Vec<u64> = (0..).zip(&said).filter(|(_, (_, _, text))| folded(text).contains(&folded(&needle))).map(|(at, _)| at).collect();
        let query = format!("\"{needle}\"");
        prop_assert_eq!(passages(&file, &query), expected);
    }
}
