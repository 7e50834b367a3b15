//! The search beside a slow one: everything parsed whole, folded, and looked through.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;

use claude_resume::content::{Index, Readers, Wanted};
use claude_resume::list::Row;
use claude_resume::search::{
    Bits, FoldProfile, Needle, Query, RowId, Stretch, Test, fold_long_onto,
};
use claude_resume::store::ScanDepth;
use claude_resume::text::{printed, without_escapes};
use claude_resume::transcript::Voice;
use serde_json::json;

use crate::oracle::oracle;
use crate::support::{Store, corpus, entry, id, lines};

/// A passage as the slow search knows it.
struct Known {
    /// Its lines and its voice.
    place: (u64, u64, Voice),
    text: String,
    folded: Vec<u8>,
    upper: Bits,
    /// Too long to be kept whole: whether its middle is found is left open.
    is_open: bool,
    /// The first message of an agent inside the file: the call that starts it has the same.
    is_repeated: bool,
}

/// What a tool was called with may be cut from so many bytes on, and what it printed.
const LONG_INPUT: usize = 8 * 1024;
const LONG_OUTPUT: usize = 1024 * 1024;
const MARKS: [char; 2] = ['`', '*'];

fn known(bytes: &[u8]) -> Vec<Known> {
    let passages = oracle(bytes).passages;
    let sent = passages.iter().filter(|it| it.voice == Voice::ToAgent);
    let (calls, sent): (Vec<_>, Vec<_>) = sent.cloned().partition(|it| it.tool.is_some());
    let calls: BTreeSet<String> = calls.into_iter().map(|it| it.text).collect();
    let repeated = sent.iter().filter(|it| calls.contains(&it.text));
    let repeated: BTreeSet<u64> = repeated.map(|it| it.lines.start).collect();
    passages
        .into_iter()
        .map(|passage| {
            let mut text = without_escapes(passage.text.trim()).into_owned();
            let mut profile = FoldProfile::Prose;
            if passage.voice.is_tool() {
                profile = FoldProfile::Verbatim;
                let lines = text.lines().map(|line| match passage.voice {
                    Voice::ToolOutput => printed(line),
                    _ => line.into(),
                });
                text = lines.collect::<Vec<_>>().join("\n");
            }
            let (mut folded, mut upper) = (Vec::new(), Bits::default());
            fold_long_onto(&mut folded, &mut upper, text.trim(), profile);
            Known {
                place: (passage.lines.start, passage.lines.end, passage.voice),
                folded,
                upper,
                is_open: match passage.voice {
                    Voice::ToolInput => text.len() > LONG_INPUT,
                    Voice::ToolOutput => text.len() > LONG_OUTPUT,
                    _ => false,
                },
                is_repeated: passage.tool.is_none()
                    && passage.voice == Voice::ToAgent
                    && repeated.contains(&passage.lines.start),
                text,
            }
        })
        .collect()
}

impl Known {
    fn has(&self, needle: &Needle) -> bool {
        let typed = if self.place.2.is_tool() {
            Some(needle.clone())
        } else {
            let is_marked = needle.text().contains(MARKS);
            let bare = || Needle::new(&needle.text().replace(MARKS, ""));
            if is_marked {
                bare()
            } else {
                Some(needle.clone())
            }
        };
        let Some(needle) = typed else {
            return false;
        };
        let stretch = Stretch {
            bytes: &self.folded,
            upper: &self.upper,
            at: 0,
        };
        needle.next(stretch, 0).is_some()
    }
}

/// All text, in both ways.
struct Both {
    _store: Store,
    index: Index,
    rows: Vec<(RowId, Vec<Known>)>,
}

fn both(paths: &[PathBuf]) -> Both {
    let store = Store::new();
    for (n, path) in (1..).zip(paths) {
        let bytes = fs::read(path).expect("read");
        store.session("-p", &id(n), u64::from(n), bytes);
    }
    let (sessions, _) = store.scan(ScanDepth::Everything);
    let cache = store.outside("cache");
    let mut index = Index::open(&[store.root()], Some(&cache));
    let (send, steps) = channel();
    let readers = Readers::start(2, || {}, move |step| drop(send.send(step))).expect("threads");
    let mut rows = Vec::new();
    for (n, session) in (0..).zip(&sessions) {
        index.put(RowId(n), &Arc::new(Row::new(session.clone())));
        readers.read(index.jobs(usize::MAX));
        let bytes = fs::read(session.file.path()).expect("read");
        rows.push((RowId(n), known(&bytes)));
    }
    while index.is_reading() {
        index.take(steps.recv().expect("a step"));
        readers.taken();
    }
    index.save().expect("saved");
    assert_eq!(index.progress().failed, []);
    // Half of the work is done by what was written.
    let mut index = Index::open(&[store.root()], Some(&cache));
    for (n, session) in (0..).zip(&sessions) {
        index.put(RowId(n), &Arc::new(Row::new(session.clone())));
        assert!(!index.is_reading(), "it is kept");
    }
    Both {
        _store: store,
        index,
        rows,
    }
}

impl Both {
    /// Searches in both ways. Returns how many sessions were found.
    fn compare(&mut self, query: &Query) -> usize {
        // The queries of these tests are words and phrases.
        let needle = |test: &Test| match test {
            Test::Word(needle) | Test::Phrase(needle) => Some(needle.clone()),
            _ => None,
        };
        let terms = query.terms().iter();
        let needles: Vec<Needle> = terms.filter_map(|it| needle(&it.test)).collect();
        assert_eq!(needles.len(), query.terms().len(), "{query:?}");
        let Some(wanted) = Wanted::new(query) else {
            assert!(needles.is_empty());
            return 0;
        };
        let rows: Vec<RowId> = self.rows.iter().map(|(row, _)| *row).collect();
        let mut found = BTreeSet::new();
        self.index.search(&wanted, &rows, |row, has| {
            found.extend(has.then_some(row));
            true
        });
        self.index.heal();
        assert!(!self.index.is_reading(), "nothing is damaged");
        for (row, passages) in &self.rows {
            let has = |needle: &Needle, open: bool| {
                let mut passages = passages.iter();
                passages.any(|it| (open || !it.is_open) && it.has(needle))
            };
            let must = needles.iter().all(|needle| has(needle, false));
            let may = needles.iter().all(|needle| has(needle, true));
            let is_found = found.contains(row);
            assert!(must <= is_found && is_found <= may, "{query:?}: {row:?}");
            if !is_found {
                continue;
            }
            let mut places: Vec<_> = self
                .index
                .passages(&wanted, *row)
                .into_iter()
                .map(|(_, it)| (it.entry.lines.start, it.entry.lines.end, it.entry.voice))
                .collect();
            let open = passages.iter().filter(|it| it.is_open);
            let open: BTreeSet<_> = open.map(|it| it.place).collect();
            let has_any = |it: &&Known| needles.iter().any(|needle| it.has(needle));
            let expected = passages.iter().filter(|it| !it.is_repeated);
            let mut expected: Vec<_> = expected.filter(has_any).map(|it| it.place).collect();
            places.retain(|place| !open.contains(place));
            expected.retain(|place| !open.contains(place));
            places.sort_unstable();
            expected.sort_unstable();
            assert_eq!(places, expected, "{query:?}: {row:?}");
        }
        found.len()
    }

    /// Compares queries that are cut out of the text, of every length.
    fn compare_pieces(&mut self, count: usize) -> usize {
        let mut seed = 0x9e37_79b9_u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            usize::try_from(seed >> 33).expect("small") % below.max(1)
        };
        let texts: Vec<(usize, usize)> = (0..self.rows.len())
            .flat_map(|row| (0..self.rows[row].1.len()).map(move |at| (row, at)))
            .collect();
        let mut found = 0;
        for n in 0..count {
            let mut piece = || {
                let (row, at) = texts[random(texts.len())];
                let text: Vec<char> = self.rows[row].1[at].text.chars().take(20_000).collect();
                let start = random(text.len());
                let length = 1 + random([2, 4, 12, 60][n % 4]);
                text[start..].iter().take(length).collect::<String>()
            };
            let query = if n % 3 == 0 {
                let words = [piece(), piece()].map(|it| it.replace(['"', '/', ':', '-'], " "));
                let now = chrono::DateTime::UNIX_EPOCH;
                Query::parse(&format!("{} {}", words[0], words[1]), &now)
            } else {
                Query::phrase(&piece())
            };
            found += usize::from(self.compare(&query) > 0);
        }
        found
    }
}

/// Text in many scripts, across marks of Markdown and across lines of one message.
fn scripts() -> String {
    let said = [
        "東京タワーへ行く。検索エンジン",
        "한국어 텍스트 검색",
        "Straße und STRASSE",
        "Ｆｕｌｌ－ｗｉｄｔｈ ＡＰＩ",
        "cafe\u{301} déjà vu",
        "🚀 launch 👩‍💻 done",
        "api_key or api key or `api_key`",
        "fn main() { println!(\"{:?}\", x[0] += 1); }",
        "a **bold** word and `code` here",
        "naïve İstanbul ﬁle",
        "हिन्दी में खोज",
        "line one\n\n  line\ttwo",
    ];
    let mut entries: Vec<_> = (0..said.len())
        .map(|n| {
            entry(
                n,
                if n % 2 == 0 { "user" } else { "assistant" },
                &json!(said[n]),
            )
        })
        .collect();
    for (n, text) in [(20, "The streamed"), (21, "split goes on")] {
        let mut part = entry(n, "assistant", &json!([{"type": "text", "text": text}]));
        part["message"]["id"] = json!("streamed");
        entries.push(part);
    }
    lines(&entries)
}

/// Queries with the number of sessions that must have them among the scripts.
const PICKED: [(&str, usize); 28] = [
    ("京", 1),
    ("東京", 1),
    ("検索", 1),
    ("国", 0),
    ("국어", 1),
    ("어", 1),
    ("strasse", 1),
    ("straße", 1),
    ("STRASSE", 1),
    ("api", 1),
    ("full-width", 1),
    ("café", 1),
    ("cafe", 1),
    ("cafe\u{301} deja", 1),
    ("🚀", 1),
    ("👩‍💻", 1),
    ("api_key", 1),
    ("\"api key\"", 1),
    ("\"println!(\"", 1),
    ("x[0]", 1),
    ("\"a bold word and code here\"", 1),
    ("\"**bold**\"", 1),
    ("\"the streamed\"", 1),
    ("\"streamed split goes\"", 0),
    ("istanbul", 1),
    ("file", 1),
    ("\"one line two\"", 1),
    ("nowhere-at-all", 0),
];

#[test]
fn scripts_marks_and_splits_are_found_as_a_slow_search_finds_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scripts.jsonl");
    fs::write(&path, scripts()).expect("written");
    let mut both = both(&[path]);
    for (typed, expected) in PICKED {
        let query = Query::parse(typed, &chrono::DateTime::UNIX_EPOCH);
        assert_eq!(both.compare(&query), expected, "{typed}");
    }
    assert!(both.compare_pieces(300) > 250);
}

#[test]
fn the_fixtures_are_searched_as_a_slow_search_does_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths = Vec::new();
    for kind in ["lite", "preview", "transcript"] {
        let entries = fs::read_dir(folder.join(kind)).expect("listed");
        paths.extend(entries.map(|entry| entry.expect("listed").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    paths.sort();
    let mut both = both(&paths);
    assert!(both.compare_pieces(500) > 350);
}

/// `CLAUDE_RESUME_CORPUS=DIR cargo test corpus` does the same for every transcript below a folder.
#[test]
fn the_corpus_is_searched_as_a_slow_search_does_it() {
    let Some(paths) = corpus() else {
        return;
    };
    let mut both = both(&paths);
    for (typed, _) in PICKED {
        both.compare(&Query::parse(typed, &chrono::DateTime::UNIX_EPOCH));
    }
    assert!(both.compare_pieces(500) > 350);
}
