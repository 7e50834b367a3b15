//! The same text at both ends of an agent: what Claude tells it is in the call and in its transcript, and
//! its last answer is the result of the call. Each counts once, where the call is.

use std::collections::HashMap;

use super::library::FileKey;
use super::row_matcher::FoundPassage;
use crate::transcript::Voice;

/// Drops the ends that are in the transcripts of agents. `read` returns the folded text of a passage.
/// One that cannot be read stays.
pub fn drop_repeats(
    found: &mut Vec<FoundPassage>,
    read: impl Fn(&FoundPassage) -> Option<Vec<u8>>,
) {
    let is_of_call = |it: &&FoundPassage| matches!(it.tool.as_deref(), Some("Task" | "Agent"));
    let texts_of = |voice| {
        let calls = found.iter().filter(is_of_call);
        let ends = calls.filter(move |it| it.entry.voice == voice);
        let texts = ends.filter_map(|it| Some((it.file, signs(&read(it)?))));
        texts.collect::<Vec<_>>()
    };
    let prompts = texts_of(Voice::ToAgent);
    let results = texts_of(Voice::ToolOutput);
    let last = if results.is_empty() {
        HashMap::new()
    } else {
        last_answers(found)
    };
    let is_repeated = |at: usize, passage: &FoundPassage| {
        let ends: &[(FileKey, Vec<u8>)] = match passage.entry.voice {
            Voice::ToAgent if passage.tool.is_none() => &prompts,
            Voice::Claude if last.get(&passage.file) == Some(&at) => &results,
            _ => return false,
        };
        let is_prompt = passage.entry.voice == Voice::ToAgent;
        let same = |(file, end): &(FileKey, Vec<u8>), text: &[u8]| {
            if is_prompt {
                end == text
            } else {
                // After the answer the program writes how to go on with the agent.
                *file != passage.file && end.starts_with(text)
            }
        };
        !ends.is_empty()
            && read(passage).is_some_and(|text| {
                let text = signs(&text);
                ends.iter().any(|end| same(end, &text))
            })
    };
    let repeated: Vec<bool> = found
        .iter()
        .enumerate()
        .map(|(at, passage)| is_repeated(at, passage))
        .collect();
    let mut repeated = repeated.into_iter();
    found.retain(|_| !repeated.next().unwrap_or_default());
}

/// By file, the last thing that Claude said: no other can be the answer of an agent.
fn last_answers(found: &[FoundPassage]) -> HashMap<FileKey, usize> {
    let mut last: HashMap<FileKey, usize> = HashMap::new();
    for (at, passage) in found.iter().enumerate() {
        if passage.entry.voice != Voice::Claude {
            continue;
        }
        let known = last.entry(passage.file).or_insert(at);
        let place = |at: usize| (found[at].entry.lines.start, found[at].entry.part);
        if place(at) > place(*known) {
            *known = at;
        }
    }
    last
}

/// A text without what is stored of one end only: marks of Markdown, and spaces beside them.
fn signs(text: &[u8]) -> Vec<u8> {
    let signs = text.iter().copied();
    signs.filter(|sign| !b"`* ".contains(sign)).collect()
}
