use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::{TimeZone, Utc};

use super::{FIRST, Historian, HistoryHandle, run};
use crate::history::{Prompt, skip_line};
use crate::list::{Include, Sort};
use crate::preview::{Around, Options};
use crate::reader::{Find, PageSpec};
use crate::search::{ConversationFate, Distance, Generation, Query, RowId, Search, View};
use crate::store::Retention;
use crate::tui::message::Message;
use crate::tui::request::HistoryRequest;
use crate::tui::screens::HistoryNews;
use crate::tui::workers::{FirstRows, Outbox, Sources};

const NOW: i64 = 1_772_359_200_000;

fn write(root: &Path, count: usize) {
    let mut text = String::new();
    for n in 0..count {
        let at = NOW - 60_000 * i64::try_from(count - n).unwrap();
        let line = format!(
            "{{\"display\":\"prompt {n} of many\",\"timestamp\":{at},\"project\":\"/p\",\"sessionId\":\"s{}\"}}\n",
            n % 7
        );
        text.push_str(&line);
    }
    fs::write(root.join("history.jsonl"), text).unwrap();
}

fn historian(root: &Path, state: &Path) -> Historian {
    let sources = Sources {
        roots: vec![root.to_owned()],
        configs: Vec::new(),
        here: None,
        state: Some(state.to_owned()),
        first_rows: FirstRows::default(),
        retention: Retention::default(),
        home: None,
        only: None,
        cache: None,
    };
    Historian::new(sources, Arc::default())
}

fn open() -> HistoryRequest {
    let now = Utc.timestamp_millis_opt(NOW).unwrap();
    HistoryRequest::Refresh(now.fixed_offset())
}

fn search(query: &str) -> HistoryRequest {
    let now = Utc.timestamp_millis_opt(NOW).unwrap();
    let search = Search {
        generation: Generation(1),
        query: Query::parse(query, &now),
        order: Sort::Activity,
        reach: Distance::Elsewhere,
        include: Include::default(),
    };
    HistoryRequest::Search {
        search: Box::new(search),
        view: View::Prompts,
        session: None,
    }
}

/// What a request leads to: how many were found, of how many, and whether that is all.
fn ask(historian: &mut Historian, request: HistoryRequest) -> Vec<(usize, usize, bool)> {
    let news = RefCell::new(Vec::new());
    historian.take(request, &|one| news.borrow_mut().push(one));
    found(&news.into_inner())
}

fn found(news: &[HistoryNews]) -> Vec<(usize, usize, bool)> {
    news.iter()
        .filter_map(|one| match one {
            HistoryNews::Found {
                answer, progress, ..
            } => Some((answer.hits.len(), progress.read, progress.over)),
            _ => None,
        })
        .collect()
}

#[test]
fn the_first_prompts_are_there_before_the_rest_is_read() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("projects")).unwrap();
    write(root.path(), 20_000);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    let first = ask(&mut historian, search(""));
    assert_eq!(first.first(), Some(&(FIRST, FIRST, false)));
    // A query that comes meanwhile is answered with what is known.
    let meanwhile = ask(&mut historian, search("\"prompt 199\""));
    assert_eq!(meanwhile.last(), Some(&(100, FIRST, false)));
    let news = RefCell::new(Vec::new());
    while historian.is_reading() {
        historian.read_on(&|one| news.borrow_mut().push(one));
    }
    let later = found(&news.into_inner());
    assert_eq!(later.last(), Some(&(111, 20_000, true)));
    assert!(later.len() < 12, "not after every step: {later:?}");
}

/// Adds a text to the end of the history.
fn append(root: &Path, text: &str) {
    let path = root.join("history.jsonl");
    let mut file = fs::File::options().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn late() -> String {
    format!("{{\"display\":\"late\",\"timestamp\":{NOW},\"project\":\"/p\"}}\n")
}

#[test]
fn what_is_added_while_the_history_is_read_is_there_when_that_is_over() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), 2 * FIRST);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    ask(&mut historian, search(""));
    assert!(historian.is_reading());
    append(root.path(), &late());
    // It is busy reading, and nobody tells of it again.
    assert_eq!(ask(&mut historian, HistoryRequest::Changed), []);
    let news = RefCell::new(Vec::new());
    while historian.is_reading() {
        historian.read_on(&|one| news.borrow_mut().push(one));
    }
    let all = 2 * FIRST + 1;
    let last = found(&news.into_inner()).last().copied();
    assert_eq!(last, Some((all, all, true)));
}

#[test]
fn much_that_is_malformed_hides_nothing_behind_it() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), 1);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    ask(&mut historian, search(""));
    assert!(!historian.is_reading());
    // More than is read at a time.
    let bad = "x".repeat(1024 * 1024) + "\n";
    append(root.path(), &(bad.repeat(17) + &late()));
    let news = ask(&mut historian, HistoryRequest::Changed);
    assert_eq!(news.last(), Some(&(2, 2, true)));
}

#[test]
fn conversations_are_missed_only_once_they_were_looked_for() {
    let root = tempfile::tempdir().unwrap();
    let project = root.path().join("projects/-p");
    fs::create_dir_all(&project).unwrap();
    fs::write(project.join("s3.jsonl"), "{}").unwrap();
    write(root.path(), 7);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    let news = RefCell::new(Vec::new());
    historian.take(search(""), &|one| news.borrow_mut().push(one));
    let there: Vec<usize> = news
        .into_inner()
        .iter()
        .filter_map(|one| match one {
            HistoryNews::Found { answer, .. } => {
                let there = answer
                    .hits
                    .iter()
                    .filter(|hit| hit.fate == ConversationFate::There);
                Some(there.count())
            }
            _ => None,
        })
        .collect();
    assert_eq!(there.first(), Some(&7), "nothing is known yet");
    assert_eq!(there.last(), Some(&1));
}

/// Hides the newest prompt, as `history undo` does.
fn undo_newest(root: &Path) {
    let path = root.join("history.jsonl").canonicalize().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines = text
        .lines()
        .filter_map(|line| Prompt::parse(line.as_bytes()));
    let newest = lines.max_by_key(|prompt| prompt.timestamp).unwrap();
    fs::write(root.join("skipped-prompts.tsv"), skip_line(&path, &newest)).unwrap();
}

#[test]
fn what_another_process_took_back_is_gone_when_the_history_is_opened_again() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("projects")).unwrap();
    write(root.path(), 3);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    assert_eq!(ask(&mut historian, search("")).last(), Some(&(3, 3, true)));
    undo_newest(root.path());
    ask(&mut historian, open());
    assert_eq!(ask(&mut historian, search("")).last(), Some(&(2, 2, true)));
}

#[test]
fn what_is_taken_back_while_the_history_is_open_is_gone_at_the_next_look() {
    for look in [HistoryRequest::Changed, open()] {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("projects")).unwrap();
        write(root.path(), 3);
        let mut historian = historian(root.path(), root.path());
        ask(&mut historian, open());
        ask(&mut historian, search(""));
        undo_newest(root.path());
        let news = RefCell::new(Vec::new());
        historian.take(look, &|one| news.borrow_mut().push(one));
        assert!(matches!(news.borrow()[..], [.., HistoryNews::Anew]));
        while historian.is_reading() {
            historian.read_on(&|one| news.borrow_mut().push(one));
        }
        assert_eq!(found(&news.into_inner()).last(), Some(&(2, 2, true)));
    }
}

#[test]
fn what_was_pasted_into_files_is_found_when_everything_else_is() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("paste-cache")).unwrap();
    let text = "cannot be borrowed as mutable\n".repeat(80);
    let hash = crate::history::content_hash(text.as_bytes());
    fs::write(root.path().join(format!("paste-cache/{hash}.txt")), text).unwrap();
    write(root.path(), 3);
    let pasted = format!("{{\"1\":{{\"id\":1,\"type\":\"text\",\"contentHash\":\"{hash}\"}}}}");
    let line = format!(
        "{{\"display\":\"see [Pasted text #1 +80 lines]\",\"pastedContents\":{pasted},\"timestamp\":{NOW}}}\n"
    );
    append(root.path(), &line);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    let before = ask(&mut historian, search("borrowed"));
    assert_eq!(before.last(), Some(&(0, 4, true)));
    assert!(historian.has_work());
    let news = RefCell::new(Vec::new());
    while historian.has_work() {
        historian.go_on(&|one| news.borrow_mut().push(one));
    }
    assert_eq!(found(&news.into_inner()), [(1, 4, true)]);
}

#[test]
fn a_history_that_was_replaced_is_read_anew() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("projects")).unwrap();
    write(root.path(), 50);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    ask(&mut historian, search(""));
    write(root.path(), 4);
    let news = RefCell::new(Vec::new());
    historian.take(HistoryRequest::Changed, &|one| news.borrow_mut().push(one));
    assert!(matches!(news.borrow()[..], [HistoryNews::Anew]));
    while historian.is_reading() {
        historian.read_on(&|one| news.borrow_mut().push(one));
    }
    assert_eq!(found(&news.into_inner()).last(), Some(&(4, 4, true)));
}

#[test]
fn whoever_wants_something_else_comes_before_a_search() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("projects")).unwrap();
    write(root.path(), 300);
    let mut historian = historian(root.path(), root.path());
    ask(&mut historian, open());
    ask(&mut historian, search(""));
    while historian.is_reading() {
        historian.read_on(&|_| {});
    }
    assert!(!historian.has_work());
    let waiting = Arc::clone(&historian.waiting);
    waiting.store(1, Ordering::Relaxed);
    assert_eq!(ask(&mut historian, search("prompt 1")), []);
    assert!(historian.has_work(), "it is begun again");
    waiting.store(0, Ordering::Relaxed);
    let news = RefCell::new(Vec::new());
    historian.go_on(&|one| news.borrow_mut().push(one));
    assert_eq!(found(&news.into_inner()).last().map(|it| it.1), Some(300));
    assert!(!historian.has_work());
}

fn spec() -> PageSpec {
    PageSpec {
        columns: 40,
        options: Options::default(),
        around: Around::End,
        turns: 1,
        leaf: None,
        find: Find::default(),
        target: None,
    }
}

#[test]
fn only_the_last_page_that_is_wanted_is_read() {
    let root = tempfile::tempdir().unwrap();
    let historian = historian(root.path(), root.path());
    let (screen, mut told) = tokio::sync::mpsc::channel(64);
    let (handle, inbox) = HistoryHandle::new();
    let handle = Arc::new(handle);
    for generation in 0..3 {
        handle.send(HistoryRequest::Page {
            generation: Generation(generation),
            row: RowId(0),
            spec: Box::new(spec()),
        });
    }
    let weak = Arc::downgrade(&handle);
    let outbox = Outbox(screen);
    std::thread::spawn(move || run(historian.sources, &inbox, &weak, &outbox));
    let mut handle = Some(handle);
    let mut read = Vec::new();
    while let Some(message) = told.blocking_recv() {
        if let Message::History(HistoryNews::Page(page, _)) = message {
            read.push(page.generation.0);
            // The worker ends with its handle, and the messages with the worker.
            handle = handle.filter(|_| page.generation.0 != 2);
        }
    }
    assert_eq!(read, [2]);
}
