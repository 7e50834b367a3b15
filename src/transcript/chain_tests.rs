use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Chain, Leaf, LeafRule};
use crate::transcript::{EntryId, Index, LoadExtent, load_from};

/// A transcript written entry by entry. Entries are called by short names.
#[derive(Default)]
struct Written {
    lines: Vec<String>,
    seconds: u32,
}

fn uuid(name: &str) -> String {
    let mut hex = String::new();
    for byte in name.bytes() {
        hex.push_str(
            &[byte]
                .map(|b| char::from(b'a' + b % 6))
                .iter()
                .collect::<String>(),
        );
        hex.push_str(&(byte % 10).to_string());
    }
    let hex = format!("{hex:f<32}");
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..32]
    )
}

impl Written {
    fn entry(mut self, kind: &str, name: &str, parent: &str, more: Value) -> Self {
        self.seconds += 1;
        let mut entry = json!({
            "parentUuid": (!parent.is_empty()).then(|| uuid(parent)), "isSidechain": false, "type": kind,
            "uuid": uuid(name), "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", self.seconds / 60, self.seconds % 60),
        });
        if let (Some(entry), Value::Object(more)) = (entry.as_object_mut(), more) {
            entry.extend(more);
        }
        self.lines.push(entry.to_string());
        self
    }

    fn user(self, name: &str, parent: &str) -> Self {
        self.entry(
            "user",
            name,
            parent,
            json!({"message": {"role": "user", "content": name}}),
        )
    }

    fn assistant(self, name: &str, parent: &str) -> Self {
        let message =
            json!({"message": {"id": format!("msg_{name}"), "role": "assistant", "content": []}});
        self.entry("assistant", name, parent, message)
    }

    fn boundary(self, name: &str, logical: &str, metadata: &Value) -> Self {
        let more = json!({"subtype": "compact_boundary", "logicalParentUuid": uuid(logical), "compactMetadata": metadata});
        self.entry("system", name, "", more)
    }

    fn summary(self, name: &str, parent: &str) -> Self {
        let more =
            json!({"isCompactSummary": true, "message": {"role": "user", "content": "so far"}});
        self.entry("user", name, parent, more)
    }

    fn pointer(mut self, leaf: &str, explicit: bool) -> Self {
        let leaf = if leaf.contains('-') {
            leaf.to_owned()
        } else {
            uuid(leaf)
        };
        let entry = json!({"type": "last-prompt", "lastPrompt": "x", "leafUuid": leaf, "explicit": explicit});
        self.lines.push(entry.to_string());
        self
    }

    fn load(&self) -> Index {
        let text = self.lines.join("\n") + "\n";
        load_from(text.as_bytes(), text.len() as u64, LoadExtent::Resumed)
            .expect("slices never fail")
    }

    /// The names of the messages that are shown.
    fn shown(&self, rule: LeafRule) -> Vec<String> {
        names(&self.load(), rule)
    }
}

fn names(index: &Index, rule: LeafRule) -> Vec<String> {
    let known = [
        "u1", "a1", "u2", "a2", "u3", "a3", "u4", "a4", "cs", "x1", "x2", "x3", "rA", "rB", "rC",
        "m1",
    ];
    Chain::build(index, rule)
        .messages(index)
        .map(|link| {
            let name = known
                .iter()
                .find(|name| EntryId::of(uuid(name).as_bytes()) == Some(link.id));
            (*name.expect("a known entry")).to_owned()
        })
        .collect()
}

fn two_turns() -> Written {
    Written::default()
        .user("u1", "")
        .assistant("a1", "u1")
        .user("u2", "a1")
        .assistant("a2", "u2")
}

/// Two turns, then back to the first answer and on from there.
fn rewound() -> Written {
    two_turns().user("u3", "a1").assistant("a3", "u3")
}

#[test]
fn the_last_leaf_in_the_file_wins() {
    assert_eq!(rewound().shown(LeafRule::Newest), ["u1", "a1", "u3", "a3"]);
}

#[test]
fn a_parent_may_be_written_after_its_child() {
    let written = Written::default().assistant("a1", "u1").user("u1", "");
    assert_eq!(written.shown(LeafRule::Newest), ["u1", "a1"]);
}

#[test]
fn the_pointer_of_claude_code_decides_for_resume() {
    let branch_of_u2 = ["u1", "a1", "u2", "a2"];
    let branch_of_u3 = ["u1", "a1", "u3", "a3"];
    let zero = "00000000-0000-0000-0000-000000000000";
    let cases: [(&str, bool, &[&str]); 8] = [
        // The tip of the other branch, or exactly an entry inside it.
        ("a2", false, &branch_of_u2),
        ("u2", false, &["u1", "a1", "u2"]),
        // An entry that the last leaf is below of: that leaf.
        ("a1", false, &branch_of_u3),
        // After a rewind exactly that entry.
        ("u2", true, &["u1", "a1", "u2"]),
        ("a1", true, &["u1", "a1"]),
        ("a3", true, &branch_of_u3),
        // A pointer to nothing.
        ("gone", false, &branch_of_u3),
        (zero, true, &branch_of_u3),
    ];
    for (leaf, explicit, expected) in cases {
        let written = rewound().pointer(leaf, explicit);
        assert_eq!(
            written.shown(LeafRule::Resume),
            expected,
            "{leaf} {explicit}"
        );
        assert_eq!(written.shown(LeafRule::Newest), branch_of_u3);
    }
}

#[test]
fn a_pointer_from_before_the_compaction_is_not_followed() {
    let compacted = |written: Written| {
        let written = written.boundary("cb", "a2", &json!({}));
        written.summary("cs", "cb").user("u3", "cs")
    };
    let outdated = compacted(two_turns().pointer("a2", false));
    assert_eq!(outdated.shown(LeafRule::Resume), ["cs", "u3"]);
    let newer = compacted(two_turns()).pointer("a2", false);
    assert_eq!(newer.shown(LeafRule::Resume), ["u1", "a1", "u2", "a2"]);
}

#[test]
fn how_the_leaf_was_found_is_known() {
    let leaf = |written: &Written, rule| Chain::build(&written.load(), rule).leaf;
    let pointed = rewound().pointer("a2", false);
    assert_eq!(leaf(&pointed, LeafRule::Resume), Some(Leaf::Pointer(3)));
    assert_eq!(leaf(&rewound(), LeafRule::Resume), Some(Leaf::Last(5)));
    let given = EntryId::of(uuid("u2").as_bytes())
        .map(LeafRule::Entry)
        .expect("an id");
    assert_eq!(leaf(&rewound(), given), Some(Leaf::Given(2)));
    assert_eq!(rewound().shown(given), ["u1", "a1", "u2"]);
}

#[test]
fn parallel_tool_calls_are_put_back_in_place() {
    let part = |name: &str| json!({"message": {"id": "msg_x", "role": "assistant", "content": [{"type": "tool_use", "id": name}]}});
    let result = |name: &str| json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name}]}});
    let written = Written::default()
        .user("u1", "")
        .entry("assistant", "x1", "u1", part("A"))
        .entry("assistant", "x2", "x1", part("B"))
        .entry("assistant", "x3", "x2", part("C"))
        .entry("user", "rB", "x3", result("C"))
        .entry("user", "rA", "x1", result("A"))
        .assistant("a2", "rA")
        // A prompt that was typed there and rewound is no result.
        .user("u2", "x2")
        .user("u3", "a2");
    assert_eq!(
        written.shown(LeafRule::Newest),
        ["u1", "x1", "x2", "x3", "rB", "rA", "a2", "u3"]
    );
}

#[test]
fn results_come_in_the_order_of_the_file_and_for_the_sdk_in_that_of_their_times() {
    let part = |name: &str| json!({"message": {"id": "msg_x", "role": "assistant", "content": [{"type": "tool_use", "id": name}]}});
    let result = |name: &str, second: u32| {
        json!({"timestamp": format!("2026-03-01T10:30:{second:02}.000Z"),
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name}]}})
    };
    let written = Written::default()
        .user("u1", "")
        .entry("assistant", "x1", "u1", part("A"))
        .entry("assistant", "x2", "x1", part("B"))
        .entry("assistant", "x3", "x2", part("C"))
        .entry("user", "rA", "x1", result("A", 2))
        .entry("user", "rB", "x2", result("B", 1))
        .entry("user", "rC", "x3", result("C", 3))
        .assistant("a2", "rC");
    assert_eq!(
        written.shown(LeafRule::Resume),
        ["u1", "x1", "x2", "x3", "rA", "rB", "rC", "a2"]
    );
    assert_eq!(
        written.shown(LeafRule::Newest),
        ["u1", "x1", "x2", "x3", "rB", "rA", "rC", "a2"]
    );
}

#[test]
fn progress_lines_are_bridged() {
    let written = Written::default()
        .user("u1", "")
        .entry("progress", "p1", "u1", json!({"data": {"uuid": "no"}}))
        .entry("progress", "p2", "p1", json!({"data": {}}))
        .assistant("a1", "p2");
    assert_eq!(written.shown(LeafRule::Newest), ["u1", "a1"]);
}

#[test]
fn sub_agents_teams_and_machine_lines_are_left_out() {
    let written = Written::default()
        .user("u1", "")
        .entry(
            "user",
            "m1",
            "u1",
            json!({"isMeta": true, "message": {"content": "hook"}}),
        )
        .assistant("a1", "m1")
        .entry("user", "t1", "a1", json!({"teamName": "t", "message": {}}))
        .entry(
            "user",
            "s1",
            "",
            json!({"isSidechain": true, "message": {}}),
        )
        .entry("system", "sy", "a1", json!({"subtype": "turn_duration"}));
    assert_eq!(written.shown(LeafRule::Newest), ["u1", "a1"]);
}

#[test]
fn a_compaction_cuts() {
    let written = two_turns()
        .boundary("cb", "a2", &json!({"trigger": "auto"}))
        .summary("cs", "cb")
        .user("u3", "cs")
        .assistant("a3", "u3");
    assert_eq!(written.shown(LeafRule::Newest), ["cs", "u3", "a3"]);
    assert_eq!(
        Chain::build(&written.load(), LeafRule::Newest).breaks.gaps,
        0
    );
}

#[test]
fn preserved_messages_stay_behind_the_anchor() {
    let segment = |anchor: &str, head: &str| json!({"preservedSegment": {"headUuid": uuid(head), "anchorUuid": uuid(anchor), "tailUuid": uuid("a2")}});
    let list =
        json!({"preservedMessages": {"anchorUuid": uuid("cs"), "uuids": [uuid("u2"), uuid("a2")]}});
    let cases: [(Value, &[&str]); 4] = [
        (segment("cs", "u2"), &["cs", "u2", "a2", "u3"]),
        (segment("cb", "u2"), &["u2", "a2", "cs", "u3"]),
        (list, &["cs", "u2", "a2", "u3"]),
        // Broken: the compaction is undone rather than a part of the conversation lost.
        (segment("cs", "gone"), &["u1", "a1", "u2", "a2", "u3"]),
    ];
    for (metadata, expected) in cases {
        let written = two_turns()
            .boundary("cb", "a2", &metadata)
            .summary("cs", "cb")
            .user("u3", "cs");
        assert_eq!(written.shown(LeafRule::Newest), expected, "{metadata}");
    }
}

#[test]
fn circles_end_and_missing_parents_are_gaps() {
    let circle = Written::default()
        .user("u1", "a1")
        .assistant("a1", "u1")
        .user("u2", "a1");
    assert_eq!(circle.shown(LeafRule::Newest), ["u1", "a1", "u2"]);
    let closed = Written::default().user("u1", "a1").assistant("a1", "u1");
    assert_eq!(closed.shown(LeafRule::Newest), Vec::<String>::new());
    let gap = Written::default()
        .user("u1", "")
        .user("u2", "gone")
        .assistant("a2", "u2");
    assert_eq!(gap.shown(LeafRule::Newest), ["u2", "a2"]);
    assert_eq!(Chain::build(&gap.load(), LeafRule::Newest).breaks.gaps, 1);
}

/// As the SDK was recorded to do it.
#[test]
fn the_newest_leaf_is_that_of_the_last_end() {
    let rewound = || two_turns().user("u3", "a1").assistant("a3", "u3");
    let below_a2 = |kind: &str, more: Value| rewound().entry(kind, "x1", "a2", more);
    let prompt = |flag: &str, value: Value| json!({flag: value, "message": {"role": "user", "content": "x"}});
    let older = ["u1", "a1", "u2", "a2"];
    let newer = ["u1", "a1", "u3", "a3"];
    let system = json!({"subtype": "turn_duration"});
    assert_eq!(
        below_a2("system", system.clone()).shown(LeafRule::Newest),
        older
    );
    assert_eq!(
        below_a2("attachment", json!({})).shown(LeafRule::Newest),
        older
    );
    let others = [
        below_a2("progress", json!({})),
        below_a2("user", prompt("isSidechain", json!(true))),
        below_a2("user", prompt("teamName", json!("t"))),
        below_a2("system", json!({"isSidechain": true})),
        // Nothing is said before these.
        rewound().entry("attachment", "x1", "", json!({})),
        rewound()
            .entry("attachment", "x1", "", json!({}))
            .entry("system", "x2", "x1", system),
    ];
    for other in others {
        assert_eq!(
            other.shown(LeafRule::Newest),
            newer,
            "{:?}",
            other.lines.last()
        );
    }
    let only_foreign = two_turns()
        .entry("user", "x1", "a2", prompt("isSidechain", json!(true)))
        .entry("user", "x2", "u1", prompt("teamName", json!("t")));
    assert_eq!(only_foreign.shown(LeafRule::Newest), older);
}

#[test]
fn of_two_lines_with_one_id_the_later_has_the_say() {
    let written = two_turns().assistant("a1", "").user("u3", "a2");
    let index = written.load();
    assert_eq!(index.health.duplicates, 1);
    assert_eq!(names(&index, LeafRule::Newest), ["a1", "u2", "a2", "u3"]);
}

/// Any graph: who hangs on whom, of which kind, in which message, written in which order.
fn graph() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec((0_u8..30, 0_u8..34, 0_u8..8, 0_u8..5), 0..40)
}

fn written_graph(graph: &[(u8, u8, u8, u8)]) -> String {
    let id = |n: u8| format!("{n:08}-0000-4000-8000-000000000000");
    let mut text = String::new();
    for (n, parent, kind, message) in graph {
        let kind = [
            "user",
            "assistant",
            "assistant",
            "system",
            "attachment",
            "progress",
            "user",
            "user",
        ][usize::from(*kind)];
        let content = json!([{"type": if message % 2 == 0 { "tool_result" } else { "text" }}]);
        let entry = json!({
            "parentUuid": (*parent < 32).then(|| id(*parent)), "isSidechain": n % 11 == 0, "type": kind,
            "uuid": id(*n), "message": {"id": format!("m{message}"), "content": content},
            "subtype": if n % 7 == 0 { "compact_boundary" } else { "x" },
            "compactMetadata": {"preservedSegment": {"headUuid": id(n / 2), "anchorUuid": id(n / 3), "tailUuid": id(*parent)}},
        });
        text += &(entry.to_string() + "\n");
        if *message == 0 {
            text +=
                &(json!({"type": "last-prompt", "leafUuid": id(*parent), "explicit": n % 2 == 0})
                    .to_string()
                    + "\n");
        }
    }
    text
}

proptest! {
    /// Whatever the graph, the walk ends, nothing comes twice, and everything that is shown is
    /// on the way to the leaf or was put back beside it.
    #[test]
    fn any_graph_gives_a_conversation(graph in graph(), rule in 0_u8..2) {
        let text = written_graph(&graph);
        let index = load_from(text.as_bytes(), text.len() as u64, LoadExtent::Resumed).expect("slices never fail");
        let rule = if rule == 0 { LeafRule::Resume } else { LeafRule::Newest };
        let chain = Chain::build(&index, rule);
        let mut seen = std::collections::HashSet::new();
        for at in &chain.entries {
            prop_assert!(seen.insert(*at), "twice: {}", at);
            prop_assert!(*at < index.links().len());
        }
        prop_assert_eq!(chain.leaf.is_none(), chain.entries.is_empty());
    }

    #[test]
    fn any_cut_of_a_file_loads(graph in graph(), cut in 0.0_f64..=1.0) {
        let text = written_graph(&graph);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let length = (text.len() as f64 * cut) as usize;
        let whole = load_from(text.as_bytes(), text.len() as u64, LoadExtent::Resumed).expect("slices never fail");
        let cut = load_from(&text.as_bytes()[..length], length as u64, LoadExtent::Resumed).expect("slices never fail");
        prop_assert!(cut.links().len() <= whole.links().len());
        Chain::build(&cut, LeafRule::Resume);
    }
}
