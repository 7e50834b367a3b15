//! From a file to a conversation that can be laid out: its end, or the whole of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{CancellableFile, Chapter, FileStamp, Files};
use super::findings::Findings;
use super::way::{EntryTurns, Way, way_to};
use crate::preview::{Book, CardFacts, Gist, LedgerHead};
use crate::record::EntryType;
use crate::transcript::{
    AgentStarts, Branch, Chain, Digest, EarlierPart, EntryId, Index, IndexStart, LeafRule,
    LoadExtent, Tree, Turn, TurnOpening, cost_in_configs, earlier, load_end, load_from,
};

/// Bytes of the end that are read at first: little, because little fills a screen.
const FIRST_WINDOW: u64 = 32 * 1024;
/// Maximum bytes of the end before the whole is read.
const LAST_WINDOW: u64 = 4 * 1024 * 1024;
/// What of so much is shown is enough: most of it is folded away.
const ENOUGH: u64 = 1024 * 1024;
/// Maximum bytes of an attachment that is read for its name.
const MOST_ATTACHED: usize = 256 * 1024;

/// Identifies a conversation. Width and folds are told apart further inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheKey {
    pub path: PathBuf,
    pub stamp: FileStamp,
    /// The leaf; `None` is the one that resuming takes.
    pub leaf: Option<String>,
    /// The number of compactions before which it was read, too.
    pub earlier: usize,
}

/// A conversation that was read.
#[derive(Debug, Default)]
pub struct OpenConversation {
    pub gist: Gist,
    /// The facts that only the file tells.
    pub facts: CardFacts,
    pub book: Book,
    pub branches: Arc<Vec<Branch>>,
    pub files: Files,
    pub findings: Findings,
}

impl OpenConversation {
    /// A conversation that is all in memory.
    pub fn of(digest: Digest) -> Self {
        Self {
            gist: Gist::of(&digest),
            book: Book::new(digest.newest, LedgerHead::Beginning),
            ..Self::default()
        }
    }

    /// How much memory it takes, roughly.
    pub fn weight(&self) -> usize {
        self.files.weight() + self.book.weight()
    }

    /// Takes over what is still valid of the same conversation as it was before.
    pub fn follow(&mut self, mut shown: Self) {
        // Paths are relative to where the session ran. If it moved, the end alone tells another
        // directory than the whole.
        let is_placed_alike = self.gist.cwd() == shown.gist.cwd();
        if !is_placed_alike {
            shown.book.forget_lines();
        }
        let before = shown.book.numbers().start;
        let mut same = self.book.follow(shown.book);
        // The lines before the first turn differ from those before any other.
        same.remove(&before);
        same.remove(&self.book.numbers().start);
        if is_placed_alike {
            self.findings = shown.findings;
            self.findings.keep(&same);
        }
    }
}

/// Reads the end of a long file, until what was read fills the viewport. `None` if only the whole
/// file tells what resuming would show.
pub fn open_newest(
    path: &Path,
    size: u64,
    go_on: &dyn Fn() -> bool,
    fills: &mut dyn FnMut(&mut OpenConversation) -> bool,
) -> io::Result<Option<OpenConversation>> {
    let mut file = CancellableFile::new(path, go_on)?;
    let mut window = FIRST_WINDOW;
    loop {
        let index = of_file(path, load_end(&mut file, size, window)?);
        // Claude Code's own mark leads to an entry before the window, so the window may hold an
        // abandoned branch.
        let leaf = index.pointer.and_then(|pointer| pointer.leaf);
        let is_astray = leaf.is_some_and(|leaf| index.position(leaf).is_none());
        let mut chain = Chain::build(&index, LeafRule::Resume);
        // Notes of the program are large and not shown.
        chain.entries.retain(|at| {
            let link = &index.links()[*at];
            let is_small = link.is_attached && link.length < MOST_ATTACHED;
            link.entry != EntryType::Attachment || link.is_queued || is_small
        });
        let digest = Digest::whole(&mut file, &index, &chain)?;
        if !is_astray && !digest.newest.is_empty() {
            let mut opened = OpenConversation::of(digest);
            if fills(&mut opened) || window >= ENOUGH {
                return Ok(Some(opened));
            }
        }
        if window >= LAST_WINDOW || window >= size {
            return Ok(None);
        }
        window = (window * 2).min(LAST_WINDOW);
    }
}

/// Reads a whole conversation, with the requested part before its compactions, and holds this many
/// bytes of its turns.
pub fn open_whole(
    key: &CacheKey,
    configs: &[PathBuf],
    held: usize,
    go_on: &dyn Fn() -> bool,
) -> io::Result<OpenConversation> {
    let (_, opened) = open_at(key.clone(), None, configs, held, go_on)?;
    Ok(opened)
}

/// Reads a whole conversation, and of what resuming does not load as much as is needed for an entry.
/// Returns also what that was.
pub fn open_at(
    mut key: CacheKey,
    entry: Option<EntryId>,
    configs: &[PathBuf],
    held: usize,
    go_on: &dyn Fn() -> bool,
) -> io::Result<(CacheKey, OpenConversation)> {
    let path = key.path.clone();
    let file = || CancellableFile::new(&path, go_on);
    let mut index = of_file(&path, load_from(file()?, key.stamp.0, LoadExtent::Resumed)?);
    let mut resumed = Chain::build(&index, LeafRule::Resume);
    let way = match entry {
        Some(entry) => way_to(entry, &path, (&index, &resumed), go_on)?,
        None => None,
    };
    let until = match way {
        Some(Way::Earlier) => entry,
        Some(Way::Branch(leaf)) => {
            key.leaf = Some(leaf);
            entry
        }
        Some(Way::Resumed) | None => None,
    };
    let leaf = key
        .leaf
        .as_deref()
        .and_then(|leaf| EntryId::of(leaf.as_bytes()));
    if leaf.is_some_and(|leaf| index.position(leaf).is_none())
        && index.start == IndexStart::Boundary
    {
        // It is before a compaction, where resuming does not look.
        let everything = load_from(file()?, key.stamp.0, LoadExtent::Everything)?;
        index = of_file(&path, everything);
        resumed = Chain::build(&index, LeafRule::Resume);
    }
    let chain = match leaf {
        Some(leaf) => Chain::build(&index, LeafRule::Entry(leaf)),
        None => resumed.clone(),
    };
    let mut gist = Gist::default();
    let mut starts = AgentStarts::default();
    let mut turns = EntryTurns::default();
    let mut opening = None;
    let mut digest = Digest::read(file()?, &index, &chain, held, &mut |turn| {
        turns.take(turn);
        opening.get_or_insert_with(|| head_of(turn));
        gist.take(turn);
        starts.take(turn);
    })?;
    add_cost(&mut digest, &path, configs);
    // Relative to the branch that resuming takes, whichever is shown.
    let tree = Tree::new(&index, &resumed);
    let branches = tree.branches(file()?)?;
    let boundaries = index.links().iter().filter(|link| link.boundary.is_some());
    let instead = key.leaf.as_deref().and_then(|leaf| {
        let branch = branches.iter().find(|branch| branch.leaf == leaf)?;
        (!branch.is_resumed).then(|| words(branch))
    });
    let facts = CardFacts {
        instead,
        branches: branches.len(),
        compactions: boundaries.count(),
        breaks: chain.breaks,
        reach: tree.reach(&resumed),
        health: index.health.clone(),
        ..CardFacts::default()
    };
    let head = if chain.breaks.gaps > 0 {
        LedgerHead::Gap
    } else {
        opening.unwrap_or_default()
    };
    let gist = gist.with(&digest);
    let headings = digest.stretches.headings().to_vec();
    let first_held = i64::try_from(digest.first_held).unwrap_or_default();
    let chapter = Chapter {
        path: path.clone(),
        stretches: digest.stretches,
        turns: turns.sorted(),
    };
    let mut opened = OpenConversation {
        gist,
        facts,
        book: Book::with_headings(headings, first_held, digest.newest, head),
        branches: Arc::new(branches),
        files: Files::new(chapter, starts),
        findings: Findings::default(),
    };
    let earlier = look_back(&mut opened, &key, until, (index, chain), go_on)?;
    match earlier {
        // The end of a parallel call is in no conversation.
        None => open_at(key, None, configs, held, go_on),
        Some(earlier) => {
            key.earlier = key.earlier.max(earlier);
            Ok((key, opened))
        }
    }
}

/// Prepends what is before compactions, one after the other: as often as asked for, and until an
/// entry is there. Returns how often that was; `None` if the entry is nowhere.
fn look_back(
    opened: &mut OpenConversation,
    key: &CacheKey,
    until: Option<EntryId>,
    (mut index, mut chain): (Index, Chain),
    go_on: &dyn Fn() -> bool,
) -> io::Result<Option<usize>> {
    let mut path = key.path.clone();
    let mut depth = 0;
    let mut is_there = until.is_none_or(|entry| chain.has(&index, entry));
    while depth < key.earlier || !is_there {
        let found = match earlier(&path, &index, &chain)? {
            EarlierPart::Complete => {
                opened.book.head = LedgerHead::Beginning;
                break;
            }
            EarlierPart::Gone => {
                opened.book.head = LedgerHead::Gone;
                break;
            }
            EarlierPart::Found(found) => found.without(&chain, &index),
        };
        let mut head = None;
        let mut starts = AgentStarts::default();
        let mut turns = EntryTurns::default();
        let file = CancellableFile::new(&found.path, go_on)?;
        let before = Digest::read(file, &found.index, &found.chain, 0, &mut |turn| {
            turns.take(turn);
            head.get_or_insert_with(|| head_of(turn));
            starts.take(turn);
        })?;
        opened.files.starts.put_before(starts);
        opened.book.head = head.unwrap_or_default();
        let note = (found.path != path).then(|| {
            let name = found.path.file_name().unwrap_or_default().to_string_lossy();
            format!("── from another file: {name} ──")
        });
        let headings = before.stretches.headings().to_vec();
        opened.book.put_before(headings, note);
        let chapter = Chapter {
            path: found.path.clone(),
            stretches: before.stretches,
            turns: turns.sorted(),
        };
        opened.files.chapters.insert(0, chapter);
        depth += 1;
        is_there |= until.is_some_and(|entry| found.chain.has(&found.index, entry));
        (path, index, chain) = (found.path, found.index, found.chain);
    }
    Ok(is_there.then_some(depth))
}

/// What a conversation begins with, by its first turn.
fn head_of(turn: &Turn) -> LedgerHead {
    match turn.opening {
        TurnOpening::Compaction { .. } => LedgerHead::Compacted,
        _ => LedgerHead::Beginning,
    }
}

/// In the file of a sub-agent every line says that it belongs to one.
pub fn of_file(path: &Path, index: Index) -> Index {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("agent-") {
        index.of_subagent()
    } else {
        index
    }
}

/// Where a branch left, for the card.
fn words(branch: &Branch) -> String {
    let turns = match branch.turns {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    };
    let place = match &branch.left_at {
        Some(_) => format!("left after turn {}", branch.shared_turns),
        None if branch.is_cut_off => "cut off by damage".to_owned(),
        None => "started over".to_owned(),
    };
    format!("another branch ({place}, {turns}): resuming does not take it")
}

/// Newer transcripts state their cost. For others the project may remember it, if this was its
/// last session.
fn add_cost(digest: &mut Digest, path: &Path, configs: &[PathBuf]) {
    if digest.state.cost.is_some() {
        return;
    }
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(cwd) = digest.cwd.as_deref() else {
        return;
    };
    digest.state.cost = cost_in_configs(configs, cwd, &id);
}
