use super::*;
use crate::content::library::{FileKey, Library};
use crate::content::testing::{Said, add};
use crate::content::{Wanted, row_matcher::RowMatcher};
use crate::search::Query;
use crate::transcript::Voice::{Claude, ToolOutput, User};

/// The conversations with these texts, the best first. Each has one passage.
fn order<'a>(query: &str, said: &[Said<'a>]) -> Vec<&'a str> {
    let mut library = Library::default();
    for (key, said) in (0..).zip(said) {
        add(&mut library, FileKey(key), std::slice::from_ref(said));
    }
    let query = Query::parse(query, &chrono::DateTime::UNIX_EPOCH);
    let wanted = Wanted::new(&query).expect("something is wanted");
    let mut matcher = RowMatcher::new(&library, &wanted);
    let mut found: Vec<(Rank, &str)> = (0..)
        .zip(said)
        .filter_map(|(key, (.., text))| {
            let files = [FileKey(key)];
            let has = matcher.has_all(&files).expect("matched");
            has.then(|| (matcher.rank(&files).expect("ranked"), *text))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn conversations_come_as_people_remember_them() {
    // Each list is in the order that is right. It is searched backwards, so that no order is kept.
    for (query, right) in [
        (
            "refresh token",
            &["refresh token", "refresh the token", "token to refresh"][..],
        ),
        (
            "subagent checkpoints test",
            &[
                "run subagent_checkpoints_test",
                "the test of the subagent and its checkpoints",
            ],
        ),
        (
            "checkpoint test",
            &["the checkpointTest", "a checkpoint, then the test"],
        ),
        (
            "checkpoint test",
            &["checkpoint-test", "checkpoint  of a test"],
        ),
        (
            "checkpoint test",
            &["checkpoint/test.rs", "test the checkpoint"],
        ),
        (
            "checkpoint test",
            &["checkpoint.test", "checkpoints tested"],
        ),
        (
            "checkpoint test",
            &["a checkpoint test", "a precheckpoint test"],
        ),
        (
            "checkpoint test",
            &["checkpoint: test", "checkpoint then a test"],
        ),
        // What is near counts more than the order, and less than a power of two counts nothing.
        (
            "alpha omega",
            &["omega, alpha", "alpha and so on and so forth: omega"],
        ),
        (
            "alpha omega",
            &["alpha and the omega", "omega and the alpha"],
        ),
        ("alpha omega", &["alpha is an omega", "alphabet of omega"]),
        ("cat", &["the cat sat", "concatenate"]),
        ("cat", &["theCat", "education"]),
        ("cat", &["cat_name", "locate"]),
        ("\"the cat\" sat", &["the cat sat", "sat the cat"]),
    ] {
        let backwards: Vec<Said<'_>> = right.iter().rev().map(|text| (User, None, *text)).collect();
        assert_eq!(order(query, &backwards), right, "{query}");
    }
}

#[test]
fn what_was_said_comes_before_what_was_printed() {
    let printed = (ToolOutput, Some("Bash"), "refresh the token");
    let said = (Claude, None, "refresh the token");
    let found = order(
        "refresh token",
        &[printed, (Claude, None, "refresh a token")],
    );
    assert_eq!(found, ["refresh a token", "refresh the token"]);
    // In a row is better, whoever said it.
    let row = (ToolOutput, Some("Bash"), "refresh token");
    assert_eq!(order("refresh token", &[said, row])[0], "refresh token");
    // For one word the newest is first, whoever said it.
    let found = order("token", &[printed, (Claude, None, "a token")]);
    assert_eq!(found, ["refresh the token", "a token"]);
}

#[test]
fn the_window_has_most_of_the_words() {
    let spot = |start: usize, end| Spot {
        start,
        end,
        edges: Edges {
            starts_word: true,
            ends_word: true,
            ..Edges::default()
        },
    };
    let spots = [
        vec![spot(0, 3), spot(100, 103)],
        vec![],
        vec![spot(110, 115), spot(400, 405)],
    ];
    let window = best_window(&spots).expect("a window");
    assert_eq!((window.range, window.words), (100..115, 2));
    assert_eq!(best_window(&[vec![], vec![]]), None);
}
