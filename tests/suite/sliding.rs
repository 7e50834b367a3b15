//! Conversations that no page holds whole: going through them, and finding in them.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use claude_resume::preview::{Around, Budget, Coverage, PageLine};
use claude_resume::reader::{Find, Page, Searched};
use claude_resume::tui::{Effect, Hold, Message, Previewed, Request};
use serde_json::{Value, json};

use crate::support::{self, entry};
use crate::world::{EVERYTHING, World};

/// So little that a page has only a few turns.
const LITTLE: Budget = Budget {
    lines: 12_000,
    texts: 20_000,
    least: 5_000,
};
/// Enough for some screens on either side.
const SOME: Budget = Budget {
    lines: 40_000,
    texts: 20_000,
    least: 20_000,
};
/// A prompt, an answer of some lines, and a call whose result is folded away. Every tenth answer
/// and every fifteenth result has a needle in it.
fn turn(n: usize) -> [Value; 4] {
    let at = n * 4;
    let needle = if n.is_multiple_of(10) { " needle" } else { "" };
    let hidden = if n.is_multiple_of(15) { " needle" } else { "" };
    let answer = format!("answer {n}{needle}\n\n- one of {n}\n- two of {n}\n\nand so on with {n}");
    let call = json!([{"type": "tool_use", "id": format!("t{n}"), "name": "Bash",
                       "input": {"command": format!("make {n}")}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": format!("t{n}"),
                         "content": format!("done with {n}{hidden}")}]);
    [
        entry(at, "user", &json!(format!("question {n}"))),
        entry(
            at + 1,
            "assistant",
            &json!([{"type": "text", "text": answer}]),
        ),
        entry(at + 2, "assistant", &call),
        entry(at + 3, "user", &result),
    ]
}

struct Desk {
    world: World,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

fn desk(turns: usize, budget: Budget) -> Desk {
    let lines: Vec<Value> = (0..turns).flat_map(turn).collect();
    desk_with(&lines, budget)
}

fn desk_with(lines: &[Value], budget: Budget) -> Desk {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder
        .path()
        .join("5e551011-0000-4000-8000-000000000001.jsonl");
    fs::write(&path, support::lines(lines)).expect("written");
    let mut world = World::full(100, 30);
    world.open(&path, budget);
    Desk {
        world,
        path,
        _folder: folder,
    }
}

fn page(desk: &Desk) -> &Page {
    desk.world.reader().page().expect("a page")
}

/// The text of the line under the cursor.
fn here(desk: &Desk) -> String {
    let preview = &desk.world.reader();
    preview
        .line(preview.cursor)
        .map(PageLine::text)
        .unwrap_or_default()
}

/// Everything, as one layout has it.
fn all_lines(turns: usize) -> Vec<String> {
    let mut whole = desk(turns, EVERYTHING);
    whole.world.press("tab g");
    while page(&whole).behind > 0 {
        whole.world.press("G g");
        whole.world.reader_mut().turns = usize::MAX;
    }
    assert_eq!((page(&whole).before, page(&whole).behind), (0, 0));
    let scroll = &page(&whole).scroll;
    scroll
        .iter()
        .take(scroll.len())
        .map(PageLine::text)
        .collect()
}

#[test]
fn walking_through_the_windows_meets_every_line_once() {
    let all = all_lines(150);
    let mut desk = desk(150, LITTLE);
    desk.world.press("tab G");
    assert!(page(&desk).before > 0, "it does not fit");
    let mut met = vec![here(&desk)];
    for _ in 1..all.len() {
        desk.world.press("k");
        met.push(here(&desk));
    }
    met.reverse();
    assert_eq!(met, all);
    let top = desk.world.reader().cursor;
    desk.world.press("k");
    assert_eq!(
        (desk.world.reader().cursor, top),
        (0, 0),
        "there is nothing above"
    );
    assert!(page(&desk).turns.len() < 40, "{}", page(&desk).turns.len());
    let mut met = vec![here(&desk)];
    for _ in 1..all.len() {
        desk.world.press("j");
        met.push(here(&desk));
    }
    assert_eq!(met, all);
}

#[test]
fn the_beginning_and_the_end_are_the_true_ones() {
    let mut desk = desk(300, SOME);
    desk.world.press("tab g");
    assert_eq!(here(&desk), "question 0");
    assert_eq!((page(&desk).before, desk.world.reader().top), (0, 0));
    desk.world.press("G");
    assert_eq!(page(&desk).behind, 0);
    assert!(
        desk.world.screen().contains("with 299"),
        "{}",
        desk.world.screen()
    );
    // By pages, through the middle, and the card says how many there are.
    desk.world.press("pgup pgup pgup");
    let before = here(&desk);
    desk.world.press("pgdn pgup");
    assert_eq!(here(&desk), before);
    assert!(
        desk.world.screen().contains("300 turns"),
        "{}",
        desk.world.screen()
    );
}

#[test]
fn prompts_are_gone_through_one_by_one() {
    let mut desk = desk(120, LITTLE);
    desk.world.press("tab G");
    for n in (0..120).rev() {
        desk.world.press("{");
        assert_eq!(here(&desk), format!("question {n}"));
    }
    for n in 1..120 {
        desk.world.press("}");
        assert_eq!(here(&desk), format!("question {n}"));
    }
}

#[test]
fn what_is_looked_at_stays_in_sight_whatever_changes() {
    let mut desk = desk(200, SOME);
    desk.world.press("tab g");
    for _ in 0..60 {
        desk.world.press("}");
    }
    let row = |desk: &Desk| desk.world.reader().cursor - desk.world.reader().top;
    let before = (here(&desk), row(&desk));
    assert_eq!(before.0, "question 60");
    for keys in ["o", "o", "o", "t", "t"] {
        desk.world.press(keys);
        assert_eq!(here(&desk), before.0, "{keys}");
    }
    for columns in [60, 200, 100] {
        desk.world.tell(Message::Resize { columns, rows: 30 });
        assert_eq!(here(&desk), before.0, "{columns}");
    }
    assert_eq!(row(&desk), before.1);
}

#[test]
fn finding_looks_through_all_windows_and_goes_there() {
    let mut desk = desk(200, LITTLE);
    desk.world.press("tab G /");
    desk.world.enter("needle");
    // Twenty in answers, fourteen in closed folds.
    let count = |desk: &Desk| desk.world.reader().match_count();
    assert_eq!(count(&desk).1, 34);
    assert!(
        desk.world.screen().contains("of 34"),
        "{}",
        desk.world.screen()
    );
    desk.world.press("enter");
    let start = here(&desk);
    assert_eq!(start, "answer 0 needle", "around the end to the first");
    let mut met = vec![(1, start)];
    for _ in 0..34 {
        desk.world.press("n");
        met.push((count(&desk).0, here(&desk)));
    }
    let numbers: Vec<usize> = met.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=34).chain([1]).collect::<Vec<_>>());
    // What a fold hid was opened.
    assert!(
        met.iter().all(|(_, line)| line.contains("needle")),
        "{met:#?}"
    );
    desk.world.press("N");
    assert_eq!(count(&desk), (34, 34));
    assert!(here(&desk).contains("needle"));
}

#[test]
fn finding_in_windows_is_finding_in_the_whole() {
    for sought in ["needle", "one of 1", "question", "make 7", "nowhere"] {
        let mut typed = desk(90, LITTLE);
        typed.world.press("tab /");
        typed.world.enter(sought);
        // Letter by letter only what is left is looked through again.
        let mut pasted = desk(90, EVERYTHING);
        pasted.world.press("tab /");
        pasted.world.tell(Message::Paste(sought.to_owned()));
        let marks = |desk: &Desk| desk.world.reader().marks().to_vec();
        assert_eq!(marks(&typed), marks(&pasted), "{sought}");
    }
}

#[test]
fn the_list_s_query_leads_to_its_first_match_in_any_window() {
    let mut desk = desk(200, LITTLE);
    desk.world.reader_mut().hold = Hold::Untouched;
    let mut request = desk.world.asked.clone().expect("asked");
    let query = claude_resume::search::Query::parse("\"of 20\"", &crate::world::now());
    desk.world.sessions_mut().query.query = query.clone();
    request.spec.find = Find::Words(query);
    desk.world.tell(Message::Resize {
        columns: 100,
        rows: 31,
    });
    assert!(
        desk.world.screen().contains("one of 20"),
        "{}",
        desk.world.screen()
    );
}

#[test]
fn a_file_that_grows_leaves_the_reader_where_he_is() {
    let mut desk = desk(120, LITTLE);
    desk.world.press("tab g } } } } } }");
    let before = here(&desk);
    let lines: Vec<Value> = (0..200).flat_map(turn).collect();
    fs::write(&desk.path, support::lines(&lines)).expect("written");
    desk.world.tell(Message::Resize {
        columns: 100,
        rows: 32,
    });
    // What was read a moment ago is left alone for another moment.
    for _ in 0..500 {
        let request = desk.world.asked.clone().expect("asked");
        desk.world
            .carry_out(Effect::Ask(Request::Preview(Box::new(request))));
        assert_eq!(here(&desk), before);
        if desk.world.screen().contains("200 turns") {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(here(&desk), before);
    assert!(
        desk.world.screen().contains("200 turns"),
        "{}",
        desk.world.screen()
    );
    desk.world.press("G");
    assert!(
        desk.world.screen().contains("with 199"),
        "{}",
        desk.world.screen()
    );
}

/// More than a megabyte: its end is shown first.
fn long(lines: &[Value]) -> (tempfile::TempDir, PathBuf) {
    let filler = "and so on ".repeat(1_000);
    let mut lines = lines.to_vec();
    // In a field that nobody shows: text of this length takes long to lay out.
    for line in &mut lines {
        line["padding"] = json!(filler);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.jsonl");
    fs::write(&path, support::lines(&lines)).expect("written");
    (folder, path)
}

#[test]
fn a_beginning_that_was_asked_for_while_it_was_read_is_reached() {
    let (_folder, path) = long(&(0..120).flat_map(turn).collect::<Vec<_>>());
    let mut world = World::full(100, 30);
    world.press("tab");
    let generation = world.reader().generation;
    let pages = world.pages_of(&path, LITTLE);
    let [newest, whole, ..] = pages.as_slice() else {
        panic!("its end comes first");
    };
    let previewed = |page: &Page, generation| {
        Message::Previewed(Previewed {
            generation,
            result: Ok(page.clone()),
        })
    };
    world.reader_mut().hold = Hold::Untouched;
    world.tell(previewed(newest, generation));
    world.hold_back(&path, LITTLE);
    world.press("g");
    // The page of the request before comes too late, the one that was asked for instead comes.
    world.tell(previewed(whole, generation));
    world.let_come();
    let preview = &world.reader();
    let line = preview.line(preview.cursor).map(PageLine::text);
    assert_eq!(line.as_deref(), Some("question 0"));
    assert_eq!(
        (preview.top, preview.page().map(|page| page.before)),
        (0, Some(0))
    );
}

/// One prompt and a long way from answer to answer.
fn one_turn(answers: usize) -> Vec<Value> {
    let answer = |n| {
        let text = format!("answer {n}\n\nand so on with {n}");
        entry(n, "assistant", &json!([{"type": "text", "text": text}]))
    };
    let mut lines = vec![entry(0, "user", &json!("question 0"))];
    lines.extend((1..=answers).map(answer));
    lines
}

#[test]
fn whoever_moves_before_the_whole_was_read_stays_where_he_is() {
    for lines in [(0..120).flat_map(turn).collect(), one_turn(110)] {
        let (_folder, path) = long(&lines);
        for keys in ["g j", "g pgdn pgdn pgdn j", "g G k", "pgup pgup"] {
            let mut world = World::full(100, 30);
            world.press("tab");
            world.begin_to_read(&path, LITTLE);
            let page = world.reader().page().expect("a page");
            assert_eq!(page.known, Coverage::Newest);
            world.press(&format!("G {keys}"));
            let sight = |world: &World| {
                let preview = &world.reader();
                let page = preview.page().expect("a page");
                let lines = page.scroll.from(preview.cursor).take(5).map(PageLine::text);
                (lines.collect::<Vec<_>>(), preview.cursor - preview.top)
            };
            let (lines, row) = sight(&world);
            world.let_come();
            // More is known of the whole, which takes room from its lines.
            let row = row.min(world.page_rows() - 1);
            assert_eq!(sight(&world), (lines, row), "{keys}");
            let page = world.reader().page().expect("a page");
            assert_eq!(page.known, Coverage::Whole);
        }
    }
}

#[test]
fn the_preview_says_that_the_rest_is_being_read() {
    let (_folder, path) = long(&(0..120).flat_map(turn).collect::<Vec<_>>());
    let mut world = World::full(100, 30);
    let mut large = crate::world::sessions().remove(0);
    large.file.size = 600 << 20;
    world.put(vec![large]);
    world.press("tab");
    world.begin_to_read(&path, LITTLE);
    for keys in ["k", "g", "pgup"] {
        world.press(keys);
        assert!(
            world.screen().contains("reading the rest…"),
            "{}",
            world.screen()
        );
    }
    // There may be one further up.
    world.press("g {");
    assert!(
        world.screen().contains("still reading"),
        "{}",
        world.screen()
    );
    world.let_come();
    world.press("j");
    assert!(
        !world.screen().contains("reading the rest"),
        "{}",
        world.screen()
    );
}

#[test]
fn the_prompt_of_the_history_is_reached_in_any_window() {
    let mut desk = desk(200, LITTLE);
    let row = desk.world.sessions().list.cursor().expect("a row");
    let day = 86_400_000;
    // The first of March at noon, when the entry 120 was written.
    let noon = 1_772_366_400_000;
    desk.world.reveal(row, "question 30", noon);
    let again = |desk: &mut Desk| {
        let request = desk.world.asked.clone().expect("asked");
        desk.world
            .carry_out(Effect::Ask(Request::Preview(Box::new(request))));
    };
    again(&mut desk);
    assert_eq!(here(&desk), "question 30");
    desk.world.reveal(row, "nobody asked this", noon + 3 * day);
    again(&mut desk);
    assert!(
        desk.world.sessions().pending.is_none(),
        "it is not looked for for ever"
    );
}

/// When an entry was written, in milliseconds since the epoch.
fn moment(entry: usize) -> i64 {
    let first_of_march = 1_772_323_200_000;
    let minutes = entry / 200 * 24 * 60 + entry % 200 / 10 * 60 + entry % 10;
    first_of_march + i64::try_from(minutes).expect("few") * 60_000
}

/// Goes to a prompt of the history in a conversation that nobody has touched yet.
fn go_to(desk: &mut Desk, text: &str, timestamp: i64) {
    desk.world.reader_mut().hold = Hold::Untouched;
    let row = desk.world.sessions().list.cursor().expect("a row");
    desk.world.reveal(row, text, timestamp);
    let request = desk.world.asked.clone().expect("asked");
    desk.world
        .carry_out(Effect::Ask(Request::Preview(Box::new(request))));
}

#[test]
fn a_prompt_that_is_not_there_is_not_looked_for_for_ever() {
    let mut desk = desk(200, LITTLE);
    go_to(&mut desk, "nobody asked this", moment(120));
    assert!(desk.world.sessions().pending.is_none());
    assert!(
        desk.world.screen().contains("this prompt was not found"),
        "{}",
        desk.world.screen()
    );
    // The window follows whoever reads, as before.
    desk.world.press("tab G");
    for n in (0..200).rev() {
        desk.world.press("{");
        assert_eq!(here(&desk), format!("question {n}"));
    }
}

#[test]
fn a_prompt_of_another_session_keeps_no_window_from_following() {
    let mut desk = desk(60, LITTLE);
    let hits = desk.world.sessions().list.items();
    let row = hits.last().expect("a row").row;
    assert_ne!(desk.world.sessions().list.cursor(), Some(row));
    desk.world
        .reveal(row, "it was left before it was read", moment(0));
    desk.world.press("tab");
    for _ in 0..1_000 {
        desk.world.press("k");
    }
    assert_eq!(here(&desk), "question 0");
}

#[test]
fn a_prompt_that_was_reached_stays_in_sight() {
    let mut desk = desk(200, LITTLE);
    go_to(&mut desk, "question 30", moment(120));
    assert_eq!(here(&desk), "question 30");
    assert_eq!(desk.world.reader().around, Around::Turn(30));
}

#[test]
fn of_equal_prompts_the_one_of_that_time_is_reached() {
    let mut lines: Vec<Value> = (0..200).flat_map(turn).collect();
    for n in (3..200).step_by(10) {
        lines[4 * n]["message"]["content"] = json!("go on");
    }
    for budget in [LITTLE, EVERYTHING] {
        for n in [3, 33, 193] {
            let mut desk = desk_with(&lines, budget);
            go_to(&mut desk, "go on", moment(4 * n) - 100);
            let preview = &desk.world.reader();
            let at = preview.line(preview.cursor).map(|line| line.place.turn);
            assert_eq!(at, i64::try_from(n).ok());
            assert_eq!(here(&desk), "go on");
        }
    }
}

#[test]
fn a_longer_prompt_is_another_one_unless_it_was_entered_then() {
    for budget in [LITTLE, EVERYTHING] {
        let mut desk = desk(200, budget);
        go_to(&mut desk, "question 1", moment(4));
        assert_eq!(here(&desk), "question 1");
        go_to(&mut desk, "question", moment(408));
        // Something was put behind it on its way.
        assert_eq!(here(&desk), "question 102");
        go_to(&mut desk, "question", moment(410));
        assert!(desk.world.screen().contains("this prompt was not found"));
    }
}

#[test]
fn whoever_moves_before_the_end_has_come_stays() {
    let mut desk = desk(200, LITTLE);
    desk.world.press("tab g");
    let path = desk.path.clone();
    desk.world.hold_back(&path, LITTLE);
    desk.world.press("G");
    assert_eq!(here(&desk), "question 0", "nothing moves until it is there");
    desk.world.press("j j");
    let before = here(&desk);
    desk.world.let_come();
    assert_eq!(here(&desk), before);
    assert_eq!(page(&desk).before, 0);
}

#[test]
fn the_find_bar_says_what_is_still_going_on_and_what_is_left_out() {
    let mut summary = entry(0, "user", &json!("what they did"));
    summary["isCompactSummary"] = json!(true);
    let lines = [summary, entry(1, "user", &json!("a needle"))];
    let mut desk = desk_with(&lines, EVERYTHING);
    desk.world.press("tab /");
    desk.world.enter("needle");
    let screen = desk.world.screen();
    assert!(
        screen.contains("1 of 1 · not before the compaction"),
        "{screen}"
    );
    let mut partly = page(&desk).clone();
    partly.found.searched = Searched::Partly;
    let generation = desk.world.reader().generation;
    desk.world.tell(Message::Previewed(Previewed {
        generation,
        result: Ok(partly),
    }));
    let screen = desk.world.screen();
    assert!(screen.contains("searching…"), "{screen}");
    assert!(!screen.contains("1 of 1"), "{screen}");
}

#[test]
fn where_enough_was_found_going_on_goes_around_the_end() {
    let mut desk = desk(90, LITTLE);
    desk.world.press("tab G /");
    desk.world.enter("answer");
    desk.world.press("enter N");
    let mut enough = page(&desk).clone();
    let marks = enough.found.marks.to_vec();
    let last = marks.len() - 1;
    assert_eq!(desk.world.reader().match_count().0, last + 1);
    // As if the beginning had not been looked through.
    enough.found.marks = Arc::new(marks[last - 1..].to_vec());
    enough.found.searched = Searched::Enough;
    let generation = desk.world.reader().generation;
    let path = desk.path.clone();
    desk.world.hold_back(&path, LITTLE);
    desk.world.tell(Message::Previewed(Previewed {
        generation,
        result: Ok(enough),
    }));
    let screen = desk.world.screen();
    assert!(screen.contains("2 of 2+"), "{screen}");
    desk.world.press("n");
    let preview = &desk.world.reader();
    assert_eq!((preview.match_count().0, preview.pending), (1, None));
    assert_eq!(here(&desk), "answer 88");
}

#[test]
fn conditions_alone_are_looked_for_in_no_conversation() {
    let now = crate::world::now();
    for (query, seeks) in [
        ("is:running", false),
        ("project:shop", false),
        ("-needle", false),
        ("needle", true),
        ("project:shop needle", true),
        ("\"a needle\"", true),
    ] {
        let find = Find::Words(claude_resume::search::Query::parse(query, &now));
        assert_eq!(find.matcher().is_some(), seeks, "{query}");
    }
}

#[test]
fn taking_a_message_works_in_every_window() {
    let mut desk = desk(150, LITTLE);
    desk.world.press("tab g");
    for n in 0..100 {
        desk.world.effects.clear();
        desk.world.press("y");
        let text = desk.world.effects.iter().find_map(|effect| match effect {
            Effect::Copy { text, .. } => Some(text.clone()),
            _ => None,
        });
        assert_eq!(text, Some(format!("question {n}")));
        desk.world.press("}");
    }
}
