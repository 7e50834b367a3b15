use std::fs;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Standing, Standings, standings};

fn uuid(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn entry(n: u128, parent: Option<u128>, kind: &str) -> Value {
    json!({"parentUuid": parent.map(|n| uuid(n).to_string()), "isSidechain": false, "type": kind, "uuid": uuid(n).to_string(),
           "timestamp": format!("2026-03-01T10:00:{n:02}Z"), "sessionId": "s",
           "message": {"id": format!("m{n}"), "role": kind, "content": format!("text {n}")}})
}

fn written(entries: &[Value]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let lines: Vec<String> = entries.iter().map(Value::to_string).collect();
    fs::write(&path, lines.join("\n") + "\n").expect("written");
    (folder, path)
}

/// 1-2 rewound at 3, compacted at 5; 6-7 goes on, and 8 is a line of an agent.
fn conversation() -> Vec<Value> {
    let mut boundary = entry(5, None, "system");
    boundary["subtype"] = json!("compact_boundary");
    boundary["logicalParentUuid"] = json!(uuid(4).to_string());
    let mut agent = entry(8, None, "user");
    agent["isSidechain"] = json!(true);
    vec![
        entry(1, None, "user"),
        entry(2, Some(1), "assistant"),
        entry(3, Some(1), "user"),
        entry(4, Some(3), "assistant"),
        boundary,
        agent,
        entry(6, Some(5), "user"),
        entry(7, Some(6), "assistant"),
    ]
}

#[test]
fn every_message_is_somewhere() {
    let (_folder, path) = written(&conversation());
    let asked: Vec<Uuid> = [1, 2, 3, 4, 6, 7, 8, 99].map(uuid).into();
    assert_eq!(
        standings(&path, &asked).expect("read"),
        [
            Some(Standing::BeforeCompaction),
            Some(Standing::Rewound),
            Some(Standing::BeforeCompaction),
            Some(Standing::BeforeCompaction),
            Some(Standing::Resumed),
            Some(Standing::Resumed),
            Some(Standing::Agent),
            None,
        ]
    );
}

#[test]
fn what_is_around_is_on_the_same_branch() {
    let (_folder, path) = written(&conversation());
    let standings = Standings::load(&path).expect("read");
    let around = |n, context| -> Vec<u128> {
        let links = standings.around(uuid(n), context).into_iter();
        links.map(|link| link.id.uuid().as_u128()).collect()
    };
    assert_eq!(around(2, 3), [1, 2]);
    assert_eq!(around(1, 1), [1, 3]);
    // A compaction ends neither side.
    assert_eq!(around(4, 1), [3, 4, 6]);
    assert_eq!(around(7, 1), [6, 7]);
    assert_eq!(around(8, 5), [8]);
    assert_eq!(around(99, 5), [0; 0]);
}

#[test]
fn lines_of_one_message_count_once_and_a_circle_ends() {
    let mut answer = [
        entry(2, Some(1), "assistant"),
        entry(3, Some(2), "assistant"),
    ];
    for line in &mut answer {
        line["message"]["id"] = json!("m");
    }
    let [first, second] = answer;
    let mut entries = vec![entry(1, None, "user"), first, second];
    entries.extend([entry(4, Some(3), "user"), entry(5, Some(4), "assistant")]);
    entries.extend([entry(6, Some(7), "user"), entry(7, Some(6), "assistant")]);
    entries.push(entry(8, Some(5), "user"));
    let (_folder, path) = written(&entries);
    let standings = Standings::load(&path).expect("read");
    let around = |n, context| -> Vec<u128> {
        let links = standings.around(uuid(n), context).into_iter();
        links.map(|link| link.id.uuid().as_u128()).collect()
    };
    assert_eq!(around(4, 1), [2, 3, 4, 5]);
    assert_eq!(around(2, 0), [2, 3]);
    assert_eq!(around(3, 1), [1, 2, 3, 4]);
    assert_eq!(around(6, 9), [7, 6]);
    let of_digit = |digits| standings.beginning_with(digits).len();
    let whole = uuid(4).simple().to_string();
    assert_eq!([of_digit("0"), of_digit(&whole), of_digit("f")], [8, 1, 0]);
}

#[test]
fn the_file_of_an_agent_is_all_its() {
    let (folder, path) = written(&conversation());
    let agent = folder.path().join("agent-1.jsonl");
    fs::rename(path, &agent).expect("renamed");
    let found = standings(&agent, &[uuid(1), uuid(7)]).expect("read");
    assert_eq!(found, [Some(Standing::Agent); 2]);
}
