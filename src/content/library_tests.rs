use super::*;
use crate::content::extract::PartWriter;
use crate::content::testing::add;
use crate::transcript::{Checkpoint, Passage, Voice};

fn texts(library: &Library, key: FileKey, side: Side) -> String {
    let places = library.files[&key].places[side as usize].iter();
    let text = places.map(|place| {
        let text = library.text(place.segment(), place.chunk.text());
        String::from_utf8(text.expect("read")).expect("text")
    });
    text.collect::<String>().replace('\u{1f}', "|")
}

fn sample() -> Library {
    let mut library = Library::default();
    for key in 1..=3 {
        let (said, printed) = (format!("Said {key}"), format!("Printed {key}"));
        let said = [
            (Voice::User, None, said.as_str()),
            (Voice::ToolOutput, Some("Bash"), printed.as_str()),
        ];
        add(&mut library, FileKey(key), &said);
    }
    library
}

#[test]
fn each_file_has_its_own_text() {
    let mut library = sample();
    for _ in 0..2 {
        assert_eq!(texts(&library, FileKey(2), Side::Talk), "said 2|");
        assert_eq!(texts(&library, FileKey(2), Side::Tools), "printed 2|");
        library.seal(&TextStore::default(), true).expect("sealed");
    }
    library.forget(FileKey(2));
    let (stored, dead) = library.sizes();
    assert_eq!((stored, dead), (3 * (7 + 10), 7 + 10));
}

#[test]
fn the_tool_texts_of_the_oldest_go_first() {
    let mut library = sample();
    library.limit(3 * 17);
    assert!(library.files.values().all(|record| !record.lacks_tools));
    library.limit(3 * 17 - 1);
    let lacks = |key| library.files[&FileKey(key)].lacks_tools;
    assert_eq!([1, 2, 3].map(lacks), [true, false, false]);
    assert_eq!(texts(&library, FileKey(1), Side::Talk), "said 1|");
    assert_eq!(texts(&library, FileKey(1), Side::Tools), "");
}

#[test]
fn what_is_used_survives_the_rewriting_of_segments() {
    let mut library = sample();
    library.seal(&TextStore::default(), true).expect("sealed");
    assert!(library.worth_rewriting(12, 1000).is_empty());
    library.forget(FileKey(1));
    library.forget(FileKey(2));
    let worth = library.worth_rewriting(12, 1000);
    assert_eq!(worth.len(), 2, "two thirds of both are dead");
    let store = TextStore::default();
    for segment in worth {
        library.rewrite(segment, &store).expect("rewritten");
    }
    library.seal(&store, true).expect("sealed");
    assert_eq!(texts(&library, FileKey(3), Side::Talk), "said 3|");
    assert_eq!(texts(&library, FileKey(3), Side::Tools), "printed 3|");
    assert_eq!(library.sizes(), (17, 0));
    let at = library.files[&FileKey(3)].places[Side::Talk as usize][0].segment();
    let segment = library.segment(at).ok().flatten();
    let segment = segment.expect("a new segment");
    assert!(
        segment.caps(0..1).expect("read").get(0),
        "capitals are kept"
    );
}

#[test]
fn many_small_segments_become_one() {
    let mut library = Library::default();
    for key in 0..5 {
        add(&mut library, FileKey(key), &[(Voice::User, None, "x")]);
        library.seal(&TextStore::default(), true).expect("sealed");
    }
    assert!(library.worth_rewriting(5, 1000).is_empty());
    assert_eq!(library.worth_rewriting(4, 1000).len(), 5);
}

#[test]
fn an_extended_file_loses_what_is_read_again() {
    let mut library = Library::default();
    let key = FileKey(1);
    let said = ["one", "two", "three"].map(|text| (Voice::User, None, text));
    add(&mut library, key, &said);
    if let Some(record) = library.files.get_mut(&key) {
        record.offset = 20;
    }
    library.begin(key, key, Reading::Added).expect("begun");
    let mut writer = PartWriter::default();
    writer.push(&Passage {
        voice: Voice::User,
        tool: None,
        uuid: None,
        at: None,
        lines: 20..50,
        is_error: false,
        part: 0,
        cut: 0,
        text: "three and a half",
    });
    library.add(key, &[writer.take(), Part::default()]);
    assert_eq!(
        texts(&library, key, Side::Talk),
        "one|two|three|",
        "not before the end"
    );
    let checkpoint = Checkpoint {
        offset: 50,
        ..Checkpoint::default()
    };
    library.finish(
        key,
        Extent {
            checkpoint,
            ..Extent::default()
        },
    );
    assert_eq!(
        texts(&library, key, Side::Talk),
        "one|two|three and a half|"
    );
}

#[test]
fn reading_that_ends_early_changes_nothing() {
    let mut library = sample();
    library
        .begin(FileKey(1), FileKey(1), Reading::Whole)
        .expect("begun");
    library.add(FileKey(1), &[Part::default(), Part::default()]);
    library.give_up(FileKey(1));
    assert_eq!(texts(&library, FileKey(1), Side::Talk), "said 1|");
}

#[test]
fn a_damaged_segment_takes_its_files_along() {
    let mut library = sample();
    library.seal(&TextStore::default(), true).expect("sealed");
    add(&mut library, FileKey(9), &[(Voice::User, None, "new")]);
    library.note_damage(0);
    assert!(library.drop_damaged());
    assert!(!library.drop_damaged(), "once");
    assert_eq!(library.files.keys().collect::<Vec<_>>(), [&FileKey(9)]);
    let mut lost = library.take_lost();
    lost.sort_unstable();
    assert_eq!(lost, [1, 2, 3].map(FileKey));
}
