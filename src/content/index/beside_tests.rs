use std::fs;

use super::super::tests::{self, World, finish, found};
use super::*;

/// An agent of the old layout.
fn agent(world: &World, name: &str, session: &str, text: &str) {
    let path = world.project().join(format!("{name}.jsonl"));
    let line = serde_json::json!({
        "isSidechain": true, "sessionId": session, "agentId": "1", "type": "user",
        "uuid": "00000000-0000-4000-8000-000000000001",
        "message": {"role": "user", "content": text},
    });
    fs::write(path, format!("{line}\n")).expect("written");
}

const SESSION: RowId = RowId(0);
const AGENT: RowId = RowId(1);

fn put(index: &mut Index, world: &World, row: RowId) -> usize {
    let id = ["a", "agent-1"][row.0 as usize];
    let jobs = tests::put(index, row, &world.row(id));
    finish(index, jobs)
}

fn world() -> World {
    let world = World::new();
    world.say("a", "clocks");
    agent(&world, "agent-1", "a", "pubsub");
    world
}

#[test]
fn what_an_agent_beside_its_session_did_is_found_there_whatever_comes_first() {
    for order in [[SESSION, AGENT], [AGENT, SESSION]] {
        let world = world();
        let mut index = world.index();
        let read: usize = order.iter().map(|row| put(&mut index, &world, *row)).sum();
        assert_eq!(read, 2);
        assert_eq!(found(&mut index, "pubsub clocks", 2), [0]);
        assert_eq!(found(&mut index, "has:agent", 2), [0]);
        assert_eq!(found(&mut index, "pubsub", 2), [0]);
        let wanted = crate::content::Wanted::new(&crate::search::Query::phrase("pubsub"));
        let passages = index.passages(&wanted.expect("something"), SESSION);
        assert!(passages[0].0.ends_with("agent-1.jsonl"), "{passages:?}");
        let progress = index.progress();
        assert_eq!((progress.searched, progress.total), (1, 1));
        index.save().expect("saved");
        // Next time nothing is read, in any order.
        for order in [[SESSION, AGENT], [AGENT, SESSION]] {
            let mut index = world.index();
            let read: usize = order.iter().map(|row| put(&mut index, &world, *row)).sum();
            index.forget_others(&[world.root()]);
            assert_eq!((read, found(&mut index, "pubsub", 2)), (0, vec![0]));
        }
    }
}

#[test]
fn rows_that_come_while_their_files_are_read_belong_together() {
    let world = world();
    let mut index = world.index();
    let mut jobs = tests::put(&mut index, AGENT, &world.row("agent-1"));
    jobs.extend(tests::put(&mut index, SESSION, &world.row("a")));
    assert_eq!(index.progress().searched, 0);
    finish(&mut index, jobs);
    let progress = index.progress();
    assert_eq!((progress.searched, progress.total), (1, 1));
    assert_eq!(found(&mut index, "pubsub", 2), [0]);
}

#[test]
fn an_agent_whose_session_is_not_there_is_a_conversation_itself() {
    let world = world();
    let mut index = world.index();
    assert_eq!(put(&mut index, &world, AGENT), 1);
    assert_eq!(found(&mut index, "pubsub", 2), [1]);
    put(&mut index, &world, SESSION);
    assert_eq!(found(&mut index, "pubsub", 2), [0]);
    // The session goes, the agent stays.
    index.remove(SESSION);
    let jobs = index.jobs(usize::MAX);
    finish(&mut index, jobs);
    assert_eq!(found(&mut index, "pubsub", 2), [1]);
    index.forget_others(&[world.root()]);
    assert_eq!(found(&mut index, "pubsub", 2), [1]);
    index.save().expect("saved");
    let mut index = world.index();
    assert_eq!(put(&mut index, &world, AGENT), 0);
    index.forget_others(&[world.root()]);
    assert_eq!(found(&mut index, "pubsub", 2), [1]);
}

#[test]
fn an_agent_that_grows_or_goes_changes_its_session() {
    let world = world();
    let mut index = world.index();
    put(&mut index, &world, SESSION);
    put(&mut index, &world, AGENT);
    agent(&world, "agent-1", "a", "a longer text about bassoons");
    assert_eq!(put(&mut index, &world, AGENT), 1);
    assert_eq!(found(&mut index, "bassoons", 2), [0]);
    assert!(found(&mut index, "pubsub", 2).is_empty());
    index.remove(AGENT);
    assert!(index.jobs(usize::MAX).is_empty());
    assert!(found(&mut index, "bassoons", 2).is_empty());
    assert_eq!(found(&mut index, "clocks", 2), [0]);
}

#[test]
fn an_agent_of_another_session_or_of_none_is_not_taken() {
    let world = world();
    for (name, session) in [("agent-2", "b"), ("agent-acompact-1", "a")] {
        agent(&world, name, session, "bassoons");
        let mut index = world.index();
        put(&mut index, &world, SESSION);
        let jobs = tests::put(&mut index, AGENT, &world.row(name));
        finish(&mut index, jobs);
        assert_eq!(found(&mut index, "bassoons", 2), [1], "{name}");
    }
}
