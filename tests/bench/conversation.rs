//! Writes transcripts of any size, like those of people who never close a session.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::generate::{filler, prose, timestamp};

/// Whose lines they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Like version 2.1.3xx: of the bytes, six tenths are copies of requests, three attachments
    /// and one messages. The short fields of a line stand behind its message.
    Copies,
    /// Like version 2.1.60: no copies, but nearly half of the lines are reports of progress,
    /// results of tools are most of the bytes, and each is the last field of its line.
    Progress,
}

/// A transcript in the making.
pub struct Conversation {
    out: BufWriter<File>,
    era: Era,
    written: u64,
    entries: u64,
    turns: usize,
    /// Makes the words different from those of other conversations, if there is one.
    seed: Option<usize>,
}

/// 2026-01-01T00:00:00Z
const EPOCH: u64 = 1_767_225_600;
/// Every so many turns a picture is looked at.
const TURNS_PER_PICTURE: usize = 150;

impl Conversation {
    pub fn create(path: &Path, era: Era) -> Self {
        let file = File::create(path).expect("made");
        Self {
            out: BufWriter::with_capacity(1024 * 1024, file),
            era,
            written: 0,
            entries: 0,
            turns: 0,
            seed: None,
        }
    }

    /// With words of its own, for a search in them.
    #[allow(dead_code, reason = "not every benchmark searches in it")]
    pub fn with_words(mut self, seed: usize) -> Self {
        self.seed = Some(seed.wrapping_mul(1_000_003));
        self
    }

    /// Text that people would recognize.
    fn text(&self, n: usize, bytes: usize) -> String {
        match self.seed {
            Some(seed) => prose(seed + n, bytes),
            None => filler(n, bytes),
        }
    }

    /// Adds turns until the file has so many bytes.
    pub fn until(mut self, bytes: u64) -> Self {
        while self.written < bytes {
            self.turn();
            self.turns += 1;
        }
        self
    }

    /// Adds a message that is a single line of so many bytes: a pasted file.
    pub fn paste(mut self, bytes: usize) -> Self {
        let text = filler(1, bytes);
        self.message(
            "user",
            &format!(r#"{{"role":"user","content":"{text}"}}"#),
            "",
        );
        self
    }

    /// Adds a compaction and its summary.
    pub fn compact(mut self) -> Self {
        let ends = self.ends();
        self.line(&format!(
            r#"{{"parentUuid":null,"logicalParentUuid":"{}","isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{{"trigger":"auto","preTokens":155000}},{ends}}}"#,
            uuid(self.entries - 1)
        ));
        let summary = filler(self.turns, 9_000);
        self.message(
            "user",
            &format!(r#"{{"role":"user","content":"{summary}"}}"#),
            r#""isCompactSummary":true,"#,
        );
        self
    }

    pub fn finish(mut self) {
        self.out.flush().expect("written");
    }

    fn turn(&mut self) {
        let n = self.turns;
        if self.era == Era::Copies {
            self.attachment("skill_listing", 16 * 1024);
        }
        let prompt = self.text(n, 180);
        self.message(
            "user",
            &format!(r#"{{"role":"user","content":"{prompt}"}}"#),
            "",
        );
        if self.era == Era::Copies {
            self.copy("api-request-blob", 26 * 1024);
            self.attachment("deferred_tools_delta", 32 * 1024);
        }
        for step in 0..4 {
            self.answer(
                step,
                &format!(r#"{{"type":"text","text":"{}"}}"#, self.text(n + step, 700)),
            );
            self.answer(
                step,
                &format!(
                    r#"{{"type":"tool_use","id":"toolu_{n}_{step}","name":"Bash","input":{{"command":"{}","description":"Runs it"}}}}"#,
                    self.text(n + step, 200)
                ),
            );
            if self.era == Era::Progress {
                for _ in 0..3 {
                    self.progress();
                }
            }
            self.result(step);
            if self.era == Era::Copies {
                self.copy("api-request", (11 + n % 8) * 1024);
            }
        }
        if self.era == Era::Copies {
            self.copy("api-request-shape", 14 * 1024);
        }
    }

    fn answer(&mut self, step: usize, block: &str) {
        let n = self.turns;
        let message = format!(
            r#"{{"model":"claude-opus-4-8","id":"msg_{n}_{step}","type":"message","role":"assistant","content":[{block}],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":4,"cache_creation_input_tokens":812,"cache_read_input_tokens":40211,"cache_creation":{{"ephemeral_5m_input_tokens":812}},"output_tokens":200,"service_tier":"standard"}}}}"#
        );
        self.message("assistant", &message, r#""requestId":"req_011CW","#);
    }

    fn result(&mut self, step: usize) {
        let n = self.turns;
        let bytes = match self.era {
            Era::Copies => 300 + (n * 7 + step) % 23 * 60,
            Era::Progress => 300 + (n * 7 + step) % 23 * 300,
        };
        let block = if n.is_multiple_of(TURNS_PER_PICTURE) && step == 0 {
            let picture = "iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4".repeat(8 * 1024);
            format!(
                r#"[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{picture}"}}}}]"#
            )
        } else {
            format!(r#""{}""#, self.text(n + step, bytes))
        };
        let message = format!(
            r#"{{"role":"user","content":[{{"tool_use_id":"toolu_{n}_{step}","type":"tool_result","content":{block},"is_error":false}}]}}"#
        );
        let outcome = format!(
            r#""toolUseResult":{{"stdout":"{}","stderr":"","interrupted":false,"isImage":false}}"#,
            self.text(n + step, bytes)
        );
        match self.era {
            Era::Copies => self.message("user", &message, &(outcome + ",")),
            Era::Progress => {
                let (opening, ends) = (self.opening(), self.ends());
                self.line(&format!(
                    r#"{{{opening},"type":"user","message":{message},{ends},{outcome}}}"#
                ));
            }
        }
    }

    fn progress(&mut self) {
        let (opening, ends) = (self.opening(), self.ends());
        let inner = format!(
            r#"{{"type":"user","message":{{"role":"user","content":"{}"}},"uuid":"{}","timestamp":"2031-01-01T00:00:00.000Z"}}"#,
            filler(self.turns, 400),
            uuid(u64::MAX - self.entries)
        );
        self.line(&format!(
            r#"{{{opening},"type":"progress","data":{{"type":"agent_progress","message":{inner}}},"toolUseID":"agent_msg","parentToolUseID":"toolu",{ends}}}"#
        ));
    }

    fn attachment(&mut self, kind: &str, bytes: usize) {
        let (opening, ends) = (self.opening(), self.ends());
        let content = filler(self.turns, bytes);
        self.line(&format!(
            r#"{{{opening},"attachment":{{"type":"{kind}","content":"{content}"}},"type":"attachment",{ends}}}"#
        ));
    }

    fn copy(&mut self, kind: &str, bytes: usize) {
        let content = filler(self.turns, bytes);
        self.line(&format!(
            r#"{{"type":"{kind}","hash":"h","content":{{"system":"{content}"}}}}"#
        ));
    }

    /// A line with a message, and `more` fields right behind it.
    fn message(&mut self, kind: &str, message: &str, more: &str) {
        let (opening, ends) = (self.opening(), self.ends());
        let line = match kind {
            "user" => format!(
                r#"{{{opening},"promptId":"p","type":"user","message":{message},{more}{ends}}}"#
            ),
            _ => format!(r#"{{{opening},"message":{message},{more}"type":"{kind}",{ends}}}"#),
        };
        self.line(&line);
    }

    fn opening(&self) -> String {
        match self.entries {
            0 => r#""parentUuid":null,"isSidechain":false"#.to_owned(),
            n => format!(r#""parentUuid":"{}","isSidechain":false"#, uuid(n - 1)),
        }
    }

    /// The short fields of an entry, which is the newest from here on.
    fn ends(&mut self) -> String {
        let (id, time) = (uuid(self.entries), timestamp(EPOCH + self.entries));
        self.entries += 1;
        format!(
            r#""uuid":"{id}","timestamp":"{time}","userType":"external","entrypoint":"cli","cwd":"/home/ada/code/project","sessionId":"5e551011-0000-4000-8000-000000000001","version":"2.1.325","gitBranch":"main""#
        )
    }

    fn line(&mut self, line: &str) {
        self.out.write_all(line.as_bytes()).expect("written");
        self.out.write_all(b"\n").expect("written");
        self.written += line.len() as u64 + 1;
    }
}

/// As random as real ones are to a hash, and always the same.
fn uuid(n: u64) -> String {
    let high = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let low = high.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) & 0x0fff_ffff_ffff_ffff;
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}
