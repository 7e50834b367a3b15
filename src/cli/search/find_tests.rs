use std::fs::{self, File};
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, UNIX_EPOCH};

use chrono::Utc;
use serde_json::json;

use super::*;
use crate::content::{ContentAnswer, ContentRequest, ContentWorker};
use crate::store::{Hidden, rescan};

const WORDS: [&str; 8] = [
    "alpha", "beta", "gamma", "delta", "topic", "alphabet", "del", "pubSub",
];
/// A query, with `A` and `B` for words.
const QUERIES: [&str; 14] = [
    "A",
    "A B",
    "B A",
    "\"A B\"",
    "A -B",
    "/A.{0,9}B/",
    "A role:user",
    "A role:claude",
    "A has:agent",
    "has:agent",
    "A B alpha",
    "A file:B",
    "A is:running",
    "project:p A",
];
/// Sessions, agents beside them, agents in their folders, and what is no session.
const FILES: [&str; 14] = [
    "p/0000000a-0000-4000-8000-000000000000",
    "p/0000000b-0000-4000-8000-000000000000",
    "p/0000000c-0000-4000-8000-000000000000",
    "p/0000000d-0000-4000-8000-000000000000",
    "q/0000000e-0000-4000-8000-000000000000",
    "q/0000000f-0000-4000-8000-000000000000",
    "p/agent-1",
    "p/agent-2",
    "q/agent-3",
    "q/agent-4",
    "p/notes",
    "q/0000000a-0000-4000-8000-000000000000",
    "p/0000000a-0000-4000-8000-000000000000/subagents/agent-5",
    "q/0000000e-0000-4000-8000-000000000000/subagents/agent-6",
];

/// A store that changes, a picker that hears of it, and what both need to search it.
struct World {
    folder: tempfile::TempDir,
    rows: Rows,
    searcher: Searcher,
    worker: ContentWorker,
    answers: Receiver<ContentAnswer>,
    generation: u64,
    /// Of numbers that only look like chance.
    seed: u64,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (sender, answers) = channel();
        let answer = move |answer| drop(sender.send(answer));
        let sources = sources(folder.path(), "picker");
        let worker = ContentWorker::start(sources, || {}, answer).expect("started");
        Self {
            rows: Rows::of_roots(&[folder.path().join("claude")]),
            folder,
            searcher: Searcher::default(),
            worker,
            answers,
            generation: 0,
            seed: 7,
        }
    }

    fn any(&mut self, of: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005);
        self.seed = self.seed.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).expect("small") % of
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.any(WORDS.len())]
    }

    /// A few words by somebody, in a file that may be one of an agent.
    fn line(&mut self, name: &str) -> String {
        let said: Vec<&str> = (0..=self.any(4)).map(|_| self.word()).collect();
        let (kind, role) = [("user", "user"), ("assistant", "assistant")][self.any(2)];
        let mut line = json!({
            "type": kind,
            "uuid": uuid::Uuid::from_u64_pair(self.seed, 1).to_string(),
            "message": {"role": role, "content": [{"type": "text", "text": said.join(" ")}]},
        });
        if name.contains("agent-") {
            let sessions = ["a", "b", "e", "f", "9"];
            let session = sessions[name.len() % 2 + self.any(2)];
            line["isSidechain"] = json!(true);
            line["agentId"] = json!("1");
            line["sessionId"] = json!(format!("0000000{session}-0000-4000-8000-000000000000"));
        }
        format!("{line}\n")
    }

    /// Something happens to a file.
    fn change(&mut self) {
        let name = FILES[self.any(FILES.len())];
        let projects = self.folder.path().join("claude/projects");
        let path = projects.join(format!("{name}.jsonl"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let known = fs::read_to_string(&path).unwrap_or_default();
        let line = self.line(name);
        match self.any(8) {
            0 => drop(fs::remove_file(&path)),
            1 => fs::write(&path, "").expect("written"),
            2 => fs::write(&path, line).expect("written"),
            _ => fs::write(&path, known + &line).expect("written"),
        }
        self.generation += 1;
        if let Ok(file) = File::options().append(true).open(&path) {
            let time = UNIX_EPOCH + Duration::from_secs(1_700_000_000 + self.generation);
            file.set_modified(time).expect("set");
        }
        // A change below a session is told with the next one of the session.
        let mut parts = name.split('/');
        let (project, id) = (parts.next().expect("one"), parts.next().expect("one"));
        self.look_at(&projects.join(project), id);
    }

    fn look_at(&mut self, project: &Path, id: &str) {
        let root = self.folder.path().join("claude");
        let before = self.rows.position(id);
        let at = match rescan(&root, project, id).expect("opened") {
            Some(session) => Some(self.rows.replace(session)),
            None => self.rows.remove(id, &project.join(format!("{id}.jsonl"))),
        };
        for at in before.into_iter().chain(at) {
            let (id, row) = (row_id(at), self.rows.get(at).cloned());
            match &row {
                Some(row) => {
                    let document = Document::of(row, RowContext::default());
                    self.searcher.put(&[(id, document)]);
                }
                None => self.searcher.remove(&[id]),
            }
            self.worker.send(ContentRequest::Rows(vec![(id, row)]));
        }
    }

    /// What the picker finds in conversations.
    fn picked(&mut self, query: &Query, include: &Include) -> ContentReply {
        self.generation += 1;
        let search = Search {
            generation: Generation(self.generation),
            query: query.clone(),
            order: Sort::Activity,
            reach: Distance::Elsewhere,
            include: include.clone(),
        };
        let rows = self.searcher.content_candidates(&search, &|| false);
        self.worker.send(ContentRequest::Search(ContentSearch {
            generation: search.generation,
            query: search.query,
            rows: rows.expect("never stale"),
        }));
        loop {
            if let ContentAnswer::Found(reply) = self.answers.recv().expect("an answer")
                && reply.is_complete
                && reply.generation == search.generation
            {
                return reply;
            }
        }
    }

    /// Their best passages, and how many more there are.
    fn passages(&self, rows: &[RowId]) -> Vec<(RowId, Excerpt, usize)> {
        let generation = Generation(self.generation);
        self.worker
            .send(ContentRequest::Excerpts(generation, rows.to_vec()));
        loop {
            let answer = self.answers.recv().expect("an answer");
            if let ContentAnswer::Excerpts(_, found) = answer {
                let found = found.into_iter();
                return found.map(|it| (it.row, it.excerpt, it.more)).collect();
            }
        }
    }
}

fn sources(folder: &Path, name: &str) -> ContentSources {
    ContentSources {
        roots: vec![folder.join("claude")],
        cache: Some(folder.join(name)),
        threads: 2,
    }
}

#[test]
fn picker_and_command_line_find_the_same_while_files_change() {
    let mut world = World::new();
    let kept = sources(world.folder.path(), "cli");
    let unkept = ContentSources {
        cache: None,
        ..kept.clone()
    };
    (0..30).for_each(|_| world.change());
    let mut hits = 0;
    for round in 0..300 {
        for _ in 0..world.any(3) {
            world.change();
        }
        let query = QUERIES[world.any(QUERIES.len())];
        let query = query.replace('A', world.word()).replace('B', world.word());
        let parsed = Query::parse(&query, &Utc::now());
        let include = match round % 3 {
            0 => Include::everything(),
            1 => Include::new([Hidden::SubAgent]),
            _ => Include::default(),
        };
        let reply = world.picked(&parsed, &include);
        let passages = world.passages(&reply.hits);

        let sources = if round % 2 == 0 { &kept } else { &unkept };
        let (scope, trouble) = (Scope::Everything, Trouble::default());
        let mut finder =
            Finder::new(sources, &world.rows, parsed, &scope, include, &trouble).expect("started");
        let mut found = finder.find(HitOrder::Best);
        found.retain(|found| !found.is_titled);
        let rows: Vec<RowId> = found.iter().map(|found| found.id).collect();
        assert_eq!(rows, reply.hits, "{round}: {query}");
        let printed = found.iter().filter_map(|row| {
            let (excerpts, total) = finder.passages(*row, 1);
            Some((row.id, excerpts.into_iter().next()?, total - 1))
        });
        assert_eq!(printed.collect::<Vec<_>>(), passages, "{round}: {query}");
        let titles = finder.searcher.answer_words(&finder.search);
        let hidden = titles.map_or(0, |reply| reply.counts.hidden) + reply.hidden;
        assert_eq!(finder.count_others(), (0, hidden), "{round}: {query}");
        finder.finish();
        hits += rows.len();
    }
    assert!(hits > 200, "{hits} hits say little");
}
