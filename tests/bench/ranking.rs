//! How high a conversation comes for words that somebody remembers of it.
//!
//! `CLAUDE_RESUME_CORPUS=DIR cargo bench --bench ranking` puts copies of all transcripts below DIR
//! into a store, draws passages of its conversations, asks for three words of each in another order,
//! and counts how often that conversation is first, among the first three and among the first ten of
//! what the picker lists. The same corpus gives the same questions. `N` after `--` draws that many.
//! Prints no text of the corpus.

// A benchmark may fail loudly, and printing is its purpose.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::Utc;
use claude_resume::content::{
    ContentAnswer, ContentRequest, ContentSearch, ContentSources, ContentWorker,
};
use claude_resume::list::{Distance, Include, Rows, Sort};
use claude_resume::search::{Document, Generation, Query, RowContext, RowId, Search, Searcher};
use claude_resume::store::{Event, ScanDepth, readers, scan};
use claude_resume::transcript::{Checkpoint, Passage, Voice, agent_files, passages};

const QUESTIONS: usize = 500;
const WORDS: usize = 3;
/// Shorter words are not what one remembers.
const LETTERS: usize = 4;
const PLACES: [usize; 3] = [1, 3, 10];
type OfKind = fn(Voice) -> bool;

/// Whose words they are. Those of tools are also in other conversations about the same files.
const KINDS: [(&str, OfKind); 3] = [
    ("prompts", |voice| voice == Voice::User),
    ("answers", |voice| voice == Voice::Claude),
    ("tools", Voice::is_tool),
];

fn main() {
    let Some(corpus) = std::env::var_os("CLAUDE_RESUME_CORPUS") else {
        println!("skipped: CLAUDE_RESUME_CORPUS names no folder with transcripts");
        return;
    };
    let asked = std::env::args().skip(1).find_map(|it| it.parse().ok());
    let store = tempfile::tempdir().expect("a temporary folder");
    copy(Path::new(&corpus), Path::new("corpus"), store.path());
    let mut picker = Picker::open(store.path());
    println!("three words of a passage, {} sessions", picker.rows.len());
    for (name, of_kind) in KINDS {
        let questions = picker.questions(of_kind, asked.unwrap_or(QUESTIONS));
        let places = questions.iter().map(|question| {
            let hits = picker.ask(&question.words.join(" "));
            hits.iter().position(|hit| *hit == question.row)
        });
        let places: Vec<Option<usize>> = places.collect();
        let among = |first: usize| places.iter().flatten().filter(|at| **at < first).count();
        let [first, three, ten] = PLACES.map(|place| percent(among(place), places.len()));
        let lost = places.iter().filter(|at| at.is_none()).count();
        println!(
            "{name}: first {first}, in the first 3 {three}, in the first 10 {ten}; \
            {} questions, {lost} not found",
            places.len()
        );
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole as f64)
}

/// Copies every transcript below a folder into the store. `inside` is where the folder is in the
/// corpus: everything below `projects/` keeps its place.
fn copy(folder: &Path, inside: &Path, store: &Path) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (from, to) = (entry.path(), inside.join(entry.file_name()));
        if from.is_dir() {
            let is_root = entry.file_name() == "projects";
            copy(&from, if is_root { Path::new("") } else { &to }, store);
        } else if from.extension().is_some_and(|it| it == "jsonl") {
            let to = store.join("projects").join(to);
            fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            fs::copy(from, to).expect("copied");
        }
    }
}

/// Words of a conversation.
struct Question {
    row: RowId,
    words: Vec<String>,
}

/// Both searches of the picker, over all sessions of a store.
struct Picker {
    rows: Rows,
    titles: Searcher,
    content: ContentWorker,
    answers: Receiver<ContentAnswer>,
    generation: u64,
}

impl Picker {
    fn open(store: &Path) -> Self {
        let roots = [store.to_owned()];
        let rows = Mutex::new(Rows::of_roots(&roots));
        let take = |event| {
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            if let Event::Batch(sessions) = event {
                for session in sessions {
                    rows.add(session);
                }
            }
            ControlFlow::Continue(())
        };
        let stop = AtomicBool::new(false);
        scan(&roots, ScanDepth::Everything, None, &stop, &take);
        let rows = rows.into_inner().expect("no thread failed");
        let mut titles = Searcher::default();
        let documents = rows.places().map(|(at, row)| {
            let document = Document::of(row, RowContext::default());
            (row_id(at), document)
        });
        titles.put(&documents.collect::<Vec<_>>());
        let sources = ContentSources {
            roots: roots.to_vec(),
            cache: None,
            threads: readers(),
        };
        let (send, answers) = channel();
        let answer = move |answer| drop(send.send(answer));
        let content = ContentWorker::start(sources, || {}, answer).expect("started");
        let all = rows
            .places()
            .map(|(at, row)| (row_id(at), Some(Arc::clone(row))));
        content.send(ContentRequest::Rows(all.collect()));
        Self {
            rows,
            titles,
            content,
            answers,
            generation: 0,
        }
    }

    /// Everything that has the words, in the order of the screen.
    fn ask(&mut self, text: &str) -> Vec<RowId> {
        self.generation += 1;
        let search = Search {
            generation: Generation(self.generation),
            query: Query::parse(text, &Utc::now()),
            order: Sort::Activity,
            reach: Distance::Elsewhere,
            include: Include::default(),
        };
        let titled = self.titles.answer_words(&search).expect("answered");
        let rows = self.titles.content_candidates(&search, &|| false);
        self.content.send(ContentRequest::Search(ContentSearch {
            generation: search.generation,
            query: search.query,
            rows: rows.expect("answered"),
        }));
        let inside = loop {
            let answer = self.answers.recv().expect("an answer");
            if let ContentAnswer::Found(reply) = answer
                && reply.generation == search.generation
                && reply.is_complete
            {
                break reply.hits;
            }
        };
        let titled = titled.hits.iter().map(|hit| hit.row);
        titled.chain(inside.iter().copied()).collect()
    }

    /// Draws passages of what is not hidden: as many of each session, each as likely as any other of
    /// it. Otherwise a few long sessions would be all there is.
    fn questions(&self, of_kind: OfKind, count: usize) -> Vec<Question> {
        let mut chance = Chance(1);
        let mut rows: Vec<_> = self.rows.places().collect();
        rows.retain(|(_, row)| row.session.hidden.is_none());
        rows.sort_by_key(|(_, row)| row.session.file.path());
        let share = count.div_ceil(rows.len());
        let mut questions = Vec::new();
        for (at, row) in rows {
            let path = row.session.file.path();
            let mut files = agent_files(&path).expect("listed");
            files.insert(0, path);
            let (mut drawn, mut seen) = (Vec::new(), 0);
            for file in files {
                of_file(&file, of_kind, &mut |text| {
                    let Some(words) = words(text, &mut chance) else {
                        return;
                    };
                    // Each of all that come is kept with the same chance.
                    seen += 1;
                    if drawn.len() < share {
                        drawn.push(words);
                    } else if let Some(other) = drawn.get_mut(chance.below(seen)) {
                        *other = words;
                    }
                });
            }
            let row = row_id(at);
            questions.extend(drawn.into_iter().map(|words| Question { row, words }));
        }
        chance.shuffle(&mut questions);
        questions.truncate(count);
        questions
    }
}

fn row_id(at: usize) -> RowId {
    RowId(u32::try_from(at).expect("few rows"))
}

fn of_file(path: &Path, of_kind: OfKind, take: &mut dyn FnMut(&str)) {
    let file = File::open(path).expect("opened");
    let mut sink = |passage: &Passage<'_>| {
        if of_kind(passage.voice) {
            take(passage.text);
        }
    };
    passages(file, &Checkpoint::default(), &|| false, &mut sink).expect("read");
}

/// Three different words of a text, in any order.
fn words(text: &str, chance: &mut Chance) -> Option<Vec<String>> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|it| it.chars().count() >= LETTERS);
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    chance.shuffle(&mut words);
    words.truncate(WORDS);
    (words.len() == WORDS).then_some(words)
}

/// Numbers as good as random, always the same (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let limit = u64::try_from(limit).expect("small");
        usize::try_from((mixed ^ (mixed >> 31)) % limit).expect("small")
    }
}
