use super::{History, PastItem};
use crate::search::{
    ConversationFate, Generation, MatchCounts, PromptAnswer, PromptHit, RowId, Tier, View,
};

fn answer(rows: &[u32], fuzzy: &[u32]) -> PromptAnswer {
    let hit = |row: &u32, tier| PromptHit {
        row: RowId(*row),
        group: *row,
        reachable: RowId(*row),
        count: 1,
        tier,
        fate: ConversationFate::There,
    };
    let mut hits: Vec<PromptHit> = rows.iter().map(|row| hit(row, Tier::Substring)).collect();
    hits.extend(fuzzy.iter().map(|row| hit(row, Tier::Fuzzy)));
    PromptAnswer {
        generation: Generation(1),
        view: View::Prompts,
        tier: Tier::Fuzzy,
        hits,
        counts: MatchCounts::default(),
        prompts: 0,
        deleted: 0,
        missing: 0,
    }
}

fn cursor(history: &History) -> Option<u32> {
    history.cursor().map(|hit| hit.row.0)
}

#[test]
fn the_cursor_stays_on_its_prompt_when_others_come() {
    let mut history = History::default();
    history.found(answer(&[3, 2, 1], &[]), 10);
    assert_eq!(cursor(&history), Some(3));
    history.found(answer(&[4, 3, 2, 1], &[]), 10);
    assert_eq!(cursor(&history), Some(4), "nobody moved it yet");
    history.step(1, 10);
    history.found(answer(&[6, 5, 4, 3, 2, 1], &[]), 10);
    assert_eq!(cursor(&history), Some(3));
    history.found(answer(&[6], &[]), 10);
    assert_eq!(cursor(&history), Some(6), "its prompt is gone");
    history.found(answer(&[], &[]), 10);
    assert_eq!(cursor(&history), None);
}

#[test]
fn the_cursor_is_always_in_sight_and_no_room_is_left_free() {
    let rows: Vec<u32> = (0..100).collect();
    let mut history = History::default();
    history.found(answer(&rows[..50], &rows[50..]), 10);
    for position in [0, 9, 10, 49, 50, 51, 99, 60, 50, 3, 0] {
        history.go(position, 10);
        let visible = history.visible(10);
        let seen = |item: &(u16, PastItem)| *item == (item.0, PastItem::Row(position));
        assert!(visible.iter().any(seen), "{position}: {visible:?}");
        assert!(visible.iter().all(|(line, _)| *line < 10));
    }
    history.go(99, 10);
    assert_eq!(history.visible(10).len(), 10);
}

#[test]
fn what_matches_only_by_letters_is_under_a_heading() {
    let mut history = History::default();
    history.found(answer(&[1], &[2]), 5);
    assert_eq!(
        history.visible(5),
        [
            (0, PastItem::Row(0)),
            (1, PastItem::Fuzzy),
            (2, PastItem::Row(1))
        ]
    );
    assert_eq!(history.position_at(1, 5), None);
    assert_eq!(history.position_at(2, 5), Some(1));
}

#[test]
fn only_prompts_around_what_is_in_sight_are_asked_for_and_only_once() {
    let rows: Vec<u32> = (0..1000).collect();
    let mut history = History::default();
    history.found(answer(&rows, &[]), 10);
    assert_eq!(history.missing(10).len(), 30);
    assert_eq!(history.missing(10), []);
    history.step(1, 10);
    assert_eq!(history.missing(10), []);
    history.go(999, 10);
    assert_eq!(history.missing(10).len(), 20);
}
