//! What is found inside conversations: hits below those of titles and prompts, each with its best
//! passage.

use std::collections::{HashMap, HashSet};

use super::{Flow, Sessions};
use crate::content::{ContentAnswer, ContentReply, RowExcerpt, Suggestion};
use crate::reader::{PassageTarget, Target};
use crate::search::{Distance, Generation, Query, RowId, Search, SearchHit, Tier};
use crate::tui::widgets::{Correction, Input, ListPart, number, plural};
use crate::tui::{Action, Env, HistoryRequest, Host, Request, Switch};

/// What is known for the current query, or for the one before it.
#[derive(Debug, Default)]
pub struct Inside {
    reply: Option<ContentReply>,
    /// What the reply is for.
    subject: Subject,
    excerpts: HashMap<RowId, RowExcerpt>,
    /// Those for the query before, which are shown until the new ones are here.
    before: HashMap<RowId, RowExcerpt>,
    /// The rows whose passages were requested.
    asked: HashSet<RowId>,
    suggestion: Option<Suggestion>,
    /// How many prompts of the history have the words, if that was read.
    prompts: Option<usize>,
    /// So many files were said to be unreadable.
    told: usize,
}

/// What is looked for, and among which rows.
#[derive(Debug, Default, PartialEq)]
struct Subject {
    query: Query,
    is_here: bool,
    hidden_kinds: Switch,
}

impl Subject {
    /// May what was found for one of them be found for the other? So it is while a word is typed or
    /// taken back.
    fn is_near(&self, other: &Self) -> bool {
        let (mine, theirs) = (&self.query, &other.query);
        let is_same_place =
            (self.is_here, self.hidden_kinds) == (other.is_here, other.hidden_kinds);
        is_same_place && (mine.narrows(theirs) || theirs.narrows(mine))
    }
}

impl Inside {
    /// The reply to a search, if it is here.
    pub fn reply(&self, generation: Generation) -> Option<&ContentReply> {
        let reply = self.reply.as_ref();
        reply.filter(|reply| reply.generation == generation)
    }

    pub fn excerpt(&self, row: RowId) -> Option<&RowExcerpt> {
        self.excerpts.get(&row)
    }

    pub fn excerpt_to_show(&self, row: RowId) -> Option<&RowExcerpt> {
        self.excerpt(row).or_else(|| self.before.get(&row))
    }
}

impl Sessions {
    /// What was found in conversations for the query on screen.
    pub fn inside_reply(&self) -> Option<&ContentReply> {
        self.inside.reply(self.query.generation)
    }

    fn subject(&self) -> Subject {
        Subject {
            query: self.query.query.clone(),
            is_here: self.is_here(),
            hidden_kinds: self.hidden_kinds,
        }
    }

    /// Is the row under the cursor left from the query before?
    pub fn is_unconfirmed(&self) -> bool {
        let is_inside = |hit: &SearchHit| hit.tier == Tier::Inside;
        self.list.current().is_some_and(is_inside) && self.inside_reply().is_none()
    }

    /// Is nothing found that has all words?
    fn is_in_vain(&self) -> bool {
        let first = self.found.first();
        first.is_none_or(|hit| hit.tier == Tier::Fuzzy)
    }

    /// The other word that would find something, if nothing is found.
    pub fn suggestion(&self) -> Option<&Suggestion> {
        self.inside_reply()?;
        let suggestion = self.inside.suggestion.as_ref();
        suggestion.filter(|_| self.is_in_vain())
    }

    /// The same in words.
    pub fn suggested(&self) -> Option<String> {
        let suggestion = self.suggestion()?;
        let (words, count) = (suggestion.words(), plural(suggestion.count, "conversation"));
        Some(format!("did you mean `{words}`? {count}"))
    }

    /// Puts the suggested words into the query. Returns whether there are any.
    pub fn take_suggestion(&mut self) -> bool {
        let suggested = self.suggestion();
        let text = match &self.query.corrected {
            Some(correction) => correction.text.clone(),
            None => match suggested {
                Some(suggestion) => suggestion.in_text(self.query.input.text()),
                None => return false,
            },
        };
        self.query.input = Input::new(&text);
        true
    }

    /// Searches for what was probably meant, where nothing at all is found.
    fn correct(&mut self, host: &mut Host<'_>) {
        let Some(suggestion) = self.suggestion().filter(|_| self.found.is_empty()) else {
            return;
        };
        let correction = Correction {
            text: suggestion.in_text(self.query.input.text()),
            words: suggestion.words(),
            undo: host.context.key(Action::Back),
        };
        if self.query.correct(correction, &host.context.now) {
            self.list.follow_best();
            self.search_again(host);
        }
    }

    /// Matches beyond reach and matches of hidden kinds: those that have the words, in titles,
    /// prompts or conversations. Where there are none, those that have the letters.
    pub fn matches_beyond(&self) -> (usize, usize) {
        let counts = self.counts;
        let reply = self.inside_reply();
        let sum = |all: usize, loose: usize, inside: usize| match all - loose + inside {
            0 => loose,
            exact => exact,
        };
        let inside = reply.map_or((0, 0), |reply| (reply.elsewhere, reply.hidden));
        (
            sum(counts.elsewhere, counts.loose_elsewhere, inside.0),
            sum(counts.hidden, counts.loose_hidden, inside.1),
        )
    }

    /// Is an answer about the text of conversations still to come?
    pub fn awaits_inside(&self) -> bool {
        let is_complete = |reply: &ContentReply| reply.is_complete;
        self.query.query.about_rows().is_some() && !self.inside_reply().is_some_and(is_complete)
    }

    pub fn awaits_answer(&self, answer: &ContentAnswer) -> bool {
        let generation = match answer {
            ContentAnswer::Found(reply) => reply.generation,
            ContentAnswer::Excerpts(generation, _) | ContentAnswer::Suggested(generation, _) => {
                *generation
            }
            ContentAnswer::Trouble(_) => return false,
        };
        generation == self.query.generation
    }

    pub fn inside(&mut self, answer: ContentAnswer, host: &mut Host<'_>) -> Flow {
        match answer {
            ContentAnswer::Found(reply) => {
                let is_first = self.inside.reply(reply.generation).is_none();
                if is_first {
                    let subject = self.subject();
                    let mut before = std::mem::take(&mut self.inside);
                    if subject.is_near(&before.subject) {
                        before.before.extend(before.excerpts);
                    } else {
                        before.before.clear();
                    }
                    self.inside = Inside {
                        subject,
                        before: before.before,
                        told: before.told,
                        ..Inside::default()
                    };
                }
                // A conversation that was read since may have a better passage.
                self.inside.asked.clear();
                let has_hits = !reply.hits.is_empty();
                let was_complete = self
                    .inside
                    .reply
                    .as_ref()
                    .is_some_and(|old| old.is_complete);
                let is_complete = reply.is_complete;
                self.inside.reply = Some(reply);
                if is_first && has_hits {
                    host.answered();
                }
                self.merge();
                self.regroup(host.env());
                self.settle_cursor(host);
                self.tell_unreadable(host);
                if is_complete && !was_complete && self.is_in_vain() {
                    host.ask(Request::Suggest(self.query.generation));
                    self.count_prompts(host);
                }
                self.rows_arrived(Tier::Fuzzy, host)
            }
            ContentAnswer::Excerpts(_, excerpts) => {
                let known = &mut self.inside.excerpts;
                known.extend(excerpts.into_iter().map(|excerpt| (excerpt.row, excerpt)));
                Flow::Stay
            }
            ContentAnswer::Suggested(_, suggestion) => {
                self.inside.suggestion = Some(*suggestion);
                // Loose matches leave no other room for it.
                let key = host.context.key(Action::TakeSuggestion);
                if let (Some(text), false) =
                    (self.suggested(), self.found.is_empty() || key.is_empty())
                {
                    host.tell(format!("{key}  {text}"));
                }
                self.correct(host);
                Flow::Stay
            }
            ContentAnswer::Trouble(_) => Flow::Stay,
        }
    }

    /// Prompts are counted if the history is known already: reading it is not worth that.
    fn count_prompts(&self, host: &mut Host<'_>) {
        if self.found.is_empty() && !host.data.prompt_projects.is_empty() {
            let search = Search {
                reach: Distance::Elsewhere,
                ..self.as_search()
            };
            host.ask(Request::Prompts(HistoryRequest::Count(Box::new(search))));
        }
    }

    pub fn prompts_counted(&mut self, count: usize) {
        if self.inside_reply().is_some() {
            self.inside.prompts = Some(count);
        }
    }

    /// What the prompt history has to offer, if it may have something.
    pub fn in_history(&self) -> Option<String> {
        let text = "search the prompt history";
        let known = self.inside_reply().and(self.inside.prompts);
        match known {
            _ if !self.query.query.of_sessions().is_empty() => None,
            Some(0) => None,
            Some(count) => Some(format!("{text}: {}", plural(count, "prompt"))),
            None => Some(text.to_owned()),
        }
    }

    /// Says which conversation cannot be read and why, once for each that comes to it.
    fn tell_unreadable(&mut self, host: &mut Host<'_>) {
        let reply = self.inside_reply().filter(|reply| reply.is_complete);
        let Some(failed) = reply.map(|reply| reply.progress.failed.len()) else {
            return;
        };
        if failed > self.inside.told
            && let Some(text) = self.unreadable(host.env())
        {
            host.warn(text);
        }
        self.inside.told = failed;
    }

    /// The first conversation that cannot be read, why, and how many more there are.
    pub fn unreadable(&self, env: Env<'_>) -> Option<String> {
        let failed = &self.inside_reply()?.progress.failed;
        let (path, reason) = failed.first()?;
        let path = env.context.tilde(&path.to_string_lossy());
        let more = match failed.len() - 1 {
            0 => String::new(),
            more => format!(" (and {} more)", number(more)),
        };
        Some(format!("{path} cannot be searched: {reason}{more}"))
    }

    /// Puts what was found together: titles and prompts, then conversations, then loose matches.
    /// Until conversations were looked at, those stay that may be found again.
    pub fn merge(&mut self) {
        let reply = self.inside.reply.as_ref().filter(|reply| {
            reply.generation == self.query.generation
                || self.subject().is_near(&self.inside.subject)
        });
        let hits = match reply {
            Some(reply) if !reply.hits.is_empty() => &reply.hits,
            _ => {
                self.found.clone_from(&self.titles);
                return;
            }
        };
        let rows: HashSet<RowId> = hits.iter().copied().collect();
        let contained = self
            .titles
            .partition_point(|hit| hit.tier == Tier::Substring);
        let (contained, loose) = self.titles.split_at(contained);
        let above: HashSet<RowId> = contained.iter().map(|hit| hit.row).collect();
        let inside = hits.iter().copied().filter(|row| !above.contains(row));
        let mut inside: Vec<RowId> = inside.collect();
        if !self.list.is_untouched() {
            // Whoever has moved the cursor finds the rows where they were.
            let shown = self.found.iter().filter(|hit| hit.tier == Tier::Inside);
            let before = shown.enumerate().map(|(at, hit)| (hit.row, at));
            let before: HashMap<RowId, usize> = before.collect();
            inside.sort_by_key(|row| before.get(row).copied().unwrap_or(usize::MAX));
        }
        let inside = inside.into_iter().map(|row| SearchHit {
            row,
            tier: Tier::Inside,
        });
        let loose = loose.iter().filter(|hit| !rows.contains(&hit.row));
        self.found = contained
            .iter()
            .copied()
            .chain(inside)
            .chain(loose.copied())
            .collect();
    }

    /// What to show of a row first: a prompt of the history, or the best passage. The last one counts
    /// until that is known.
    pub fn target_of(&self, row: RowId) -> Option<Target> {
        if let Some(revealed) = self.revealed.as_ref().filter(|it| it.row == row) {
            return Some(Target::Prompt(revealed.prompt.clone()));
        }
        let is_coming = match self.inside_reply() {
            Some(_) => self.inside.asked.contains(&row),
            None => self.awaits_inside(),
        };
        let excerpt = self.inside_reply().and(self.inside.excerpt(row));
        let Some(RowExcerpt { excerpt, .. }) = excerpt else {
            let last = self.reader.target.as_ref();
            return last
                .filter(|_| is_coming && self.reader.row == Some(row))
                .cloned();
        };
        Some(Target::Passage(PassageTarget {
            path: excerpt.path.clone(),
            uuid: excerpt.uuid,
            voice: excerpt.voice,
            at: excerpt.at,
        }))
    }

    /// Requests the passages of the rows in sight.
    pub fn want_excerpts(&mut self, host: &mut Host<'_>) {
        if self.inside_reply().is_none() {
            return;
        }
        let items = self.list.items();
        let visible = self.list.visible(self.pane(host.context)).into_iter();
        let inside = visible
            .filter_map(|placed| match placed.item {
                ListPart::Row(at) => items.get(at),
                ListPart::Heading(_) => None,
            })
            .filter(|hit| hit.tier == Tier::Inside)
            .map(|hit| hit.row);
        // A row found by its title may have the words in its conversation, too.
        let cursor = self.list.cursor();
        let rows = inside.filter(|row| cursor != Some(*row)).chain(cursor);
        let missing = rows.filter(|row| !self.inside.asked.contains(row));
        let missing: Vec<RowId> = missing.collect();
        if !missing.is_empty() {
            self.inside.asked.extend(&missing);
            host.ask(Request::Excerpts(self.query.generation, missing));
        }
    }
}
