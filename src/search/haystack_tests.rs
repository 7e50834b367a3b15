use super::Haystack;
use crate::search::{Document, Field, RowId, SessionFlag, SessionFlags};

fn text(haystack: &Haystack, slot: usize, field: Field) -> String {
    String::from_utf8(haystack.field(slot, field).bytes.to_vec()).expect("text")
}

fn document(title: &str) -> Document {
    Document {
        title: title.to_owned(),
        project: "Shop".to_owned(),
        directory: "/code/Shop".to_owned(),
        branch: "main".to_owned(),
        id: "abc".to_owned(),
        first_prompt: "first".to_owned(),
        last_prompt: "last".to_owned(),
        ..Document::default()
    }
}

#[test]
fn fields_are_folded_and_kept_apart() {
    let mut haystack = Haystack::default();
    haystack.put(RowId(7), &document("Über\nalles"));
    assert_eq!(
        haystack.arena().bytes,
        b"abc\x1fuber alles\x1fshop\x1fmain\x1f\x1f\x1ffirst\x1flast\x1f"
    );
    let fields = [
        Field::Title,
        Field::Project,
        Field::Branch,
        Field::Tag,
        Field::Id,
        Field::Pr,
    ];
    assert_eq!(
        fields.map(|field| text(&haystack, 0, field)),
        ["uber alles", "shop", "main", "", "abc", ""]
    );
    assert_eq!(text(&haystack, 0, Field::LastPrompt), "first\x1flast\x1f");
    assert_eq!(haystack.directory(0).bytes, b"/code/shop");
    assert_eq!(haystack.model(0).bytes, b"");
}

#[test]
fn a_prompt_that_stands_elsewhere_in_the_row_is_kept_once() {
    let mut haystack = Haystack::default();
    for (row, first, last) in [(0, "a", "b"), (1, "b", "b"), (2, "b", "a")] {
        let document = Document {
            title: "a".to_owned(),
            first_prompt: first.to_owned(),
            last_prompt: last.to_owned(),
            ..Document::default()
        };
        haystack.put(RowId(row), &document);
    }
    let prompts = [0, 1, 2].map(|slot| text(&haystack, slot, Field::FirstPrompt));
    assert_eq!(prompts, ["\x1fb\x1f", "b\x1f\x1f", "b\x1f\x1f"]);
}

#[test]
fn a_row_with_the_same_texts_stays_where_it_is() {
    let mut haystack = Haystack::default();
    assert_eq!(haystack.put(RowId(1), &document("one")), Some(0));
    assert_eq!(haystack.put(RowId(2), &document("two")), Some(1));
    let length = haystack.arena().bytes.len();
    for (row, slot) in [(1, 0), (2, 1)] {
        let title = if row == 1 { "one" } else { "two" };
        let running = Document {
            flags: SessionFlags::default().with(SessionFlag::Running),
            ..document(title)
        };
        assert_eq!(haystack.put(RowId(row), &running), Some(slot));
        assert!(haystack.facts(slot).flags.has(SessionFlag::Running));
    }
    assert_eq!(haystack.arena().bytes.len(), length);
    // Capitals are part of the text.
    assert_eq!(haystack.put(RowId(2), &document("Two")), Some(2));
    let alive = [0, 1, 2].map(|slot| haystack.class(slot).is_alive());
    assert_eq!((alive, haystack.len()), ([true, false, true], 2));
}

#[test]
fn dead_text_is_cleared_away_when_it_is_much() {
    let mut haystack = Haystack::default();
    for row in 0..1000 {
        haystack.put(
            RowId(row),
            &document(&format!("Row {row} {}", "x".repeat(5000))),
        );
    }
    assert!(!haystack.compact());
    for row in 0..999 {
        assert!(haystack.remove(RowId(row)).is_some());
    }
    assert_eq!(haystack.remove(RowId(5)), None);
    assert!(haystack.compact());
    assert_eq!((haystack.len(), haystack.slots()), (1, 1));
    assert!(text(&haystack, 0, Field::Title).starts_with("row 999 xxx"));
    assert_eq!(text(&haystack, 0, Field::Title).len(), 4096);
    assert!(haystack.arena().upper.get(4));
    assert_eq!(haystack.put(RowId(999), &document("short")), Some(1));
    assert!(!haystack.compact());
}
