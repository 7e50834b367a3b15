//! Opens a conversation at the passage that a search of all conversations found: on its branch, with
//! what was compacted away before it if it is there, and with the folds open that hide it.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::files::{CancellableFile, OpenFiles, cancelled};
use super::find::TurnSearch;
use super::findings::{FindTarget, MatchPos};
use super::open::{CacheKey, OpenConversation, open_at};
use super::target::{Landing, PassageTarget};
use super::{Job, PreviewReader, REST, Send};
use crate::preview::{Around, Fold, Level, Options, PageLine, TurnPos, TurnWindow, Visibility};
use crate::transcript::{EntryId, Voice, entry_of_call};

/// At most this many folds are opened, one in the other.
const MOST_FOLDS: usize = 8;

impl PreviewReader {
    /// The conversation with the passage that a request wants to be shown first.
    pub(super) fn open_target(
        &mut self,
        job: &mut Job<'_>,
        key: CacheKey,
        target: &PassageTarget,
        send: Send<'_>,
    ) -> io::Result<(CacheKey, OpenConversation, Option<Instant>)> {
        let is_own = target.path == key.path;
        if let Some(entry) = target.entry().filter(|_| is_own) {
            return self.open_entry(job, key, entry);
        }
        let resumed = key.clone();
        let (key, mut opened, again) = self.open(job, key, send)?;
        if is_own {
            return Ok((key, opened, again));
        }
        opened.files.list_agents(&mut opened.book.agents);
        let call = opened.files.call_of(&target.path);
        let call = call.filter(|call| opened.files.turn_of_agent(call).is_none());
        let Some(call) = call.map(str::to_owned) else {
            return Ok((key, opened, again));
        };
        // The call that started the agent is not in what resuming loads.
        let file = CancellableFile::new(&key.path, job.go_on.reading)?;
        let Some(entry) = entry_of_call(file, &call)? else {
            return Ok((key, opened, again));
        };
        self.cache.push((key, opened));
        let (key, mut opened, again) = self.open_entry(job, resumed, entry)?;
        opened.files.list_agents(&mut opened.book.agents);
        Ok((key, opened, again))
    }

    fn open_entry(
        &mut self,
        job: &Job<'_>,
        key: CacheKey,
        entry: EntryId,
    ) -> io::Result<(CacheKey, OpenConversation, Option<Instant>)> {
        let rest = self.rest_of(&key.path);
        if let Some((known, opened)) = self.take_with(&key, entry, rest.is_some()) {
            let again = rest.filter(|_| known.stamp != key.stamp);
            return Ok((known, opened, again));
        }
        let began = Instant::now();
        let go_on = job.go_on.reading;
        let (key, mut opened) = open_at(key, Some(entry), &self.configs, self.budget.texts, go_on)?;
        self.rest = Some((key.path.clone(), Instant::now() + began.elapsed() * REST));
        if let Some((_, shown)) = self.take_newest(&key) {
            opened.follow(shown);
        }
        Ok((key, opened, None))
    }

    /// A conversation that is in memory and has an entry, with as little of what resuming does not
    /// load as there is. An older one counts if the file may not be read again yet.
    fn take_with(
        &mut self,
        key: &CacheKey,
        entry: EntryId,
        takes_older: bool,
    ) -> Option<(CacheKey, OpenConversation)> {
        let is_it = |(known, opened): &&(CacheKey, OpenConversation)| {
            known.path == key.path
                && (known.stamp == key.stamp || takes_older)
                && !opened.files.turns_of(entry).is_empty()
        };
        let known = self.cache.iter();
        let least = known
            .filter(is_it)
            .map(|(known, _)| known)
            .min_by_key(|known| {
                (
                    known.stamp != key.stamp,
                    known.leaf.is_some(),
                    known.earlier,
                )
            });
        let least = least.cloned()?;
        let at = self.cache.iter().position(|(known, _)| *known == least)?;
        Some(self.cache.remove(at))
    }
}

impl Job<'_> {
    /// Finds the line of a passage, opens what hides it, and lays the page around it.
    pub(super) fn land(
        &mut self,
        opened: &mut OpenConversation,
        key: &CacheKey,
        target: &PassageTarget,
    ) -> io::Result<()> {
        let mut options = self.spec.options.clone();
        options.earlier = key.earlier;
        let own = (options.level, options.thinking);
        if target.voice == Voice::Thinking {
            options.thinking = Visibility::Shown;
        }
        if !matches!(target.voice, Voice::User | Voice::Peer) {
            options.level = options.level.max(Level::Summary);
        }
        let before = Some(own).filter(|own| *own != (options.level, options.thinking));
        self.spec.leaf.clone_from(&key.leaf);
        let mut line = None;
        for number in turns_of(opened, target) {
            line = self.line_of(opened, number, target, &mut options)?;
            if line.is_some() {
                break;
            }
        }
        let is_near = line.is_none();
        if is_near && let Some(at) = target.at {
            // An entry without a turn of its own, or one that is in no conversation: what was said
            // at that time is as near as it gets.
            let number = self.lay_out_turn(opened, Around::Moment(at), &options)?;
            line = self.line_of(opened, number, target, &mut options)?;
            line = line.or(Some(beginning(number)));
        }
        let Some(line) = line else {
            return Ok(());
        };
        self.spec.options = options.clone();
        self.target = FindTarget::of(&self.spec);
        self.window.around = Around::Turn(line.place.turn);
        self.landing = Some(Arc::new(Landing {
            line,
            leaf: key.leaf.clone(),
            options,
            before,
            is_near,
        }));
        Ok(())
    }

    /// The line of a passage in a turn. Opens the folds that hide it, one after the other.
    fn line_of(
        &self,
        opened: &mut OpenConversation,
        number: i64,
        target: &PassageTarget,
        options: &mut Options,
    ) -> io::Result<Option<MatchPos>> {
        let matcher = self.spec.find.matcher().unwrap_or_default();
        let find = FindTarget::with(&self.spec, matcher);
        let mut tried = None;
        for _ in 0..MOST_FOLDS {
            self.lay_out_turn(opened, Around::Turn(number), options)?;
            let Some(turn) = opened.book.turns(number..number + 1).pop() else {
                return Ok(None);
            };
            let cwd = opened.gist.cwd().map(str::to_owned);
            let mut manner = self.manner(cwd.as_deref());
            manner.options = options;
            let search = TurnSearch {
                target: &find,
                manner,
                go_on: self.go_on.laying_out,
            };
            let (pieces, counts) = search.lines_of(opened, number, &turn)?;
            let lines: Vec<&PageLine> = pieces.iter().flat_map(|lines| lines.iter()).collect();
            let is_match = |at| counts.contains_key(&at);
            let context = (&opened.files, &opened.book.agents);
            let Some(at) = target.line((number, &turn), &lines, context, &is_match) else {
                return Ok(None);
            };
            let place = lines[at].place;
            let offset = at - lines.partition_point(|line| line.place < place);
            let here = MatchPos { place, offset };
            let is_text = |fold: &Fold| !matches!(fold, Fold::Earlier | Fold::Before(_));
            let fold = lines[at].fold.filter(is_text);
            let Some(fold) = fold.filter(|fold| !options.is_open(*fold)) else {
                if is_match(at) || find.matcher.query().is_empty() {
                    return Ok(Some(here));
                }
                if let Some((raw, before)) = tried {
                    options.toggle(raw);
                    return Ok(Some(before));
                }
                // The usual layout does not show the match. The transcript may have more.
                let Some(raw) = target.raw((number, &turn), context) else {
                    return Ok(Some(here));
                };
                tried = Some((raw, here));
                options.toggle(raw);
                continue;
            };
            options.toggle(fold);
        }
        Ok(Some(beginning(number)))
    }

    /// Lays out a turn, and returns its number.
    fn lay_out_turn(
        &self,
        opened: &mut OpenConversation,
        around: Around,
        options: &Options,
    ) -> io::Result<i64> {
        let window = TurnWindow {
            around,
            turns: 1,
            budget: self.window.budget,
        };
        let cwd = opened.gist.cwd().map(str::to_owned);
        let mut manner = self.manner(cwd.as_deref());
        manner.options = options;
        let book = &mut opened.book;
        let mut files = OpenFiles {
            first: book.numbers().start,
            files: &mut opened.files,
            options,
            go_on: self.go_on.laying_out,
            error: None,
        };
        let laid = book.lay_out(window, manner, &mut files, self.go_on.laying_out);
        let Some(laid) = laid else {
            return Err(files.error.unwrap_or_else(cancelled));
        };
        Ok(match around {
            Around::Turn(number) => number,
            _ => laid.shown.start,
        })
    }
}

/// The turns that may show a passage.
fn turns_of(opened: &OpenConversation, target: &PassageTarget) -> Vec<i64> {
    let first = opened.book.numbers().start;
    let turns = match opened.files.call_of(&target.path) {
        Some(call) => opened.files.turn_of_agent(call).into_iter().collect(),
        None => target
            .entry()
            .map_or_else(Vec::new, |entry| opened.files.turns_of(entry)),
    };
    turns.into_iter().map(|turn| first + turn).collect()
}

fn beginning(number: i64) -> MatchPos {
    MatchPos {
        place: TurnPos::opening(number),
        offset: 0,
    }
}
