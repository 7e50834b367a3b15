use chrono::DateTime;

use super::{Archive, ConversationFate, PromptAnswer, View};
use crate::history::{FoundPrompt, Paste, PasteKind, Prompt, PromptPos, StoredPastes};
use crate::list::{Include, Sort};
use crate::search::{Distance, Generation, Query, Search, Tier};
use crate::store::Retention;

const DAY: i64 = 24 * 60 * 60 * 1000;
const NOW: i64 = 1_772_359_200_000;

fn found(n: u64, display: &str, project: &str, session: &str, days: i64) -> FoundPrompt {
    FoundPrompt {
        spot: PromptPos {
            root: 0,
            length: 1,
            offset: n,
        },
        prompt: Prompt {
            display: display.to_owned(),
            timestamp: NOW - days * DAY,
            project: format!("/home/ada/code/{project}"),
            session: (!session.is_empty()).then(|| session.to_owned()),
            ..Prompt::default()
        },
    }
}

fn pasted(text: &str) -> StoredPastes {
    StoredPastes {
        text: text.to_owned(),
        left_out: 0,
    }
}

fn archive() -> Archive {
    let mut archive = Archive::default();
    archive.put(
        &[
            found(1, "why is it flaky?", "shop", "here", 1),
            found(2, "continue", "docs", "gone", 2),
            found(3, "continue", "shop", "here", 3),
            found(4, "the flaky link checker", "docs", "gone", 40),
            found(5, "continue", "docs", "", 50),
        ],
        place,
    );
    archive
}

fn place(project: &str, session: Option<&str>) -> Distance {
    match (project.ends_with("/shop"), session) {
        (_, Some("here")) => Distance::Directory,
        (true, _) => Distance::Repository,
        (false, _) => Distance::Elsewhere,
    }
}

fn ask(archive: &mut Archive, query: &str, reach: Distance, view: View) -> PromptAnswer {
    let now = DateTime::from_timestamp_millis(NOW).unwrap();
    let search = Search {
        generation: Generation(1),
        query: Query::parse(query, &now),
        order: Sort::Activity,
        reach,
        include: Include::default(),
    };
    let mut last = None;
    archive.answer(
        &search,
        view,
        |session| match &session.id[..] {
            "here" => ConversationFate::There,
            "empty" => ConversationFate::Empty,
            _ => ConversationFate::new(None, session.last.0, Retention::default(), NOW),
        },
        &|| false,
        |_, answer| last = Some(answer),
    );
    last.expect("an answer")
}

/// The spots of the hits with their counts.
fn hits(archive: &mut Archive, query: &str, reach: Distance) -> Vec<(u64, u32)> {
    let answer = ask(archive, query, reach, View::Prompts);
    let spot = |row| archive.spot(row).expect("known").offset;
    answer
        .hits
        .iter()
        .map(|hit| (spot(hit.row), hit.count))
        .collect()
}

#[test]
fn equal_prompts_are_one_with_a_count_and_the_newest_stands_for_them() {
    let mut archive = archive();
    assert_eq!(
        hits(&mut archive, "", Distance::Elsewhere),
        [(1, 1), (2, 3), (4, 1)]
    );
    assert_eq!(
        hits(&mut archive, "continue", Distance::Elsewhere),
        [(2, 3)]
    );
}

#[test]
fn of_equal_times_the_order_of_the_file_stays_whosever_the_prompts_are() {
    let mut archive = Archive::default();
    let sessions = ["one", "two", "one", "three", "two"];
    let entries: Vec<FoundPrompt> = (1..)
        .zip(sessions)
        .map(|(n, session)| found(n, &format!("ask {n}"), "shop", session, 1))
        .collect();
    archive.put(&entries, place);
    for query in ["", "ask"] {
        let hits = hits(&mut archive, query, Distance::Elsewhere);
        let spots: Vec<u64> = hits.into_iter().map(|(spot, _)| spot).collect();
        assert_eq!(spots, [1, 2, 3, 4, 5], "{query}");
    }
}

#[test]
fn operators_ask_about_the_time_that_they_mean() {
    let mut archive = archive();
    let all = Distance::Elsewhere;
    assert_eq!(hits(&mut archive, "continue project:shop", all), [(3, 1)]);
    assert_eq!(hits(&mut archive, "continue before:10d", all), [(5, 1)]);
    assert_eq!(hits(&mut archive, "since:30d flaky", all), [(1, 1)]);
    assert_eq!(hits(&mut archive, "id:gone", all), [(2, 1), (4, 1)]);
}

#[test]
fn the_scope_is_a_session_a_project_or_all() {
    let mut archive = archive();
    assert_eq!(
        hits(&mut archive, "", Distance::Directory),
        [(1, 1), (3, 1)],
        "this session"
    );
    archive.put(&[found(6, "in the project", "shop", "", 60)], place);
    assert_eq!(
        hits(&mut archive, "", Distance::Repository),
        [(1, 1), (3, 1), (6, 1)]
    );
    archive.place(|project, _| {
        if project.ends_with("/docs") {
            Distance::Directory
        } else {
            Distance::Elsewhere
        }
    });
    assert_eq!(
        hits(&mut archive, "", Distance::Directory),
        [(2, 2), (4, 1)],
        "another session now"
    );
    let answer = ask(&mut archive, "", Distance::Directory, View::Prompts);
    assert_eq!((answer.counts.shown, answer.counts.elsewhere), (3, 3));
}

#[test]
fn the_total_is_of_different_prompts_as_the_hits_are() {
    let mut archive = archive();
    for reach in Distance::ALL {
        let all = ask(&mut archive, "", reach, View::Prompts);
        let some = ask(&mut archive, "flaky", reach, View::Prompts);
        assert_eq!(
            (some.prompts, all.prompts),
            (all.hits.len(), all.hits.len())
        );
    }
    archive.put(&[found(6, "one more", "docs", "", 60)], place);
    let more = ask(&mut archive, "flaky", Distance::Elsewhere, View::Prompts);
    assert_eq!(more.prompts, 4);
}

#[test]
fn letters_in_order_match_below_words() {
    let mut archive = archive();
    let answer = ask(
        &mut archive,
        "flkychckr",
        Distance::Elsewhere,
        View::Prompts,
    );
    let seen: Vec<_> = answer.hits.iter().map(|hit| hit.tier).collect();
    assert_eq!(seen, [Tier::Fuzzy]);
    assert_eq!(
        archive.spot(answer.hits[0].row).map(|it| it.offset),
        Some(4)
    );
}

#[test]
fn a_prompt_knows_what_became_of_its_conversation() {
    let mut archive = archive();
    let answer = ask(&mut archive, "", Distance::Elsewhere, View::Prompts);
    let fates: Vec<_> = answer.hits.iter().map(|hit| hit.fate).collect();
    // Its last prompt is younger than what cleanup takes.
    assert_eq!(
        fates,
        [
            ConversationFate::There,
            ConversationFate::Missing,
            ConversationFate::Missing
        ]
    );
    assert_eq!((answer.deleted, answer.missing), (0, 2));
    archive.put(&[found(7, "long ago", "shop", "swept", 30)], place);
    let answer = ask(&mut archive, "long", Distance::Elsewhere, View::Prompts);
    assert_eq!(answer.hits[0].fate, ConversationFate::Deleted);
    assert_eq!((answer.deleted, answer.missing), (1, 0));
    let old = ask(
        &mut archive,
        "before:45d",
        Distance::Elsewhere,
        View::Prompts,
    );
    assert_eq!(old.hits[0].fate, ConversationFate::Unknown);
}

#[test]
fn deleted_sessions_are_those_without_a_conversation() {
    let mut archive = archive();
    archive.put(&[found(7, "only once", "shop", "gone too", 70)], place);
    let answer = ask(&mut archive, "", Distance::Elsewhere, View::Deleted);
    let seen: Vec<_> = answer
        .hits
        .iter()
        .map(|hit| {
            let session = archive.session(hit.row).expect("of a session");
            (session.id.to_string(), hit.count)
        })
        .collect();
    assert_eq!(seen, [("gone".to_owned(), 2), ("gone too".to_owned(), 1)]);
    let some = ask(&mut archive, "checker", Distance::Elsewhere, View::Deleted);
    assert_eq!((some.hits.len(), some.hits[0].count), (1, 2));
}

#[test]
fn the_end_of_a_very_long_prompt_is_found_and_what_was_pasted_too() {
    let mut archive = archive();
    let long = format!("{} needle at the end", "word ".repeat(20_000));
    let mut pasted = found(9, "see [Pasted text #1]", "shop", "", 90);
    pasted.prompt.pastes.push(Paste {
        id: 1,
        kind: PasteKind::Inline("a stack trace\nwith frames".to_owned()),
    });
    archive.put(&[found(8, &long, "shop", "", 80), pasted], place);
    let all = Distance::Elsewhere;
    assert_eq!(hits(&mut archive, "\"needle at the end\"", all), [(8, 1)]);
    assert_eq!(hits(&mut archive, "\"trace with frames\"", all), [(9, 1)]);
}

#[test]
fn what_is_kept_in_files_is_found_once_it_was_read_newest_first() {
    let mut archive = archive();
    let stored = |n, days| {
        let mut found = found(n, "see [Pasted text #1 +80 lines]", "shop", "here", days);
        found.prompt.pastes.push(Paste {
            id: 1,
            kind: PasteKind::Stored(format!("hash {n}")),
        });
        found
    };
    // Read backwards, then one that is added.
    archive.put(&[stored(11, 5), stored(12, 6)], place);
    archive.put(&[stored(13, 7)], place);
    let all = Distance::Elsewhere;
    assert_eq!(hits(&mut archive, "borrowed", all), []);
    assert!(archive.has_unread_pastes());
    let mut asked = Vec::new();
    let mut read = |spot: PromptPos, _| {
        asked.push(spot.offset);
        let text = match spot.offset {
            11 => "cannot be borrowed as mutable",
            _ => "",
        };
        Some((stored(spot.offset, 5).prompt, pasted(text)))
    };
    archive.take_pastes(2, &mut read, place);
    archive.take_pastes(2, &mut read, place);
    assert_eq!(asked, [11, 12, 13]);
    assert!(!archive.has_unread_pastes());
    assert_eq!(hits(&mut archive, "borrowed", all), [(11, 1)]);
    assert_eq!(
        hits(&mut archive, "borrowed see", Distance::Directory),
        [(11, 1)]
    );
    let answer = ask(&mut archive, "", all, View::Prompts);
    assert_eq!(answer.prompts, 6, "no prompt is there twice");
}

/// The text of a file of so many bytes, where there is room for it.
fn file_of(bytes: usize, room: usize) -> StoredPastes {
    if bytes > room {
        let (text, left_out) = (String::new(), 1);
        return StoredPastes { text, left_out };
    }
    pasted(&"x".repeat(bytes))
}

#[test]
fn no_more_of_what_is_kept_in_files_is_taken_than_there_is_room_for() {
    const MIB: usize = 1024 * 1024;
    let mut archive = Archive::default();
    let stored = |n| {
        let mut found = found(n, &format!("{n}: [Pasted text #1]"), "shop", "here", 1);
        let kind = PasteKind::Stored(String::new());
        found.prompt.pastes.push(Paste { id: 1, kind });
        found
    };
    let mut entries: Vec<FoundPrompt> = (0..5).map(stored).collect();
    // Asked again, with the same paste.
    entries.push(stored(2));
    archive.put(&entries, place);
    let sizes = [2, 20, 40, 9, 2];
    let mut rooms = Vec::new();
    let mut read = |spot: PromptPos, room: usize| {
        rooms.push(room.div_ceil(MIB));
        let n = spot.offset;
        let size = sizes[usize::try_from(n).expect("small")];
        Some((stored(n).prompt, file_of(size * MIB, room)))
    };
    while archive.has_unread_pastes() {
        archive.take_pastes(4, &mut read, place);
    }
    assert_eq!(rooms, [32, 30, 10, 10, 1, 1], "32 MiB in all");
    let unsearched = archive.unsearched_pastes();
    assert_eq!(unsearched, 2, "the one of 40 MiB, and the last one");
    assert!(archive.searcher.text().len() < 48 * MIB);
}

#[test]
fn the_end_of_a_very_long_prompt_is_found() {
    let mut archive = Archive::default();
    let filler = "lorem ipsum ".repeat(120_000);
    let mut inline = found(2, "see [Pasted text #1]", "shop", "here", 2);
    let kind = PasteKind::Inline(format!("{filler}borrowed"));
    inline.prompt.pastes = vec![Paste { id: 1, kind }];
    let typed = found(1, &format!("{filler}needle"), "shop", "here", 1);
    archive.put(&[typed, inline], place);
    let all = Distance::Elsewhere;
    assert_eq!(hits(&mut archive, "needle", all), [(1, 1)]);
    assert_eq!(hits(&mut archive, "borrowed", all), [(2, 1)]);
}

#[test]
fn of_equal_prompts_the_newest_with_a_conversation_is_the_one_to_go_to() {
    let mut archive = archive();
    let answer = ask(&mut archive, "continue", Distance::Elsewhere, View::Prompts);
    let [hit] = answer.hits[..] else {
        panic!("{:?}", answer.hits);
    };
    let spot = |row| archive.spot(row).expect("known").offset;
    // What the row says of its own conversation is not what is said of the other.
    assert_eq!((spot(hit.row), hit.fate), (2, ConversationFate::Missing));
    assert_eq!(hit.elsewhere().map(spot), Some(3));
    assert!(hit.leads_somewhere());
    archive.put(&[found(8, "continue", "docs", "here", 0)], place);
    let answer = ask(&mut archive, "continue", Distance::Elsewhere, View::Prompts);
    assert_eq!(
        (answer.hits[0].fate, answer.hits[0].elsewhere()),
        (ConversationFate::There, None)
    );
}

#[test]
fn of_a_conversation_with_nothing_in_it_only_the_prompts_are_left() {
    let mut archive = Archive::default();
    archive.put(&[found(1, "what for?", "shop", "empty", 0)], place);
    for view in [View::Prompts, View::Deleted] {
        let answer = ask(&mut archive, "", Distance::Elsewhere, view);
        let fates: Vec<_> = answer.hits.iter().map(|hit| hit.fate).collect();
        assert_eq!(
            (fates, answer.missing),
            (vec![ConversationFate::Empty], 1),
            "{view:?}"
        );
        assert!(!answer.hits[0].leads_somewhere());
    }
}

#[test]
fn the_words_alone_are_answered_as_the_first_of_two_answers_is() {
    let mut archive = archive();
    archive.put(&[found(7, "f l a k y", "docs", "gone", 4)], place);
    let now = DateTime::from_timestamp_millis(NOW).unwrap();
    for query in ["flaky", "continue", "Why", "-Why", "project:docs", "zzz"] {
        let search = Search {
            generation: Generation(1),
            query: Query::parse(query, &now),
            order: Sort::Activity,
            reach: Distance::Elsewhere,
            include: Include::default(),
        };
        let both = ask(&mut archive, query, Distance::Elsewhere, View::Prompts);
        let is_word = |hit: &&super::PromptHit| hit.tier == Tier::Substring;
        let expected: Vec<_> = both
            .hits
            .iter()
            .filter(is_word)
            .map(|hit| hit.row)
            .collect();
        let words = archive.answer_words(&search, View::Prompts, |_| ConversationFate::There);
        let words = words.expect("nobody makes it stale").hits;
        let found: Vec<_> = words.iter().map(|hit| hit.row).collect();
        assert_eq!(found, expected, "{query}");
    }
}
