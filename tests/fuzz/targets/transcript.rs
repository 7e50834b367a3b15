//! Any bytes through the loader, the chain, the tree and the conversation: never a panic, no
//! entry twice, and a file that is cut anywhere still loads.

#![no_main]

use std::collections::HashSet;
use std::io::Cursor;

use claude_resume::transcript::{Chain, Digest, Index, LeafRule, LoadExtent, Tree, load_from};
use libfuzzer_sys::fuzz_target;

/// Large enough for a compaction to drop what lies before it.
const LARGE: u64 = 6 * 1024 * 1024;

fn load(bytes: &[u8], size: u64, extent: LoadExtent) -> Index {
    let Ok(index) = load_from(bytes, size, extent) else {
        panic!("slices never fail");
    };
    index
}

/// Builds what a rule makes of the links, and gives the chain.
fn build(bytes: &[u8], index: &Index, rule: LeafRule) -> Chain {
    let chain = Chain::build(index, rule);
    let entries: HashSet<usize> = chain.entries.iter().copied().collect();
    assert_eq!(entries.len(), chain.entries.len(), "an entry twice");
    assert!(chain.entries.iter().all(|at| *at < index.links().len()));
    assert!(Digest::whole(Cursor::new(bytes), index, &chain).is_ok());
    let tree = Tree::new(index, &chain);
    assert!(tree.reach(&chain).percent() <= 100);
    assert!(tree.branches(Cursor::new(bytes)).is_ok());
    chain
}

fuzz_target!(|bytes: &[u8]| {
    let index = load(bytes, bytes.len() as u64, LoadExtent::Resumed);
    let ids: HashSet<_> = index.links().iter().map(|link| link.id).collect();
    assert_eq!(ids.len(), index.links().len(), "an id twice");
    for link in index.links() {
        let end = link.offset + link.length as u64;
        assert!(end <= bytes.len() as u64, "a line beyond the end");
    }
    build(bytes, &index, LeafRule::Resume);
    build(bytes, &index, LeafRule::Newest);
    if let Some(link) = index.links().first() {
        build(bytes, &index, LeafRule::Entry(link.id));
    }
    if let Some(link) = index.links().last() {
        build(bytes, &index, LeafRule::Entry(link.id));
        Chain::before_compaction(&index, link.id);
    }
    // As a large file, where compactions drop what lies before them, and cut off somewhere.
    build(bytes, &load(bytes, LARGE, LoadExtent::Resumed), LeafRule::Resume);
    let cut = bytes.first().map_or(0, |first| usize::from(*first) * bytes.len() / 256);
    let cut = &bytes[..cut];
    build(cut, &load(cut, LARGE, LoadExtent::Everything), LeafRule::Resume);
});
