use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Find, GoOn, Page, PageSpec, PreviewReader, PreviewRequest};
use crate::preview::{Around, CardFacts, Coverage, Fold, Level, Options};
use crate::search::{Generation, Query};

fn uuid(n: usize) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

fn entry(n: usize, parent: Option<usize>, kind: &str, content: &Value) -> Value {
    json!({"parentUuid": parent.map(uuid), "isSidechain": false, "type": kind, "uuid": uuid(n),
           "cwd": "/home/ada/code/shop", "timestamp": "2026-03-01T10:00:00.000Z",
           "message": {"id": format!("m{n}"), "role": kind, "content": content}})
}

/// Questions and answers, two entries each, counted from `first`.
fn dialogue(first: usize, turns: usize, filler: &str) -> Vec<Value> {
    let each = |n: usize| {
        let at = first + 2 * n;
        let parent = (at > 1).then(|| at - 1);
        let answer = json!([{"type": "text", "text": format!("answer {n} {filler}")}]);
        [
            entry(at, parent, "user", &json!(format!("question {n}"))),
            entry(at + 1, Some(at), "assistant", &answer),
        ]
    };
    (0..turns).flat_map(each).collect()
}

fn text(entries: &[Value]) -> String {
    let lines: Vec<String> = entries.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

fn written(folder: &Path, name: &str, entries: &[Value]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text(entries)).expect("written");
    path
}

pub(super) fn request(path: &Path) -> PreviewRequest {
    PreviewRequest {
        generation: Generation(1),
        path: path.to_owned(),
        rows: 40,
        facts: CardFacts::default(),
        spec: PageSpec {
            columns: 100,
            options: Options::default(),
            around: Around::End,
            turns: 100,
            leaf: None,
            find: Find::default(),
            target: None,
        },
    }
}

pub(super) fn always() -> GoOn<'static> {
    GoOn {
        reading: &|| true,
        laying_out: &|| true,
    }
}

fn answers(reader: &mut PreviewReader, request: &PreviewRequest) -> Vec<Result<Page, String>> {
    let mut pages = Vec::new();
    reader.answer(request, always(), &mut |page| pages.push(page));
    pages
}

fn last(reader: &mut PreviewReader, request: &PreviewRequest) -> Page {
    let pages = answers(reader, request);
    pages.into_iter().last().expect("answered").expect("a page")
}

/// The lines that match.
pub(super) fn matches(page: &Page) -> Vec<usize> {
    let marks = page.found.marks.iter();
    marks.filter_map(|mark| page.line_of(mark.at)).collect()
}

fn told(page: &Page) -> String {
    let lines: Vec<String> = page
        .scroll
        .iter()
        .map(crate::preview::PageLine::text)
        .collect();
    lines.join("\n")
}

#[test]
fn the_end_of_a_long_file_comes_before_the_whole_and_keeps_its_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(20_000);
    let path = written(folder.path(), "long.jsonl", &dialogue(1, 200, &filler));
    let pages = answers(&mut PreviewReader::new(Vec::new()), &request(&path));
    let [Ok(newest), Ok(whole)] = pages.as_slice() else {
        panic!("two pages: {}", pages.len());
    };
    assert_eq!(
        (newest.known, whole.known),
        (Coverage::Newest, Coverage::Whole)
    );
    assert!(newest.turns.len() < 100, "{}", newest.turns.len());
    assert_eq!((whole.turns.len(), whole.before), (100, 100));
    let end = |page: &Page| {
        let line = page.scroll.get(page.scroll.len() - 1).expect("a line");
        (line.place, line.text())
    };
    assert_eq!(end(newest), end(whole));
    assert!(whole.first < 0, "what came later has numbers below zero");
    // Of the first turn only the end was known, and all of its last step.
    let said = |page: &Page| {
        page.turns
            .last()
            .and_then(|turn| turn.steps.last().cloned())
    };
    assert!(said(newest) == said(whole));
}

#[test]
fn paths_are_shown_from_where_the_whole_session_ran() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut entries = dialogue(1, 100, &"x".repeat(20_000));
    let at = entries.len() + 1;
    let call = json!([{"type": "tool_use", "id": "t", "name": "Read",
                       "input": {"file_path": "/home/ada/code/shop/web/cart.rs"}}]);
    entries.push(entry(at, Some(at - 1), "user", &json!("and the cart?")));
    entries.push(entry(at + 1, Some(at), "assistant", &call));
    // It has moved on into a folder below.
    for line in entries.iter_mut().skip(20) {
        line["cwd"] = json!("/home/ada/code/shop/web");
    }
    let path = written(folder.path(), "long.jsonl", &entries);
    let mut request = request(&path);
    request.spec.options.level = Level::Full;
    request.spec.find = Find::Phrase("web/cart.rs".to_owned());
    let pages = answers(&mut PreviewReader::new(Vec::new()), &request);
    let (Some(Ok(newest)), Some(Ok(whole))) = (pages.first(), pages.last()) else {
        panic!("two pages: {}", pages.len());
    };
    assert_eq!(
        (newest.known, whole.known),
        (Coverage::Newest, Coverage::Whole)
    );
    let shows = |page: &Page| told(page).contains("web/cart.rs");
    assert_eq!((shows(newest), shows(whole)), (false, true));
    let marks = |page: &Page| page.found.marks.len();
    assert_eq!((marks(newest), marks(whole)), (0, 1));
}

#[test]
fn a_mark_that_leads_before_the_end_makes_it_wait_for_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(20_000);
    let mut entries = dialogue(1, 400, &filler);
    // The last ones hang on nothing that Claude Code would go on from.
    entries.push(json!({"type": "last-prompt", "leafUuid": uuid(4), "explicit": true}));
    let path = written(folder.path(), "long.jsonl", &entries);
    let pages = answers(&mut PreviewReader::new(Vec::new()), &request(&path));
    assert_eq!(pages.len(), 1);
}

#[test]
fn nobody_waits_for_what_nobody_wants() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(20_000);
    let path = written(folder.path(), "long.jsonl", &dialogue(1, 200, &filler));
    let asked = Cell::new(0);
    let mut pages = 0;
    let go_on = || {
        asked.set(asked.get() + 1);
        asked.get() < 6
    };
    let go_on = GoOn {
        reading: &go_on,
        laying_out: &|| true,
    };
    PreviewReader::new(Vec::new()).answer(&request(&path), go_on, &mut |_| pages += 1);
    assert!(pages <= 1, "{pages}");
    assert!(asked.get() < 20, "it stops soon: {}", asked.get());
}

#[test]
fn a_file_that_grows_keeps_places_and_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "a.jsonl", &dialogue(1, 3, ""));
    let mut reader = PreviewReader::new(Vec::new());
    let before = last(&mut reader, &request(&path));
    let more = dialogue(7, 1, "and more");
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("opens");
    file.write_all(text(&more).as_bytes()).expect("appended");
    drop(file);
    // It was read a moment ago: as long as that lasts it is shown as it was.
    let until = Instant::now() + Duration::from_secs(3600);
    reader.rest = Some((path.clone(), until));
    let mut still = Vec::new();
    let due = reader.answer(&request(&path), always(), &mut |page| still.push(page));
    assert_eq!(due, Some(until), "then it is worth asking again");
    let still = still.pop().expect("answered").expect("a page");
    assert_eq!(told(&still), told(&before));
    reader.rest = None;
    let after = last(&mut reader, &request(&path));
    assert_eq!(after.turns.len(), before.turns.len() + 1);
    for at in 0..before.scroll.len() {
        let (old, new) = (before.scroll.get(at), after.scroll.get(at));
        assert_eq!(old, new);
        // Not laid out again: the very same lines.
        assert!(std::ptr::eq(old.expect("a line"), new.expect("a line")));
    }
    assert!(told(&after).contains("and more"));
}

#[test]
fn a_file_that_is_gone_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "a.jsonl", &dialogue(1, 1, ""));
    let mut reader = PreviewReader::new(Vec::new());
    assert!(answers(&mut reader, &request(&path))[0].is_ok());
    fs::remove_file(&path).expect("removed");
    let told = answers(&mut reader, &request(&path));
    let [Err(reason)] = told.as_slice() else {
        panic!("an error");
    };
    assert!(reason.contains("gone"), "{reason}");
    let folder_itself = answers(&mut reader, &request(folder.path()));
    assert!(
        matches!(folder_itself.as_slice(), [Err(reason)] if reason.contains("not a regular file"))
    );
}

#[test]
fn code_has_its_colours_after_its_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = "\n```rust\nfn main() {}\n```";
    let path = written(folder.path(), "a.jsonl", &dialogue(1, 1, code));
    let mut reader = PreviewReader::new(Vec::new());
    let pages = answers(&mut reader, &request(&path));
    let [Ok(plain), Ok(painted)] = pages.as_slice() else {
        panic!("two pages");
    };
    assert_eq!(told(plain), told(painted));
    assert_ne!(plain.scroll, painted.scroll);
    let again = answers(&mut reader, &request(&path));
    assert_eq!(again.len(), 1, "they are kept");
    let other = written(folder.path(), "b.jsonl", &dialogue(1, 1, code));
    let pages = answers(&mut reader, &request(&other));
    let [Ok(plain), Ok(painted)] = pages.as_slice() else {
        panic!("the text is not waiting for colors, also when they are loaded");
    };
    assert_ne!(plain.scroll, painted.scroll);
}

#[test]
fn what_lies_before_a_compaction_is_read_on_demand_also_from_another_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = dialogue(1, 2, "from the first days");
    written(
        folder.path(),
        "aaaaaaaa-0000-4000-8000-000000000001.jsonl",
        &old,
    );
    let boundary = json!({"parentUuid": null, "logicalParentUuid": uuid(4), "isSidechain": false,
        "type": "system", "subtype": "compact_boundary", "uuid": uuid(100),
        "compactMetadata": {"trigger": "auto", "preTokens": 155_000}});
    let mut summary = entry(101, Some(100), "user", &json!("what they did"));
    summary["isCompactSummary"] = json!(true);
    let mut entries = vec![boundary, summary];
    entries.extend(dialogue(102, 1, "after it"));
    let path = written(
        folder.path(),
        "bbbbbbbb-0000-4000-8000-000000000002.jsonl",
        &entries,
    );
    let mut reader = PreviewReader::new(Vec::new());
    let mut request = request(&path);
    let page = last(&mut reader, &request);
    assert!(!told(&page).contains("first days"));
    let first = page.scroll.get(0).expect("a line");
    assert_eq!(first.fold, Some(Fold::Earlier), "{}", told(&page));
    request.spec.options.toggle(Fold::Earlier);
    let page = last(&mut reader, &request);
    assert!(told(&page).contains("first days"), "{}", told(&page));
    assert!(
        told(&page).contains("from another file: aaaaaaaa"),
        "{}",
        told(&page)
    );
    assert!(page.first < 0);
    let no_more = page
        .scroll
        .iter()
        .all(|line| line.fold != Some(Fold::Earlier));
    assert!(no_more, "there is nothing before it");
    // Where it ends is a line that closes it.
    let mut titles = page.scroll.iter().filter(|line| line.fold.is_some());
    let seam = titles.find(|line| line.text().starts_with("▾"));
    let seam = seam.and_then(|line| line.fold).expect("a title");
    assert!(request.spec.options.is_open(seam));
    request.spec.options.toggle(seam);
    let closed = last(&mut reader, &request);
    assert!(!told(&closed).contains("first days"), "{}", told(&closed));
    assert!(told(&closed).starts_with("▸ what was said before the compaction"));
}

#[test]
fn what_was_attached_is_named_from_the_first_page_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(20_000);
    let mut entries = dialogue(1, 200, &filler);
    entries.push(entry(401, Some(400), "user", &json!("look at this")));
    entries.push(
        json!({"parentUuid": uuid(401), "isSidechain": false, "type": "attachment",
        "uuid": uuid(402), "attachment": {"type": "file", "filename": "/w/notes.md",
            "displayPath": "notes.md", "content": {"type": "text", "file": {"content": filler}}}}),
    );
    let path = written(folder.path(), "long.jsonl", &entries);
    let pages = answers(&mut PreviewReader::new(Vec::new()), &request(&path));
    assert!(pages.len() > 1);
    for page in pages {
        let page = page.expect("a page");
        assert!(
            told(&page).contains("attached notes.md"),
            "{:?}",
            page.known
        );
    }
}

#[test]
fn what_a_compaction_kept_is_shown_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut entries = dialogue(1, 2, "said before it");
    entries.push(json!({"parentUuid": null, "logicalParentUuid": uuid(4), "isSidechain": false,
        "type": "system", "subtype": "compact_boundary", "uuid": uuid(100),
        "compactMetadata": {"trigger": "auto", "preTokens": 155_000,
            "preservedSegment": {"headUuid": uuid(3), "anchorUuid": uuid(101), "tailUuid": uuid(4)}}}));
    let mut summary = entry(101, Some(100), "user", &json!("what they did"));
    summary["isCompactSummary"] = json!(true);
    entries.push(summary);
    entries.push(entry(102, Some(101), "user", &json!("and after it")));
    let path = written(folder.path(), "a.jsonl", &entries);
    let mut reader = PreviewReader::new(Vec::new());
    let mut request = request(&path);
    let shown = |page: &Page| {
        let turns = page.turns.iter();
        turns.map(|turn| turn.uuid.clone()).collect::<Vec<_>>()
    };
    let page = last(&mut reader, &request);
    assert_eq!(shown(&page), [uuid(100), uuid(3), uuid(102)]);
    request.spec.options.toggle(Fold::Earlier);
    let page = last(&mut reader, &request);
    assert_eq!(shown(&page), [uuid(1), uuid(100), uuid(3), uuid(102)]);
}

#[test]
fn what_was_compacted_away_and_is_nowhere_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut summary = entry(1, None, "user", &json!("what they did"));
    summary["isCompactSummary"] = json!(true);
    let path = written(folder.path(), "a.jsonl", &[summary]);
    let mut request = request(&path);
    request.spec.options.earlier = 1;
    let page = last(&mut PreviewReader::new(Vec::new()), &request);
    assert!(
        told(&page).contains("in no file any more"),
        "{}",
        told(&page)
    );
}

#[test]
fn an_agent_is_read_when_its_fold_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Task",
                       "input": {"description": "look", "prompt": "look around"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}]);
    let entries = [
        entry(1, None, "user", &json!("go")),
        entry(2, Some(1), "assistant", &call),
        entry(3, Some(2), "user", &result),
    ];
    let path = written(
        folder.path(),
        "cccccccc-0000-4000-8000-000000000003.jsonl",
        &entries,
    );
    let agents = path.with_extension("").join("subagents");
    fs::create_dir_all(&agents).expect("made");
    let mut inner = dialogue(1, 1, "of the agent");
    for line in &mut inner {
        line["isSidechain"] = json!(true);
    }
    let inner = written(&agents, "agent-x.jsonl", &inner);
    let meta = json!({"agentType": "Explore", "toolUseId": "toolu_1"}).to_string();
    fs::write(agents.join("agent-x.meta.json"), meta).expect("written");

    let mut reader = PreviewReader::new(Vec::new());
    let mut request = request(&path);
    let closed = last(&mut reader, &request);
    assert!(!told(&closed).contains("what the agent did"));
    let run = closed.scroll.iter().find_map(|line| line.fold);
    request.spec.options.toggle(run.expect("a fold"));
    let listed = last(&mut reader, &request);
    assert!(
        told(&listed).contains("▸ what the agent did (Explore)"),
        "{}",
        told(&listed)
    );
    assert!(!told(&listed).contains("of the agent"));
    let unread = reader.weight();
    let mut folds = listed.scroll.iter().filter_map(|line| line.fold);
    let agent = folds.find(|fold| matches!(fold, Fold::Agent(..)));
    request.spec.options.toggle(agent.expect("a fold"));
    let open = last(&mut reader, &request);
    assert!(
        told(&open).contains("┆ answer 0 of the agent"),
        "{}",
        told(&open)
    );
    request.spec.options.toggle(agent.expect("a fold"));
    assert_eq!(told(&last(&mut reader, &request)), told(&listed));
    // What it did is kept, and counts.
    let size = fs::metadata(inner).expect("there").len();
    assert_eq!(
        reader.weight() - unread,
        usize::try_from(size).expect("small")
    );
    request.spec.options = Options {
        level: Level::Full,
        ..Options::default()
    };
    assert!(told(&last(&mut reader, &request)).contains("of the agent"));
}

#[test]
fn another_branch_is_shown_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut entries = dialogue(1, 3, "");
    // Rewound to the first answer, and gone another way.
    let mut other = dialogue(21, 1, "another way");
    other[0]["parentUuid"] = json!(uuid(2));
    entries.extend(other);
    let path = written(folder.path(), "a.jsonl", &entries);
    let mut reader = PreviewReader::new(Vec::new());
    let mut request = request(&path);
    let page = last(&mut reader, &request);
    assert!(told(&page).contains("another way"));
    assert_eq!(page.branches.len(), 2);
    let left = page.branches.iter().find(|branch| !branch.is_resumed);
    request.spec.leaf = Some(left.expect("left").leaf.clone());
    let page = last(&mut reader, &request);
    assert!(told(&page).contains("answer 2") && !told(&page).contains("another way"));
    let card: Vec<String> = page
        .card
        .lines
        .iter()
        .map(|line| line.iter().map(|span| span.text.as_str()).collect())
        .collect();
    assert!(
        card.join("\n").contains("resuming does not take it"),
        "{card:?}"
    );
}

#[test]
fn finding_looks_inside_closed_folds() {
    let folder = tempfile::tempdir().expect("a folder");
    let call = json!([{"type": "tool_use", "id": "t", "name": "Bash",
                       "input": {"command": "make"}}]);
    let result =
        json!([{"type": "tool_result", "tool_use_id": "t", "content": "no rule for NEEDLE"}]);
    let entries = [
        entry(1, None, "user", &json!("build it")),
        entry(2, Some(1), "assistant", &call),
        entry(3, Some(2), "user", &result),
    ];
    let path = written(folder.path(), "a.jsonl", &entries);
    let mut request = request(&path);
    request.spec.find = Find::Phrase("needle".to_owned());
    let page = last(&mut PreviewReader::new(Vec::new()), &request);
    let [at] = matches(&page)[..] else {
        panic!("one match: {:?}", page.found);
    };
    let line = page.scroll.get(at).expect("a line");
    assert!(matches!(line.fold, Some(Fold::Part(_))));
    request.spec.options.toggle(line.fold.expect("a fold"));
    let open = last(&mut PreviewReader::new(Vec::new()), &request);
    let [at] = matches(&open)[..] else {
        panic!("one match: {:?}", open.found);
    };
    assert!(
        open.scroll
            .get(at)
            .expect("a line")
            .text()
            .contains("NEEDLE")
    );
}

#[test]
fn conversations_that_were_read_lately_are_kept_within_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(10_000);
    let mut reader = PreviewReader::new(Vec::new());
    for n in 0..40 {
        let name = format!("{n}.jsonl");
        let path = written(folder.path(), &name, &dialogue(1, 50, &filler));
        last(&mut reader, &request(&path));
    }
    assert!(
        (2..40).contains(&reader.cache.len()),
        "{}",
        reader.cache.len()
    );
}

#[test]
fn the_cost_is_taken_from_the_project_if_it_was_its_last_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(
        folder.path(),
        "dddddddd-0000-4000-8000-000000000004.jsonl",
        &dialogue(1, 1, ""),
    );
    let config = folder.path().join(".claude.json");
    let known = json!({"projects": {"/home/ada/code/shop": {
        "lastSessionId": "dddddddd-0000-4000-8000-000000000004", "lastCost": 1.92}}});
    fs::write(&config, known.to_string()).expect("written");
    let page = last(&mut PreviewReader::new(vec![config]), &request(&path));
    let card = format!("{:?}", page.card);
    assert!(card.contains("$1.92"), "{card}");
}

#[test]
fn a_file_is_read_to_its_end_for_whoever_asks_for_another_page_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "a.jsonl", &dialogue(1, 3, ""));
    let mut reader = PreviewReader::new(Vec::new());
    let mut pages = 0;
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| false,
    };
    reader.answer(&request(&path), go_on, &mut |_| pages += 1);
    assert_eq!((pages, reader.cache.len()), (0, 1));
}

#[test]
fn finding_looks_into_the_patches_of_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let call = json!([{"type": "tool_use", "id": "t", "name": "Edit",
                       "input": {"file_path": "/x/a.rs"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "updated"}]);
    let mut edited = entry(3, Some(2), "user", &result);
    edited["toolUseResult"] = json!({"filePath": "/x/a.rs", "structuredPatch": [
        {"oldStart": 1, "newStart": 1, "lines": ["-old", "+const LEEWAY: i64 = 30;"]}]});
    let entries = [
        entry(1, None, "user", &json!("change it")),
        entry(2, Some(1), "assistant", &call),
        edited,
    ];
    let path = written(folder.path(), "a.jsonl", &entries);
    let mut request = request(&path);
    request.spec.find = Find::Phrase("leeway".to_owned());
    let page = last(&mut PreviewReader::new(Vec::new()), &request);
    assert_eq!(matches(&page).len(), 1);
}

#[test]
fn the_message_with_all_words_is_shown_first_and_no_word_from_its_middle() {
    let folder = tempfile::tempdir().expect("a folder");
    let prompts = [
        "the login page",
        "unrelated",
        "the expiry of a login",
        "catalogue",
    ];
    let each =
        |(n, prompt): (usize, &&str)| entry(n + 1, (n > 0).then_some(n), "user", &json!(prompt));
    let entries: Vec<Value> = prompts.iter().enumerate().map(each).collect();
    let path = written(folder.path(), "a.jsonl", &entries);
    let landing = |query: &str| {
        let mut request = request(&path);
        request.spec.find = Find::Words(Query::parse(query, &chrono::Utc::now()));
        let page = last(&mut PreviewReader::new(Vec::new()), &request);
        let at = page.line_of(page.found.landing?)?;
        Some(page.scroll.get(at)?.text())
    };
    assert_eq!(
        landing("login expiry").as_deref(),
        Some("the expiry of a login")
    );
    assert_eq!(landing("login nowhere").as_deref(), Some("the login page"));
    assert_eq!(landing("talog"), None);
}
