//! Makes stores like those of people who use Claude Code every day.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// How large the transcripts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Like version 2.1.3xx: 80 to 95 KB for one prompt, more than half of it copies of requests,
    /// a quarter attachments, a tenth conversation.
    Realistic,
    /// The same entries without the bulk, for stores whose number of files is the point.
    Tiny,
}

const PER_PROJECT: usize = 200;
/// 2026-01-01T00:00:00Z
const EPOCH: u64 = 1_767_225_600;

pub fn generate(root: &Path, sessions: usize, size: Size) {
    for n in 0..sessions {
        let project = n / PER_PROJECT;
        let folder = root.join(format!("projects/-home-ada-code-project{project:03}"));
        if n % PER_PROJECT == 0 {
            fs::create_dir_all(&folder).expect("made");
        }
        // A multiplicative shuffle, so that folders are not sorted by time.
        let age = (n as u64).wrapping_mul(7_919) % sessions as u64;
        let time = EPOCH + age * 60;
        let id = format!(
            "{:08x}-{:04x}-4000-8000-{n:012x}",
            n.wrapping_mul(2_654_435_761) & 0xffff_ffff,
            n & 0xffff
        );
        let mut file = File::create(folder.join(format!("{id}.jsonl"))).expect("made");
        file.write_all(transcript(n, &id, project, time, size).as_bytes())
            .expect("written");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(time))
            .expect("set");
    }
}

fn transcript(n: usize, id: &str, project: usize, time: u64, size: Size) -> String {
    let kilobytes = |wanted: usize| match size {
        Size::Realistic => filler(n, wanted * 1024),
        Size::Tiny => filler(n, 64),
    };
    let stamp = timestamp(time);
    let ends = format!(
        r#""uuid":"{n:08x}-0000-4000-8000-000000000001","timestamp":"{stamp}","userType":"external","entrypoint":"cli","cwd":"/home/ada/code/project{project:03}","sessionId":"{id}","version":"2.1.325","gitBranch":"feature/{}""#,
        n % 17
    );
    let chain = r#""parentUuid":"0bf5a0c2-0000-4000-8000-000000000000","isSidechain":false"#;
    let title = TITLES[n % TITLES.len()];
    let mut lines = vec![
        format!(r#"{{"type":"mode","mode":"normal","sessionId":"{id}"}}"#),
        format!(r#"{{"type":"permission-mode","permissionMode":"default","sessionId":"{id}"}}"#),
        format!(
            r#"{{{chain},"attachment":{{"type":"skill_listing","content":"{}"}},"type":"attachment",{ends}}}"#,
            kilobytes(9)
        ),
        format!(
            r#"{{{chain},"promptId":"p{n}","type":"user","message":{{"role":"user","content":"{title} in project {project}, the {n}th time somebody asks: look at the failing test first, then tell me what you would change and why"}},{ends}}}"#
        ),
        format!(
            r#"{{"type":"api-request-blob","hash":"h{n}","content":{{"system":"{}"}}}}"#,
            kilobytes(26)
        ),
        format!(
            r#"{{{chain},"attachment":{{"type":"deferred_tools_delta","content":"{}"}},"type":"attachment",{ends}}}"#,
            kilobytes(12)
        ),
    ];
    for step in 0..4 {
        lines.push(format!(
            r#"{{{chain},"message":{{"model":"claude-opus-4-8","id":"msg_{n}_{step}","type":"message","role":"assistant","content":[{{"type":"text","text":"{}"}}],"usage":{{"input_tokens":4,"output_tokens":200}}}},"requestId":"req_{n}_{step}","type":"assistant",{ends}}}"#,
            filler(n + step, 700)
        ));
        lines.push(format!(
            r#"{{{chain},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"t{step}","type":"tool_result","content":"{}"}}]}},"toolUseResult":{{"stdout":"{}"}},{ends}}}"#,
            filler(n + step, 300),
            filler(n + step, 300)
        ));
    }
    lines.push(format!(
        r#"{{"type":"api-request-shape","tools":[{{"name":"Read","description":"{}"}}]}}"#,
        kilobytes(14)
    ));
    lines.push(format!(
        r#"{{"type":"api-request","request":{{"messages":["{}"]}}}}"#,
        kilobytes(11 + n % 8)
    ));
    if n.is_multiple_of(3) {
        lines.push(format!(
            r#"{{"type":"ai-title","aiTitle":"{title} ({n})","sessionId":"{id}"}}"#
        ));
    }
    lines.push(format!(
        r#"{{"type":"last-prompt","lastPrompt":"great, now do the same for project {}","sessionId":"{id}"}}"#,
        n % 97
    ));
    lines.push(format!(
        r#"{{"type":"cost-state","totalCostUSD":0.42,"modelUsage":{{}},"sessionId":"{id}"}}"#
    ));
    lines.join("\n") + "\n"
}

/// How the first prompt of every session begins, and its title if it has one.
pub const TITLES: [&str; 6] = [
    "Fix the token refresh",
    "Rotate the signing keys",
    "Make the burst configurable",
    "Why is the queue worker slow",
    "Port the report to the new API",
    "Remove the flaky sleep",
];

/// Text with the escapes and quotes of real tool output.
pub fn filler(seed: usize, bytes: usize) -> String {
    const PIECES: [&str; 4] = [
        r#"fn main() {\n    println!(\"hello\");\n}\n"#,
        r"The quick brown fox reads the whole file before it jumps over it. ",
        r#"{\"name\": \"value\", \"list\": [1, 2, 3]}, "#,
        r"C:\\Users\\ada\\code\t",
    ];
    let mut text = String::with_capacity(bytes + 80);
    let mut at = seed;
    while text.len() < bytes {
        text.push_str(PIECES[at % PIECES.len()]);
        at += 1;
    }
    text
}

/// Text of many different words, common ones more often, as people and programs write it.
#[allow(dead_code, reason = "not every benchmark searches in it")]
pub fn prose(seed: usize, bytes: usize) -> String {
    const SYLLABLES: [&str; 32] = [
        "ba", "co", "de", "fi", "ga", "hu", "in", "jo", "ka", "le", "mo", "nu", "or", "pe", "qua",
        "re", "sa", "ti", "ur", "ve", "wo", "xe", "yi", "zo", "st", "tr", "ing", "er", "ly",
        "ment", "able", "tion",
    ];
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    };
    let mut text = String::with_capacity(bytes + 40);
    while text.len() < bytes {
        // The product of two is small more often than large: as words are.
        let word = next() % 200 * (next() % 200);
        for place in 0..=word % 3 {
            let syllable = word.wrapping_mul(31).wrapping_add(place * 7 + word / 5) % 32;
            text.push_str(SYLLABLES[usize::try_from(syllable).expect("small")]);
        }
        text.push_str(match next() % 24 {
            0 => ".\\n",
            1 => "(",
            2 => "_",
            3 => ", ",
            4 => "/",
            _ => " ",
        });
    }
    text
}

pub fn timestamp(seconds: u64) -> String {
    let (minutes, second) = (seconds / 60, seconds % 60);
    let (hours, minute) = (minutes / 60, minutes % 60);
    let (days, hour) = (hours / 24, hours % 24);
    // Every month has at least 28 days, and a benchmark needs no others.
    let day = days - EPOCH / 86_400;
    let (month, day) = (day / 28 % 12 + 1, day % 28 + 1);
    format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.000Z")
}
