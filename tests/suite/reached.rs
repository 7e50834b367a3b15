//! Whatever a search finds, one request leads to: the page begins at a line that has it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use claude_resume::preview::{Around, CardFacts, Options};
use claude_resume::reader::{
    Find, GoOn, Page, PageSpec, PassageTarget, PreviewReader, PreviewRequest, Target,
};
use claude_resume::search::{Generation, Query};
use claude_resume::text::{printed, without_escapes};
use claude_resume::transcript::{
    AgentStarts, Chain, Checkpoint, Digest, LeafRule, LoadExtent, Tree, agent_files, agents_beside,
    load, passages, subagents,
};
use uuid::Uuid;

use crate::support::corpus;

const COLUMNS: usize = 100;

/// A passage of a conversation, and a word of it.
struct Sample {
    target: PassageTarget,
    word: String,
}

/// Passages of a file, each with some of its words.
fn samples(path: &Path, each: usize) -> Vec<Sample> {
    let bytes = fs::read(path).expect("read");
    let mut samples = Vec::new();
    let mut count = 0;
    passages(
        &bytes[..],
        &Checkpoint::default(),
        &|| false,
        &mut |passage| {
            count += 1;
            if count % each != 0 {
                return;
            }
            // As it is searched: without terminal colors, and what was written over.
            let lines = passage.text.lines().map(printed);
            let text = lines.collect::<Vec<_>>().join("\n");
            let text = without_escapes(&text);
            let is_inside = char::is_alphanumeric;
            let words: Vec<&str> = text
                .split(|c: char| !is_inside(c))
                .filter(|word| (3..200).contains(&word.len()))
                .collect();
            for at in [0, words.len() / 2, words.len().saturating_sub(1)] {
                let Some(word) = words.get(at) else { continue };
                samples.push(Sample {
                    target: PassageTarget {
                        path: path.to_owned(),
                        uuid: passage.uuid,
                        voice: passage.voice,
                        at: passage.at,
                    },
                    word: word.to_lowercase(),
                });
            }
        },
    )
    .expect("read");
    samples
}

fn first_page(reader: &mut PreviewReader, path: &Path, sample: &Sample) -> Option<Page> {
    let query = Query::parse(&format!("\"{}\"", sample.word), &DateTime::UNIX_EPOCH);
    let request = PreviewRequest {
        generation: Generation::default(),
        path: path.to_owned(),
        rows: 30,
        facts: CardFacts::default(),
        spec: PageSpec {
            columns: COLUMNS,
            options: Options::default(),
            around: Around::End,
            turns: 100,
            leaf: None,
            find: Find::Everywhere(query),
            target: Some(Target::Passage(sample.target.clone())),
        },
    };
    let seen = std::cell::Cell::new(false);
    let mut first = None;
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| !seen.get(),
    };
    reader.answer(&request, go_on, &mut |page| {
        seen.set(true);
        first.get_or_insert(page.expect("a page"));
    });
    first
}

/// Does the page begin at a line with the word?
fn is_marked(page: &Page, sample: &Sample) -> bool {
    let Some(landing) = &page.landing else {
        return false;
    };
    let Some(line) = page.line_of(landing.line) else {
        return false;
    };
    let query = Query::parse(&format!("\"{}\"", sample.word), &DateTime::UNIX_EPOCH);
    let matcher = Find::Everywhere(query).matcher().expect("a word");
    let marks = matcher.marks(&page.scroll, line, 1, page.columns);
    marks.iter().any(|marks| !marks.is_empty())
}

/// The agents of a session whose call is not known.
fn without_call(path: &Path) -> Vec<PathBuf> {
    let index = load(path, LoadExtent::Resumed).expect("read");
    let chain = Chain::build(&index, LeafRule::Resume);
    let file = fs::File::open(path).expect("open");
    let mut starts = AgentStarts::default();
    for turn in Digest::whole(file, &index, &chain).expect("read").newest {
        starts.take(&turn);
    }
    let agents = subagents(path, &starts).into_iter();
    let agents = agents.filter(|agent| agent.tool_use_id.is_none());
    agents.map(|agent| agent.path).collect()
}

/// Entries that no conversation shows: what an agent of the oldest versions did is in the
/// transcript itself; damage cuts some off from every end; and of two lines with one id only one
/// counts.
fn never_shown(path: &Path) -> HashSet<Uuid> {
    let index = load(path, LoadExtent::Everything).expect("read");
    let tree = Tree::new(&index, &Chain::build(&index, LeafRule::Resume));
    let reached = tree.reached();
    let links = index.links().iter().enumerate();
    let lost = links.filter(|(at, link)| {
        link.is_sidechain || (!reached[*at] && tree.branch_with(*at).is_none())
    });
    let mut never: HashSet<Uuid> = lost.map(|(_, link)| link.id.uuid()).collect();
    let mut lines = HashMap::new();
    let bytes = fs::read(path).expect("read");
    passages(
        &bytes[..],
        &Checkpoint::default(),
        &|| false,
        &mut |passage| {
            let line = passage.uuid.map(|uuid| (uuid, passage.lines.start));
            if let Some((uuid, line)) = line
                && *lines.entry(uuid).or_insert(line) != line
            {
                never.insert(uuid);
            }
        },
    )
    .expect("read");
    never
}

/// Looks for words of every `each`th passage of a session and its agents. Returns how many.
fn check(path: &Path, each: usize) -> usize {
    let mut files = vec![path.to_owned()];
    files.extend(agent_files(path).expect("listed"));
    files.extend(agents_beside(path).expect("listed"));
    let lost = without_call(path);
    files.retain(|file| !lost.contains(file));
    let never = never_shown(path);
    let mut reader = PreviewReader::new(Vec::new()).in_utc();
    let mut count = 0;
    for file in files {
        let is_own = file == path;
        for sample in samples(&file, each) {
            // What no entry has is shown by its time.
            let Some(uuid) = sample.target.uuid else {
                continue;
            };
            if is_own && never.contains(&uuid) {
                continue;
            }
            let page = first_page(&mut reader, path, &sample);
            let page = page.expect("a page");
            assert!(
                is_marked(&page, &sample),
                "{}: `{}` of {:?}",
                file.display(),
                sample.word,
                sample.target
            );
            count += 1;
        }
    }
    count
}

#[test]
fn every_word_of_every_passage_is_led_to() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut count = 0;
    for folder in ["transcript", "preview"] {
        let mut paths: Vec<PathBuf> = fs::read_dir(fixtures.join(folder))
            .expect("listed")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
            .collect();
        paths.sort();
        for path in paths {
            count += check(&path, 1);
        }
    }
    assert!(count > 300, "{count}");
}

/// `CLAUDE_RESUME_CORPUS=DIR cargo test corpus` looks for words of some passages of every
/// transcript below a folder.
#[test]
fn the_corpus_is_led_through() {
    let Some(paths) = corpus() else { return };
    let is_agent = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("agent-")
    };
    let sessions = paths.iter().filter(|path| !is_agent(path));
    let count: usize = sessions.map(|path| check(path, 17)).sum();
    assert!(count > 0);
}
