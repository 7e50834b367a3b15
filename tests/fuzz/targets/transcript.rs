//! Any bytes through the loader, the chain and the messages: never a panic, no entry twice in a
//! conversation, and a file that is cut anywhere still loads.

#![no_main]

use std::collections::HashSet;
use std::io::Cursor;

use claude_resume::transcript::{Chain, Index, LeafRule, load_from, read_messages};
use libfuzzer_sys::fuzz_target;

/// Large enough for a compaction to drop what lies before it.
const LARGE: u64 = 6 * 1024 * 1024;

fn load(bytes: &[u8], size: u64) -> Index {
    let Ok(index) = load_from(bytes, size) else {
        panic!("slices never fail");
    };
    let mut rules = vec![LeafRule::Resume, LeafRule::Newest];
    rules.extend(index.links().first().map(|link| LeafRule::Entry(link.id)));
    rules.extend(index.links().last().map(|link| LeafRule::Entry(link.id)));
    for rule in rules {
        let chain = Chain::build(&index, rule);
        let entries: HashSet<usize> = chain.entries.iter().copied().collect();
        assert_eq!(entries.len(), chain.entries.len(), "an entry twice");
        assert!(chain.entries.iter().all(|at| *at < index.links().len()));
        let Ok(messages) = read_messages(Cursor::new(bytes), chain.messages(&index)) else {
            panic!("slices never fail");
        };
        assert!(messages.len() <= chain.entries.len());
    }
    index
}

fuzz_target!(|bytes: &[u8]| {
    let index = load(bytes, bytes.len() as u64);
    let ids: HashSet<_> = index.links().iter().map(|link| link.id).collect();
    assert_eq!(ids.len(), index.links().len(), "an id twice");
    for link in index.links() {
        let end = link.offset + link.length as u64;
        assert!(end <= bytes.len() as u64, "a line beyond the end");
    }
    load(bytes, LARGE);
    let cut = bytes.first().map_or(0, |first| usize::from(*first) * bytes.len() / 256);
    load(&bytes[..cut], cut as u64);
});
