//! What resuming sends to Claude, against what Claude Code was recorded to send.
//!
//! `fixtures/conformance/resume.txt` holds the cases in a shorthand that it explains itself. The
//! recordings were made by resuming each case with Claude Code in front of a stand-in for its API.
//! `CLAUDE_RESUME_KEEP_RESUME_STORE=DIR` leaves the cases in DIR, for recording them again.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use claude_resume::transcript::{
    Audience, Chain, Digest, LeafRule, LoadExtent, TranscriptMessage, load_from, read_entries,
};
use serde_json::{Value, json};

struct Case<'a> {
    name: &'a str,
    written: &'a str,
    sent: &'a str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let line = line.trim_end();
        if let Some(sent) = line.strip_prefix("  sent") {
            cases.last_mut().expect("a case").sent = sent.trim();
        } else if let Some(written) = line.strip_prefix("  ") {
            cases.last_mut().expect("a case").written = written;
        } else if !line.is_empty() && !line.starts_with('#') {
            cases.push(Case {
                name: line,
                written: "",
                sent: "",
            });
        }
    }
    cases
}

fn uuid(name: &str) -> String {
    let name = name.trim_end_matches('\'');
    if name == "zero" {
        return "00000000-0000-0000-0000-000000000000".to_owned();
    }
    let hex = name
        .bytes()
        .fold(0_u32, |hex, byte| hex << 8 | u32::from(byte));
    format!("{hex:08x}-0000-4000-8000-{:0<12}", "c0de")
}

/// One word of the shorthand.
struct Word<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    message: Option<&'a str>,
    call: Option<&'a str>,
    delay: Option<i64>,
    keeps: Option<&'a str>,
    flags: Vec<&'a str>,
}

impl<'a> Word<'a> {
    fn parse(word: &'a str) -> Self {
        let end = word
            .find(['=', '<', '/', '+', '!', '['])
            .unwrap_or(word.len());
        let (name, mut rest) = word.split_at(end);
        let mut parsed = Self {
            name,
            parent: None,
            message: None,
            call: None,
            delay: None,
            keeps: None,
            flags: Vec::new(),
        };
        while let Some(sign) = rest.chars().next() {
            rest = &rest[1..];
            let end = match sign {
                '[' => rest.find(']').expect("a closing bracket") + 1,
                _ => rest
                    .find(['=', '<', '/', '+', '!', '['])
                    .unwrap_or(rest.len()),
            };
            let (value, after) = rest.split_at(end);
            rest = after;
            match sign {
                '=' => parsed.call = Some(value),
                '<' => parsed.parent = Some(value),
                '/' => parsed.message = Some(value),
                '+' => parsed.delay = Some(value.parse().expect("milliseconds")),
                '!' => parsed.flags.push(value),
                _ => parsed.keeps = Some(value.trim_end_matches(']')),
            }
        }
        parsed
    }

    /// The fields that its kind has.
    fn body(&self) -> Value {
        let name = self.name;
        let message = self.message.unwrap_or(name);
        let answer = |content: Value| {
            json!({"type": "assistant", "message": {"id": message, "type": "message", "role": "assistant",
                "model": "claude-x", "content": content, "stop_reason": null, "usage": {"input_tokens": 1, "output_tokens": 1}}})
        };
        let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "x"}});
        let text = |text: &str| json!({"type": "text", "text": text});
        let user = |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
        let system = |subtype: &str, content: &str| json!({"type": "system", "subtype": subtype, "content": content});
        match name.as_bytes()[0] {
            b'u' => user(json!(name)),
            b'i' => user(json!([text("[Request interrupted by user]")])),
            b'z' => {
                let mut summary = user(json!(name));
                summary["isCompactSummary"] = json!(true);
                summary
            }
            b'r' => {
                let id = self.call.expect("of a call");
                user(json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]))
            }
            b'a' => answer(json!([text(name)])),
            b'w' => answer(json!([text(" \n")])),
            b'h' => answer(json!([{"type": "thinking", "thinking": name, "signature": "s"}])),
            b'c' => answer(json!([call(self.call.unwrap_or(name))])),
            // A text and a call, and two calls, in one line.
            b'd' => answer(json!([text(name), call(name)])),
            b'e' => answer(json!([
                call(&format!("{name}x")),
                call(&format!("{name}y"))
            ])),
            b's' => system("turn_duration", ""),
            b'k' => system(
                "local_command",
                &format!("<command-name>/{name}</command-name>"),
            ),
            b't' => json!({"type": "attachment", "attachment": {"type": "prompt_snapshot"}}),
            b'q' => json!({"type": "attachment", "attachment": {"type": "queued_command",
                "prompt": name, "commandMode": "prompt", "source_uuid": uuid(&format!("{name}q"))}}),
            b'p' => json!({"type": "progress", "data": {"type": "hook_progress"}}),
            b'b' => {
                let mut boundary = system("compact_boundary", "Conversation compacted");
                boundary["compactMetadata"] = json!({"trigger": "manual", "preTokens": 1});
                if let Some(keeps) = self.keeps {
                    let (anchor, kept) = keeps.split_once(':').expect("an anchor");
                    let metadata = &mut boundary["compactMetadata"];
                    if let Some((head, tail)) = kept.split_once("..") {
                        metadata["preservedSegment"] = json!({"anchorUuid": uuid(anchor),
                            "headUuid": uuid(head), "tailUuid": uuid(tail)});
                    } else {
                        let uuids: Vec<String> = kept.split(',').map(uuid).collect();
                        metadata["preservedMessages"] =
                            json!({"anchorUuid": uuid(anchor), "uuids": uuids});
                    }
                }
                boundary
            }
            other => unreachable!("no kind of entry: {}", char::from(other)),
        }
    }
}

/// The transcript that a case stands for.
fn written(case: &Case<'_>, session: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut by_name: Vec<(&str, String)> = Vec::new();
    let mut clock = 0;
    let mut last = None;
    for word in case.written.split_whitespace() {
        if let Some(pointer) = word.strip_prefix('*') {
            let explicit = pointer.starts_with('*');
            let leaf = pointer.trim_start_matches('*');
            let mut line = json!({"type": "last-prompt", "sessionId": session, "lastPrompt": "x"});
            if leaf != "none" {
                line["leafUuid"] = json!(uuid(leaf));
            }
            if explicit {
                line["explicit"] = json!(true);
            }
            lines.push(line.to_string());
            continue;
        }
        if let Some(name) = word.strip_prefix('^') {
            let again = by_name.iter().rfind(|(known, _)| *known == name);
            lines.push(again.expect("a line to repeat").1.clone());
            continue;
        }
        let glued = word.starts_with('|');
        let torn = word.starts_with('~');
        let word = Word::parse(word.trim_start_matches(['|', '~']));
        clock += word.delay.unwrap_or(1_000);
        let time = chrono::DateTime::from_timestamp_millis(1_772_000_000_000 + clock);
        let time = time.expect("a time").format("%Y-%m-%dT%H:%M:%S%.3fZ");
        let parent = match word.parent {
            Some("") => None,
            Some(parent) => Some(uuid(parent)),
            None if word.name.starts_with('b') => None,
            None => last.clone(),
        };
        let mut line = json!({"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/w",
            "sessionId": session, "version": "2.1.325", "uuid": uuid(word.name), "timestamp": time.to_string()});
        let mut body = word.body();
        for flag in &word.flags {
            match *flag {
                "meta" => line["isMeta"] = json!(true),
                "side" => line["isSidechain"] = json!(true),
                "team" => line["teamName"] = json!("t"),
                "error" => {
                    line["isApiErrorMessage"] = json!(true);
                    body["message"]["model"] = json!("<synthetic>");
                }
                other => unreachable!("no flag: {other}"),
            }
        }
        let fields = body.as_object().expect("an object").clone();
        line.as_object_mut().expect("an object").extend(fields);
        last = Some(uuid(word.name));
        let mut text = line.to_string();
        by_name.push((word.name, text.clone()));
        if torn {
            text.truncate(90);
        }
        match lines.last_mut().filter(|_| glued) {
            Some(line) => *line += &text,
            None => lines.push(text),
        }
    }
    lines.join("\n") + "\n"
}

/// What we say that resuming sends: names in their order, then the calls that have results.
fn sent(transcript: &str) -> String {
    let index = load_from(
        transcript.as_bytes(),
        transcript.len() as u64,
        LoadExtent::Resumed,
    );
    let index = index.expect("slices never fail");
    let chain = Chain::build(&index, LeafRule::Resume);
    let digest = Digest::whole(Cursor::new(transcript), &index, &chain).expect("reads");
    let entries = read_entries(Cursor::new(transcript), chain.links(&index)).expect("reads");
    let mut names = Vec::new();
    let mut answered = BTreeSet::new();
    for entry in &entries {
        let message = TranscriptMessage::of(entry, Audience::Claude(&digest.sent));
        let made_up = TranscriptMessage::made_up(digest.sent.made_up_after(entry));
        for block in message.iter().chain(&made_up).flat_map(|it| &it.blocks) {
            let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
            match block["type"].as_str() {
                Some("text") => names.extend(name_of(&text("text"))),
                Some("tool_use") => names.push(text("id")),
                Some("tool_result") => {
                    answered.insert(text("tool_use_id"));
                }
                _ => {}
            }
        }
    }
    let answered: Vec<String> = answered.into_iter().collect();
    format!("{} ; {}", names.join(" "), answered.join(" "))
        .trim_end_matches([' ', ';'])
        .to_owned()
}

/// The name that a text stands for. Blank texts, and what the program puts in, have none.
fn name_of(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix("<command-name>/").unwrap_or(text);
    let text = text.strip_suffix("</command-name>").unwrap_or(text);
    match text {
        "" => None,
        "[Request interrupted by user]" => Some("i".to_owned()),
        name => Some(name.to_owned()),
    }
}

#[test]
fn resuming_sends_what_claude_code_was_recorded_to_send() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conformance/resume.txt");
    let text = fs::read_to_string(path).expect("read");
    let cases = cases(&text);
    assert!(cases.len() > 100, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for (n, case) in cases.iter().enumerate() {
        let session = format!("{:08x}-0000-4000-8000-000000000000", n + 1);
        let transcript = written(case, &session);
        if let Some(kept) = std::env::var_os("CLAUDE_RESUME_KEEP_RESUME_STORE") {
            let file = Path::new(&kept).join(format!("{session}.jsonl"));
            fs::write(file, &transcript).expect("written");
        }
        let ours = sent(&transcript);
        if ours != case.sent {
            wrong.push(format!(
                "{}\n  written {}\n  sent {}\n  ours {ours}",
                case.name, case.written, case.sent
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
