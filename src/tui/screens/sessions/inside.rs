//! What is found inside conversations: hits below those of titles and prompts, each with its best
//! passage.

use std::collections::{HashMap, HashSet};

use super::{Flow, Sessions};
use crate::content::{ContentAnswer, ContentReply, RowExcerpt};
use crate::reader::MessageTarget;
use crate::search::{Generation, RowId, SearchHit, Tier};
use crate::tui::widgets::ListPart;
use crate::tui::{Host, Request};

/// What is known for the current query.
#[derive(Debug, Default)]
pub struct Inside {
    reply: Option<ContentReply>,
    excerpts: HashMap<RowId, RowExcerpt>,
    /// The rows whose passages were requested.
    asked: HashSet<RowId>,
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
}

impl Sessions {
    /// What was found in conversations for the query on screen.
    pub fn inside_reply(&self) -> Option<&ContentReply> {
        self.inside.reply(self.query.generation)
    }

    /// Is an answer about the text of conversations still to come?
    pub fn awaits_inside(&self) -> bool {
        let is_complete = |reply: &ContentReply| reply.is_complete;
        self.query.query.about_rows().is_some() && !self.inside_reply().is_some_and(is_complete)
    }

    pub fn awaits_answer(&self, answer: &ContentAnswer) -> bool {
        let generation = match answer {
            ContentAnswer::Found(reply) => reply.generation,
            ContentAnswer::Excerpts(generation, _) => *generation,
            ContentAnswer::Trouble(_) => return false,
        };
        generation == self.query.generation
    }

    pub fn inside(&mut self, answer: ContentAnswer, host: &mut Host<'_>) -> Flow {
        match answer {
            ContentAnswer::Found(reply) => {
                let is_first = self.inside.reply(reply.generation).is_none();
                if is_first {
                    self.inside = Inside::default();
                }
                // A conversation that was read since may have a better passage.
                self.inside.asked.clear();
                let has_hits = !reply.hits.is_empty();
                self.inside.reply = Some(reply);
                if is_first && has_hits {
                    host.answered();
                }
                self.merge();
                self.regroup(host.env());
                self.settle_cursor(host);
                self.rows_arrived(Tier::Fuzzy, host)
            }
            ContentAnswer::Excerpts(_, excerpts) => {
                let known = &mut self.inside.excerpts;
                known.extend(excerpts.into_iter().map(|excerpt| (excerpt.row, excerpt)));
                Flow::Stay
            }
            ContentAnswer::Trouble(_) => Flow::Stay,
        }
    }

    /// Puts what was found together: titles and prompts, then conversations, then loose matches.
    pub fn merge(&mut self) {
        let hits = match self.inside_reply() {
            Some(reply) if !reply.hits.is_empty() => &reply.hits,
            _ => {
                self.found.clone_from(&self.titles);
                return;
            }
        };
        let rows: HashSet<RowId> = hits.iter().map(|hit| hit.row).collect();
        let contained = self
            .titles
            .partition_point(|hit| hit.tier == Tier::Substring);
        let (contained, loose) = self.titles.split_at(contained);
        let inside = hits.iter().map(|hit| SearchHit {
            row: hit.row,
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

    /// The message with the best passage of a row. The last one counts until that is known.
    pub fn message_of(&self, row: RowId) -> Option<MessageTarget> {
        let is_coming = match self.inside_reply() {
            Some(_) => self.inside.asked.contains(&row),
            None => self.awaits_inside(),
        };
        let excerpt = self.inside_reply().and(self.inside.excerpt(row));
        let Some(RowExcerpt { excerpt, .. }) = excerpt else {
            let last = self.reader.message.as_ref();
            return last
                .filter(|_| is_coming && self.reader.row == Some(row))
                .cloned();
        };
        Some(MessageTarget {
            path: excerpt.path.clone(),
            uuid: excerpt.uuid,
            voice: excerpt.voice,
            at: excerpt.at,
        })
    }

    /// Requests the passages of the rows in sight.
    pub fn want_excerpts(&mut self, host: &mut Host<'_>) {
        if self.inside_reply().is_none() {
            return;
        }
        let items = self.list.items();
        let visible = self.list.visible(self.pane(host.context)).into_iter();
        let missing: Vec<RowId> = visible
            .filter_map(|placed| match placed.item {
                ListPart::Row(at) => items.get(at),
                ListPart::Heading(_) => None,
            })
            .filter(|hit| hit.tier == Tier::Inside && !self.inside.asked.contains(&hit.row))
            .map(|hit| hit.row)
            .collect();
        if !missing.is_empty() {
            self.inside.asked.extend(&missing);
            host.ask(Request::Excerpts(self.query.generation, missing));
        }
    }
}
