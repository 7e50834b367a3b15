//! The thread that reads conversations for the preview. Only the newest request counts.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::SystemTime;

use chrono::{DateTime, Local};
use tokio::sync::mpsc::UnboundedSender;

use crate::preview::{Facts, Line, Options, card, render};
use crate::search::{Field, Query, Tier, highlight};
use crate::transcript::{Chain, Conversation, Extent, LeafRule, Tree, load};
use crate::tui::message::{Message, Page, PreviewRequest, Previewed};

/// Turns from the end of a conversation that are laid out: days of scrolling.
const MOST_TURNS: usize = 1000;

/// What was read last: typing and resizing ask for the same file again and again.
struct Known {
    path: PathBuf,
    stamp: (u64, Option<SystemTime>),
    conversation: Conversation,
    /// What only the file tells.
    health: Facts,
    columns: usize,
    options: Options,
    page: Page,
}

pub fn run(requests: &Receiver<PreviewRequest>, screen: &UnboundedSender<Message>) {
    let mut known: Option<Known> = None;
    while let Ok(request) = requests.recv() {
        let request = requests.try_iter().last().unwrap_or(request);
        let result = page(&request, &mut known).map_err(|error| format!("cannot be read: {error}"));
        let previewed = Previewed {
            generation: request.generation,
            result,
        };
        if screen.send(Message::Previewed(previewed)).is_err() {
            return;
        }
    }
}

fn page(request: &PreviewRequest, known: &mut Option<Known>) -> io::Result<Page> {
    let found = fs::metadata(&request.path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let stamp = (found.len(), found.modified().ok());
    let fresh = known
        .take()
        .filter(|known| known.path == request.path && known.stamp == stamp);
    let mut current = match fresh {
        Some(known) => known,
        None => read(&request.path, stamp)?,
    };
    if current.columns != request.columns || current.options != request.options {
        current.columns = request.columns;
        current.options.clone_from(&request.options);
        lay_out(&mut current, request);
    }
    let page = Page {
        matches: matches(&current.page.lines, &request.query),
        ..current.page.clone()
    };
    *known = Some(current);
    Ok(page)
}

fn read(path: &Path, stamp: (u64, Option<SystemTime>)) -> io::Result<Known> {
    let mut index = load(path, Extent::Resumed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("agent-") {
        index = index.of_subagent();
    }
    let chain = Chain::build(&index, LeafRule::Resume);
    let conversation = Conversation::read(File::open(path)?, &index, &chain)?;
    let tree = Tree::new(&index, &chain);
    let boundaries = index.links().iter().filter(|link| link.boundary.is_some());
    let health = Facts {
        branches: tree.branches(File::open(path)?)?.len(),
        compactions: boundaries.count(),
        gaps: chain.gaps,
        reach: tree.reach(&chain),
        health: index.health.clone(),
        ..Facts::default()
    };
    Ok(Known {
        path: path.to_owned(),
        stamp,
        conversation,
        health,
        columns: 0,
        options: Options::default(),
        page: Page::default(),
    })
}

fn lay_out(known: &mut Known, request: &PreviewRequest) {
    let clock = |at: i64| {
        let time = DateTime::from_timestamp_millis(at)?;
        Some(time.with_timezone(&Local).naive_local())
    };
    let turns = &known.conversation.turns;
    let shown = &turns[turns.len().saturating_sub(MOST_TURNS)..];
    let options = &request.options;
    known.page.lines = Arc::new(render(shown, options, request.columns, &clock));
    let facts = Facts {
        branches: known.health.branches,
        compactions: known.health.compactions,
        gaps: known.health.gaps,
        reach: known.health.reach,
        health: known.health.health.clone(),
        ..request.facts.clone()
    };
    // The card has the columns of the margin too.
    let room = request.columns + 8;
    known.page.card = Arc::new(card(&known.conversation, &facts, room));
}

fn matches(lines: &[Line], query: &Query) -> Vec<usize> {
    if query.is_empty() {
        return Vec::new();
    }
    let is_match = |line: &Line| {
        !highlight(&line.text(), Field::LastPrompt, query, Tier::Substring).is_empty()
    };
    let numbered = lines.iter().enumerate();
    numbered
        .filter(|(_, line)| is_match(line))
        .map(|(at, _)| at)
        .collect()
}
