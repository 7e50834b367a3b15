//! Files larger than the windows: what is found beyond them, and what is not made up.

use std::cell::Cell;
use std::io;

use claude_resume::store::{LastPrompt, LiteCoverage, LiteReader, ScanDepth, Source};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Store, conversation, id, lines, read, user};

const WINDOW: usize = 64 * 1024;
const CWD: &str = "/home/ada/shop";

/// Noise as new versions write it, about `bytes` long.
fn noise(bytes: usize) -> String {
    lines(&[
        json!({"type": "api-request-blob", "content": {"cwd": "/evil", "x": "y".repeat(bytes)}}),
    ])
}

fn attachment(bytes: usize) -> String {
    lines(&[json!({
        "parentUuid": null, "isSidechain": false,
        "attachment": {"type": "skill_listing", "content": "z".repeat(bytes), "gitBranch": "evil"},
        "type": "attachment", "timestamp": "2026-03-01T09:59:00.000Z", "cwd": CWD, "gitBranch": "main",
    })])
}

fn title(text: &str) -> String {
    lines(&[json!({"type": "custom-title", "customTitle": text})])
}

fn tool_result(bytes: usize) -> String {
    lines(&[json!({
        "parentUuid": "x", "isSidechain": false, "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "content": "r".repeat(bytes)}]},
        "timestamp": "2026-03-01T10:30:00.000Z", "toolUseResult": {"timestamp": "2031-01-01T00:00:00.000Z"},
        "cwd": CWD,
    })])
}

#[test]
fn a_first_prompt_beyond_the_head_is_found() {
    for before in [WINDOW - 100, WINDOW + 1, 3 * WINDOW, 900 * 1024] {
        let file = attachment(before) + &conversation("Fix it", CWD) + &noise(3 * WINDOW);
        let reading = read(file.as_bytes());
        assert_eq!(
            reading.meta.first_prompt.as_deref(),
            Some("Fix it"),
            "{before}"
        );
        assert_eq!(reading.meta.cwd.as_deref(), Some(CWD), "{before}");
    }
}

/// A prompt after pictures of a size, with the directory behind the message as newer versions write it.
fn pictured(pictures: usize, bytes: usize, text: &str) -> Value {
    let picture = json!({"type": "image", "source": {"data": "A".repeat(bytes)}});
    let mut content = vec![picture; pictures];
    content.push(json!({"type": "text", "text": text}));
    let mut line = user("", CWD);
    line["message"]["content"] = content.into();
    let directory = line.as_object_mut().and_then(|line| line.remove("cwd"));
    line["cwd"] = directory.expect("a directory");
    line
}

fn answer() -> Value {
    json!({"type": "assistant", "cwd": CWD, "timestamp": "2026-03-01T10:31:00.000Z",
        "message": {"role": "assistant", "content": []}})
}

#[test]
fn a_prompt_behind_large_pictures_names_its_session() {
    let created = read(conversation("Fix it", CWD).as_bytes()).meta.created;
    for (pictures, bytes) in [(1, 1 << 20), (1, 2 << 20), (5, 7 << 20), (20, 1 << 20)] {
        let line = pictured(pictures, bytes, "What is wrong here?");
        let file = lines(&[line.clone(), answer()]);
        let meta = read(file.as_bytes()).meta;
        let title = meta.raw_title().map(|(_, title)| title);
        assert_eq!(title, Some("What is wrong here?"), "{pictures} of {bytes}");
        assert_eq!(meta.last_prompt(), title, "it is the last one, too");
        assert_eq!((meta.cwd.as_deref(), meta.created), (Some(CWD), created));
        assert!(created.is_some());
        // Something was asked after it.
        let file = lines(&[line, answer(), user("and here?", CWD), answer()]);
        let meta = read(file.as_bytes()).meta;
        assert_eq!(meta.first_prompt.as_deref(), Some("What is wrong here?"));
        assert_eq!(meta.last_prompt(), Some("and here?"));
        // What was asked last is out of sight.
        let file = file + &noise(400 * 1024);
        assert_eq!(read(file.as_bytes()).meta.last_prompt(), None);
    }
}

#[test]
fn pictures_without_words_lead_to_the_next_prompt() {
    let mut silent = pictured(1, 3 << 20, "");
    silent["message"]["content"][1]["text"] = "".into();
    let file = lines(&[
        silent.clone(),
        silent,
        answer(),
        user("Now?", CWD),
        answer(),
    ]) + &noise(400_000);
    let meta = read(file.as_bytes()).meta;
    assert_eq!(meta.first_prompt.as_deref(), Some("Now?"));
}

#[test]
fn a_prompt_behind_a_picture_may_be_the_torn_end_of_a_file() {
    let mut file = lines(&[pictured(1, 2 << 20, "What is wrong here?")]);
    file.pop();
    let meta = read(file.as_bytes()).meta;
    assert_eq!(meta.first_prompt.as_deref(), Some("What is wrong here?"));
    file.truncate(file.len() - 10);
    assert_eq!(read(file.as_bytes()).meta.first_prompt, None, "torn");
}

/// Counts the bytes that are read.
struct Counted<'a>(&'a [u8], Cell<usize>);

impl Source for Counted<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.0.read_at(buffer, offset)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

#[test]
fn pictures_of_a_tool_and_too_many_pictures_are_not_read() {
    let result = json!({"type": "tool_result", "content": [
        {"type": "image", "source": {"data": "A".repeat(9 << 20)}}]});
    let mut line = user("", CWD);
    line["message"]["content"] = json!([result]);
    let too_many = pictured(1, 80 << 20, "What is wrong here?");
    for (line, most) in [(line, 3 << 20), (too_many, 68 << 20)] {
        let file = lines(&[line, answer()]);
        let source = Counted(file.as_bytes(), Cell::new(0));
        let reading = LiteReader::default().read(&source, file.len() as u64, LastPrompt::Entry);
        assert_eq!(reading.expect("read").meta.first_prompt, None);
        assert!(source.1.get() < most, "{}", source.1.get());
    }
}

#[test]
fn a_session_that_begins_with_too_large_a_picture_is_known_by_its_later_lines() {
    let first = pictured(1, 70 << 20, "What is wrong here?");
    let mut later = user("and in this file?", "/home/ada/shop/sub");
    let mut file = lines(&[first.clone(), answer(), later.clone()]);
    let reading = read(file.as_bytes());
    assert_eq!(reading.meta.cwd.as_deref(), Some(CWD), "the earliest");
    let title = reading.meta.raw_title().map(|(_, title)| title);
    assert_eq!(title, Some("and in this file?"));
    // The same without a title where only a cut line says where.
    later["message"]["content"] = json!("x".repeat(2 * WINDOW));
    file = lines(&[first, answer(), later]) + &noise(1);
    let reading = read(file.as_bytes());
    assert!(reading.meta.cwd.is_some(), "{:?}", reading.meta);
}

#[test]
fn a_first_line_longer_than_the_window_is_read_on() {
    let file = conversation(&"long ".repeat(40_000), CWD);
    let reading = read(file.as_bytes());
    let prompt = reading.meta.first_prompt.expect("found");
    assert!(
        prompt.starts_with("long long") && prompt.ends_with('…'),
        "{prompt}"
    );
    assert_eq!(
        reading.meta.cwd.as_deref(),
        Some(CWD),
        "it stands behind the message"
    );
}

#[test]
fn a_first_line_longer_than_the_limit_still_names_the_session() {
    for megabytes in [2, 12] {
        let file = conversation(&"long ".repeat(megabytes * 200_000), CWD);
        let reading = read(file.as_bytes());
        let prompt = reading.meta.first_prompt.expect("found");
        assert!(prompt.starts_with("long long"), "{prompt}");
    }
}

#[test]
fn one_line_of_twelve_megabytes_without_a_newline() {
    let mut file = lines(&[user(&"x".repeat(12 << 20), CWD)]);
    file.pop();
    assert!(read(file.as_bytes()).meta.first_prompt.is_some());
    // The same line torn by a crash holds nothing that can be relied on but its beginning.
    file.truncate(file.len() - 10);
    assert!(read(file.as_bytes()).meta.first_prompt.is_some());
}

#[test]
fn what_lies_beyond_the_limit_is_not_denied() {
    let store = Store::new();
    let file = attachment(2 << 20) + &conversation("Hidden in the middle", CWD) + &noise(2 << 20);
    let reading = read(file.as_bytes());
    assert_eq!(reading.meta.first_prompt, None);
    assert_eq!(reading.coverage, LiteCoverage::Part);
    store.session("-p", &id(1), 0, file);
    let (sessions, _) = store.scan(ScanDepth::Candidates);
    assert_eq!(sessions[0].hidden, None, "nobody looked there");
}

#[test]
fn what_stands_before_an_unread_middle_is_not_the_last() {
    // A session of the old kind, without `last-prompt`, whose last line is a screenshot.
    let file = conversation("First", CWD)
        + &noise(3 * WINDOW)
        + &lines(&[user("Last", CWD)])
        + &noise(5 * WINDOW)
        + &lines(&[
            json!({"type": "user", "timestamp": "2026-04-01T00:00:00.000Z",
            "message": {"content": [{"type": "tool_result", "content": "A".repeat(6 * WINDOW)}]}}),
        ]);
    let meta = read(file.as_bytes()).meta;
    assert_eq!(meta.first_prompt.as_deref(), Some("First"));
    assert_eq!(meta.last_prompt(), None, "out of sight, so not known");
    assert_eq!(meta.last_message, None, "the file's own time counts");
    assert_eq!(meta.git_branch.as_deref(), Some("main"), "better than none");
}

#[test]
fn titles_are_found_in_either_window_and_the_tail_wins() {
    let prompt = conversation("Fix it", CWD);
    let last = lines(&[json!({"type": "last-prompt", "lastPrompt": "bye"})]);
    let head_only = prompt.clone() + &title("In head") + &noise(5 * WINDOW) + &last;
    assert_eq!(
        read(head_only.as_bytes()).meta.custom_title.as_deref(),
        Some("In head")
    );

    let tail_only = prompt.clone() + &noise(5 * WINDOW) + &title("In tail") + &last;
    assert_eq!(
        read(tail_only.as_bytes()).meta.custom_title.as_deref(),
        Some("In tail")
    );

    let both = prompt.clone() + &title("In head") + &noise(5 * WINDOW) + &title("In tail") + &last;
    assert_eq!(
        read(both.as_bytes()).meta.custom_title.as_deref(),
        Some("In tail")
    );

    let cleared = prompt + &title("In head") + &noise(5 * WINDOW) + &title("") + &last;
    let reading = read(cleared.as_bytes());
    assert_eq!(
        (reading.meta.custom_title, reading.title_cleared),
        (None, true)
    );
}

#[test]
fn a_summary_far_from_the_end_is_another_sessions() {
    let summary =
        lines(&[json!({"type": "summary", "summary": "The one before", "leafUuid": "x"})]);
    let short = summary.clone() + &conversation("Fix it", CWD);
    assert_eq!(
        read(short.as_bytes()).meta.summary.as_deref(),
        Some("The one before")
    );
    for size in [WINDOW, 3 * WINDOW] {
        let long = summary.clone() + &conversation("Fix it", CWD) + &noise(size);
        assert_eq!(read(long.as_bytes()).meta.summary, None, "{size}");
    }
}

#[test]
fn the_last_prompt_is_looked_for_before_the_tail() {
    let file = conversation("First", CWD)
        + &noise(2 * WINDOW)
        + &lines(&[user("Last", CWD)])
        + &tool_result(WINDOW)
        + &tool_result(WINDOW);
    let reading = read(file.as_bytes());
    assert_eq!(reading.meta.last_prompt(), Some("Last"));
}

#[test]
fn the_end_of_a_line_that_fills_the_tail_tells_its_time() {
    let file = conversation("Fix it", CWD) + &noise(2 * WINDOW) + &tool_result(3 * WINDOW);
    // 2026-03-01T10:30:00Z: the line's own, not the one nested in its result.
    assert_eq!(
        read(file.as_bytes()).meta.last_message,
        Some(1_772_361_000_000)
    );
}

#[test]
fn a_wrong_size_is_survived() {
    let file = conversation("Fix it", CWD) + &noise(3 * WINDOW) + &title("Late");
    let bytes = file.as_bytes();
    for size in [
        0,
        1,
        500,
        WINDOW,
        2 * WINDOW,
        file.len() / 2,
        file.len() + 5_000_000,
    ] {
        let reading = LiteReader::default()
            .read(&bytes, size as u64, LastPrompt::Entry)
            .expect("read");
        let expected = (size >= 300).then_some("Fix it");
        assert_eq!(reading.meta.first_prompt.as_deref(), expected, "{size}");
    }
}

/// A file that is replaced by another one while it is read.
struct Replaced<'a> {
    before: &'a [u8],
    after: &'a [u8],
    reads: Cell<usize>,
}

impl Source for Replaced<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.reads.set(self.reads.get() + 1);
        let now = if self.reads.get() == 1 {
            self.before
        } else {
            self.after
        };
        now.read_at(buffer, offset)
    }
}

#[test]
fn a_file_replaced_while_it_is_read_gives_some_of_either() {
    let before = conversation("Before", CWD) + &noise(5 * WINDOW) + &title("Old");
    let after = conversation("After", CWD) + &noise(WINDOW) + &title("New");
    let source = Replaced {
        before: before.as_bytes(),
        after: after.as_bytes(),
        reads: Cell::new(0),
    };
    let reading = LiteReader::default()
        .read(&source, before.len() as u64, LastPrompt::Entry)
        .expect("read");
    assert_eq!(reading.meta.first_prompt.as_deref(), Some("Before"));
    assert_eq!(
        reading.meta.custom_title.as_deref(),
        Some("New"),
        "what is there now"
    );
}

#[test]
fn one_reader_serves_files_of_every_size() {
    let small = conversation("Small", CWD);
    let large = attachment(900 * 1024) + &conversation("Large", CWD) + &title("Big");
    let mut reader = LiteReader::default();
    for _ in 0..2 {
        for (file, prompt) in [(&small, "Small"), (&large, "Large")] {
            let bytes = file.as_bytes();
            let reading = reader
                .read(&bytes, bytes.len() as u64, LastPrompt::Entry)
                .expect("read");
            assert_eq!(reading.meta.first_prompt.as_deref(), Some(prompt));
        }
    }
}

/// An entry of a generated transcript. The number makes its texts recognisable.
fn entry() -> impl Strategy<Value = (u8, u32, usize)> {
    (
        0_u8..9,
        0_u32..50,
        prop_oneof![4 => 0_usize..200, 1 => 0_usize..70_000],
    )
}

fn generated((kind, n, padding): (u8, u32, usize)) -> Value {
    let filler = "p".repeat(padding);
    let time = format!("2026-03-01T10:{n:02}:00.000Z");
    match kind {
        0 | 1 => json!({"parentUuid": null, "isSidechain": false, "type": "user",
            "message": {"role": "user", "content": format!("prompt {n} {filler}")},
            "timestamp": time, "cwd": format!("/c/{n}"), "gitBranch": format!("b{n}")}),
        2 => json!({"parentUuid": "x", "isSidechain": false,
            "message": {"role": "assistant", "content": [{"type": "text", "text": filler}]},
            "type": "assistant", "timestamp": time, "cwd": format!("/c/{n}"), "gitBranch": format!("b{n}")}),
        3 => json!({"type": "custom-title", "customTitle": format!("title {n}"), "x": filler}),
        4 => json!({"type": "ai-title", "aiTitle": format!("ai {n}"), "x": filler}),
        5 => json!({"type": "tag", "tag": format!("tag{n}"), "x": filler}),
        6 => json!({"type": "last-prompt", "lastPrompt": format!("last {n}"), "x": filler}),
        7 => json!({"type": "noise", "data": {"customTitle": "evil", "cwd": "/evil", "x": filler,
            "timestamp": "2031-01-01T00:00:00.000Z", "type": "user"}}),
        _ => json!({"parentUuid": "x", "isSidechain": false, "type": "user",
            "message": {"role": "user", "content": [{"type": "tool_result", "content": filler,
                "gitBranch": "evil", "text": "evil"}]},
            "timestamp": time, "toolUseResult": {"cwd": "/evil", "timestamp": "2031-01-01T00:00:00.000Z"}}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However a valid file is cut, nothing is found that the whole file does not say.
    #[test]
    fn a_cut_file_says_nothing_that_the_whole_does_not(
        entries in prop::collection::vec(entry(), 1..14),
        cut in 0.0_f64..=1.0,
    ) {
        let file = lines(&entries.into_iter().map(generated).collect::<Vec<_>>());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let length = (file.len() as f64 * cut) as usize;
        let reading = read(&file.as_bytes()[..length]);
        let meta = &reading.meta;
        let said = |key: &str, value: &Option<Box<str>>| {
            value.as_ref().is_none_or(|value| {
                // A prompt is cut and trimmed; everything else must be there to the letter.
                let whole = file.contains(&format!("\"{key}\":\"{value}\""))
                    || file.contains(&format!("\"{key}\":\"{value} \""));
                let cut = value.strip_suffix('…').is_some_and(|value| {
                    file.contains(&format!("\"{key}\":\"{}", value.trim_end()))
                });
                !value.contains("evil") && (whole || cut)
            })
        };
        prop_assert!(said("customTitle", &meta.custom_title), "{:?}", meta);
        prop_assert!(said("aiTitle", &meta.ai_title), "{:?}", meta);
        prop_assert!(said("tag", &meta.tag), "{:?}", meta);
        prop_assert!(said("cwd", &meta.cwd), "{:?}", meta);
        prop_assert!(said("gitBranch", &meta.git_branch), "{:?}", meta);
        prop_assert!(said("lastPrompt", &meta.recorded_prompt), "{:?}", meta);
        prop_assert!(said("content", &meta.first_prompt), "{:?}", meta);
        prop_assert!(
            said("content", &meta.later_prompt) || said("lastPrompt", &meta.later_prompt),
            "{:?}", meta
        );
        for time in [meta.created, meta.last_message].into_iter().flatten() {
            prop_assert!((1_772_359_200_000..1_772_362_800_000).contains(&time), "{:?}", meta);
        }
    }

    /// Hostile bytes in the places that the windows and the reading on and back come to.
    #[test]
    fn any_bytes_between_the_windows_are_read(
        pieces in prop::collection::vec((any::<Vec<u8>>(), 0_usize..120_000), 2..5),
    ) {
        let mut file = Vec::new();
        for (bytes, padding) in pieces {
            file.extend(bytes);
            file.extend(noise(padding).as_bytes());
        }
        read(&file);
    }

    #[test]
    fn any_bytes_are_read(bytes in any::<Vec<u8>>(), size in 0_u64..300_000) {
        let slice: &[u8] = &bytes;
        LiteReader::default().read(&slice, size, LastPrompt::Entry).expect("read");
    }

    #[test]
    fn bytes_that_look_like_a_transcript_are_read(
        pieces in prop::collection::vec(prop_oneof![
            Just("{\"type\":\"user\","), Just("{\"parentUuid\":"), Just("\"message\":{\"content\":"),
            Just("\"timestamp\":\"2026-03-01T10:00:00.000Z\""), Just("\"customTitle\":\"x\""),
            Just("{\"type\":\"custom-title\","), Just("\"cwd\":\"\\"), Just("\\\""), Just("}"), Just("]"),
            Just("["), Just(","), Just("\n"), Just("null"), Just("\"attachment\":{\"type\":\"queued_command\","),
        ], 0..40),
    ) {
        read(pieces.concat().as_bytes());
    }
}
