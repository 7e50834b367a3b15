use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Find, GoOn, Page, PreviewReader, PreviewRequest, Searched, tests};
use crate::preview::{Around, Budget, Fold, LedgerHead, Level, TurnPos};

fn uuid(n: usize) -> String {
    format!("{n:08x}-0000-4000-8000-000000000000")
}

fn entry(n: usize, kind: &str, content: &Value) -> Value {
    json!({"parentUuid": n.checked_sub(1).map(uuid), "isSidechain": false, "type": kind,
           "uuid": uuid(n), "cwd": "/home/ada/code/shop",
           "message": {"id": format!("m{n}"), "role": kind, "content": content}})
}

fn write(path: &Path, entries: &[Value]) {
    let lines: Vec<String> = entries.iter().map(Value::to_string).collect();
    fs::write(path, lines.join("\n") + "\n").expect("written");
}

fn request(path: &Path, find: &str) -> PreviewRequest {
    let mut request = tests::request(path);
    request.spec.columns = 40;
    request.spec.find = Find::Phrase(find.to_owned());
    request
}

fn last(reader: &mut PreviewReader, request: &PreviewRequest) -> Page {
    let mut pages = Vec::new();
    reader.answer(request, tests::always(), &mut |page| pages.push(page));
    pages.pop().expect("answered").expect("a page")
}

/// A session with a call that started an agent, whose answer has a needle in it.
fn with_an_agent(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("cccccccc-0000-4000-8000-000000000003.jsonl");
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Task",
                       "input": {"description": "look", "prompt": "look around"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}]);
    let mut entries = vec![
        entry(0, "user", &json!("go")),
        entry(1, "assistant", &call),
        entry(2, "user", &result),
    ];
    for n in 3..30 {
        entries.push(entry(n, "user", &json!(format!("question {n}"))));
    }
    write(&path, &entries);
    let agents = path.with_extension("").join("subagents");
    fs::create_dir_all(&agents).expect("made");
    let mut inner = [
        entry(0, "user", &json!("look around")),
        entry(
            1,
            "assistant",
            &json!([{"type": "text", "text": "there is a NEEDLE"}]),
        ),
    ];
    for line in &mut inner {
        line["isSidechain"] = json!(true);
    }
    write(&agents.join("agent-x.jsonl"), &inner);
    let meta = json!({"agentType": "Explore", "toolUseId": "toolu_1"}).to_string();
    fs::write(agents.join("agent-x.meta.json"), meta).expect("written");
    path
}

fn agent(folder: &Path, n: usize, said: &str) {
    let text = json!([{"type": "text", "text": said}]);
    let mut inner = [
        entry(0, "user", &json!("look")),
        entry(1, "assistant", &text),
    ];
    for line in &mut inner {
        line["isSidechain"] = json!(true);
    }
    write(&folder.join(format!("agent-{n}.jsonl")), &inner);
    let meta = json!({"agentType": "Explore", "toolUseId": format!("toolu_{n}")}).to_string();
    fs::write(folder.join(format!("agent-{n}.meta.json")), meta).expect("written");
}

/// A session with one turn that started an agent for each of these answers, and the folder of
/// their files.
fn with_agents(folder: &Path, answers: &[&str]) -> (std::path::PathBuf, std::path::PathBuf) {
    let path = folder.join("cccccccc-0000-4000-8000-000000000004.jsonl");
    let call = |n: usize| {
        json!({"type": "tool_use", "id": format!("toolu_{n}"), "name": "Task",
               "input": {"description": "look", "prompt": "look"}})
    };
    let calls: Vec<Value> = (0..answers.len()).map(call).collect();
    let entries = [
        entry(0, "user", &json!("go")),
        entry(1, "assistant", &json!(calls)),
    ];
    write(&path, &entries);
    let agents = path.with_extension("").join("subagents");
    fs::create_dir_all(&agents).expect("made");
    for (n, said) in answers.iter().enumerate() {
        agent(&agents, n, said);
    }
    (path, agents)
}

/// What the last page says of an answer that is stopped when it has asked so often.
fn stopped_after(
    reader: &mut PreviewReader,
    request: &PreviewRequest,
    asks: usize,
) -> Option<Page> {
    let left = std::cell::Cell::new(asks);
    let go_on = || {
        left.set(left.get().saturating_sub(1));
        left.get() > 0
    };
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &go_on,
    };
    let mut last = None;
    reader.answer(request, go_on, &mut |page| {
        last = Some(page.expect("a page"));
    });
    last
}

#[test]
fn reading_agents_stops_and_an_agent_that_was_left_out_is_looked_through_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut answers = ["nothing"; 8];
    answers[7] = "a needle";
    let (path, _) = with_agents(folder.path(), &answers);
    let request = request(&path, "needle");
    let mut stopped = 0;
    for asks in 1..60 {
        let mut reader = PreviewReader::new(Vec::new());
        let found = stopped_after(&mut reader, &request, asks).map(|page| page.found.searched);
        stopped += usize::from(found == Some(Searched::Partly));
        let page = last(&mut reader, &request);
        assert_eq!(page.found.marks.len(), 1, "after {asks}");
    }
    assert!(
        stopped > answers.len(),
        "{stopped}: before each agent, and while it is read"
    );
}

#[test]
fn whoever_is_stopped_again_and_again_gets_through_all_agents() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = with_agents(folder.path(), &["nothing"; 40]);
    let request = request(&path, "needle");
    let mut reader = PreviewReader::new(Vec::new());
    let is_over = |page: &Page| page.found.searched == Searched::Everything;
    let mut again = (0..40).filter_map(|_| stopped_after(&mut reader, &request, 60));
    assert!(again.any(|page| is_over(&page)));
}

#[test]
fn an_agent_without_a_match_is_not_read_again_for_a_longer_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, agents) = with_agents(folder.path(), &["nothing", "a need"]);
    let mut reader = PreviewReader::new(Vec::new());
    let mut marks = |find: &str| last(&mut reader, &request(&path, find)).found.marks.len();
    assert_eq!(marks("need"), 1);
    agent(&agents, 0, "a needle");
    assert_eq!(marks("needle"), 0, "what is known of the first holds");
    assert_eq!(marks("eedle"), 1, "something else is looked for everywhere");
}

#[test]
fn what_a_command_printed_is_found_in_its_fold() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder
        .path()
        .join("cccccccc-0000-4000-8000-000000000005.jsonl");
    let command = "<command-name>/exit</command-name>\n<command-args></command-args>";
    let printed = "<local-command-stdout>See you!</local-command-stdout>";
    let entries = [
        entry(0, "user", &json!("go")),
        entry(1, "assistant", &json!([{"type": "text", "text": "Gone."}])),
        entry(2, "user", &json!(command)),
        entry(3, "user", &json!(printed)),
    ];
    write(&path, &entries);
    let mut reader = PreviewReader::new(Vec::new());
    for find in ["exit", "See you"] {
        let page = last(&mut reader, &request(&path, find));
        let place = page.found.marks.first().map(|mark| mark.at.place);
        assert_eq!(place, Some(TurnPos::opening(1)), "{find}");
    }
}

const LITTLE: Budget = Budget {
    lines: 1,
    texts: 1,
    least: 0,
};

#[test]
fn what_a_closed_agent_did_is_found_and_its_folds_lead_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = with_an_agent(folder.path());
    for budget in [LITTLE, Budget::default()] {
        let mut reader = PreviewReader::within(budget, Vec::new());
        let mut request = request(&path, "needle");
        let page = last(&mut reader, &request);
        let [mark] = page.found.marks[..] else {
            panic!("one match: {:?}", page.found);
        };
        // The run that hides the agent, then the agent, then what it said.
        request.spec.around = Around::Turn(mark.at.place.turn);
        let mut seen = Vec::new();
        for _ in 0..2 {
            let page = last(&mut reader, &request);
            let [line] = tests::matches(&page)[..] else {
                panic!("one match: {:?}", page.found);
            };
            let line = page.scroll.get(line).expect("a line");
            seen.push(line.fold);
            request.spec.options.toggle(line.fold.expect("a fold"));
        }
        assert!(matches!(
            seen[..],
            [Some(Fold::Part(_)), Some(Fold::Agent(_, 0))]
        ));
        let page = last(&mut reader, &request);
        let [line] = tests::matches(&page)[..] else {
            panic!("one match: {:?}", page.found);
        };
        let line = page.scroll.get(line).expect("a line");
        assert!(line.text().contains("NEEDLE"));
        // From another window the open agent is looked through as well, and let go again.
        request.spec.around = Around::End;
        request.spec.find = Find::Phrase("a needle".to_owned());
        let page = last(&mut reader, &request);
        assert_eq!(page.found.marks.len(), 1);
    }
}

#[test]
fn paths_inside_a_closed_fold_are_found_as_they_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let call = json!([{"type": "tool_use", "id": "t", "name": "Read",
                       "input": {"file_path": "/home/ada/code/shop/src/login.rs"}},
                      {"type": "tool_use", "id": "u", "name": "Bash",
                       "input": {"command": "make"}}]);
    write(
        &path,
        &[entry(0, "user", &json!("go")), entry(1, "assistant", &call)],
    );
    let count = |find: &str, level: Level| {
        let mut request = request(&path, find);
        request.spec.options.level = level;
        request.spec.columns = 200;
        let page = last(&mut PreviewReader::new(Vec::new()), &request);
        usize::from(!page.found.marks.is_empty())
    };
    for find in ["src/login.rs", "shop/src"] {
        assert_eq!(
            count(find, Level::Summary),
            count(find, Level::Full),
            "{find}"
        );
    }
    assert_eq!(count("src/login.rs", Level::Summary), 1);
}

#[test]
fn what_was_compacted_away_is_known_not_to_be_looked_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let mut summary = entry(0, "user", &json!("what they did"));
    summary["isCompactSummary"] = json!(true);
    write(&path, &[summary, entry(1, "user", &json!("go on"))]);
    let page = last(&mut PreviewReader::new(Vec::new()), &request(&path, "go"));
    assert_eq!(page.head, LedgerHead::Compacted);
}

#[test]
fn looking_stops_when_nobody_wants_it_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let entries: Vec<Value> = (0..40)
        .map(|n| entry(n, "user", &json!(format!("question {n}"))))
        .collect();
    write(&path, &entries);
    let mut reader = PreviewReader::within(LITTLE, Vec::new());
    let left = std::cell::Cell::new(30);
    let go_on = || {
        left.set(left.get() - 1);
        left.get() > 0
    };
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &go_on,
    };
    let mut pages = Vec::new();
    let request = request(&path, "question");
    reader.answer(&request, go_on, &mut |page| {
        pages.push(page.expect("a page"));
    });
    let first = pages.first().expect("a page");
    assert_eq!(first.found.searched, Searched::Partly);
    assert!(first.found.marks.len() < 40);
    // What was looked through already is there with the first page.
    let mut again = Vec::new();
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| true,
    };
    reader.answer(&request, go_on, &mut |page| {
        again.push(page.expect("a page"));
    });
    let first_again = again.first().expect("a page");
    assert!(first_again.found.marks.len() > first.found.marks.len());
    let whole = again.last().expect("a page");
    assert_eq!(
        (whole.found.marks.len(), whole.found.searched),
        (40, Searched::Everything)
    );
}

#[test]
fn what_was_found_in_the_end_of_a_file_is_where_it_is_in_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.jsonl");
    let filler = "x".repeat(30_000);
    // Every turn on another day, which has a line above it unless it is the first.
    let each = |n: usize| {
        let mut asked = entry(2 * n, "user", &json!(format!("a needle {n}\n{filler}")));
        asked["timestamp"] = json!(format!("2026-03-{:02}T10:00:00.000Z", n % 28 + 1));
        let answer = json!([{"type": "text", "text": "yes"}]);
        [asked, entry(2 * n + 1, "assistant", &answer)]
    };
    let entries: Vec<Value> = (0..60).flat_map(each).collect();
    write(&path, &entries);
    let page = last(
        &mut PreviewReader::new(Vec::new()),
        &request(&path, "needle"),
    );
    assert_eq!(page.found.marks.len(), 60);
    for line in tests::matches(&page) {
        assert!(
            page.scroll
                .get(line)
                .expect("a line")
                .text()
                .contains("needle")
        );
    }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["ab", "ba", "**ab**", "\n\n- ba", "aab", "é"]);
    prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// However small the windows are, the same is found as in one that holds everything.
    #[test]
    fn finding_in_windows_is_finding_in_the_whole(
        texts in prop::collection::vec((words(), words(), words()), 1..12),
        find in prop::sample::select(vec!["ab", "b a", "ba", "ab ba", "é", "ran"]),
        lines in 0_usize..3_000,
        level in prop_oneof![Just(Level::Prompts), Just(Level::Summary), Just(Level::Full)],
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let mut entries = Vec::new();
        for (prompt, answer, result) in &texts {
            let at = entries.len();
            let call = json!([{"type": "text", "text": answer},
                {"type": "tool_use", "id": format!("t{at}"), "name": "Bash", "input": {"command": "x"}}]);
            let came = json!([{"type": "tool_result", "tool_use_id": format!("t{at}"), "content": result}]);
            entries.push(entry(at, "user", &json!(prompt)));
            entries.push(entry(at + 1, "assistant", &call));
            entries.push(entry(at + 2, "user", &came));
        }
        write(&path, &entries);
        let mut request = request(&path, find);
        request.spec.options.level = level;
        let whole = last(&mut PreviewReader::new(Vec::new()), &request);
        prop_assert_eq!((whole.before, whole.behind), (0, 0));
        let budget = Budget { lines, texts: lines, least: 0 };
        let mut reader = PreviewReader::within(budget, Vec::new());
        let end = last(&mut reader, &request);
        prop_assert_eq!(&end.found, &whole.found);
        // Every match is a line of the window around it.
        for mark in whole.found.marks.iter() {
            request.spec.around = Around::Turn(mark.at.place.turn);
            let page = last(&mut reader, &request);
            let text = |page: &Page| Some(page.scroll.get(page.line_of(mark.at)?)?.text());
            prop_assert_eq!(text(&page), text(&whole));
            prop_assert!(text(&page).is_some());
        }
    }
}
