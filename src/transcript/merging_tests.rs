use serde_json::json;

use crate::transcript::{Chain, LeafRule, LoadExtent, load_from};

/// The order in which the parts of one answer are shown, each written as a line: t text, h thinking,
/// x redacted thinking, c call, u a prompt between.
fn shown(parts: &str) -> String {
    let mut text = String::new();
    for (n, part) in parts.char_indices() {
        let id = |n: usize| format!("{n:08x}-0000-4000-8000-000000000000");
        let kind = match part {
            't' => "text",
            'h' => "thinking",
            'x' => "redacted_thinking",
            _ => "tool_use",
        };
        let mut line =
            json!({"type": "assistant", "message": {"id": "m", "content": [{"type": kind}]}});
        if part == 'u' {
            line = json!({"type": "user", "message": {"content": "prompt"}});
        }
        line["uuid"] = json!(id(n));
        line["parentUuid"] = json!(n.checked_sub(1).map(id));
        text += &(line.to_string() + "\n");
    }
    let index = load_from(text.as_bytes(), text.len() as u64, LoadExtent::Resumed);
    let index = index.expect("slices never fail");
    let chain = Chain::build(&index, LeafRule::Resume);
    let letters = chain.entries.iter().map(|at| parts.chars().nth(*at));
    letters.map(|letter| letter.expect("a part")).collect()
}

/// Measured with version 2.1.325.
#[test]
fn calls_come_last_unless_claude_went_on_thinking() {
    let cases = [
        ("ct", "tc"),
        ("tctc", "ttcc"),
        ("hct", "htc"),
        ("xct", "xtc"),
        ("htct", "httc"),
        ("ch", "hc"),
        ("chc", "hcc"),
        ("cth", "thc"),
        ("tcht", "thtc"),
        ("hctch", "hthcc"),
        ("hcthct", "hthtcc"),
        ("htch", "hthc"),
        ("hcct", "htcc"),
        // Unchanged.
        ("hch", "hch"),
        ("hcht", "hcht"),
        ("hchct", "hchct"),
        ("hcchct", "hcchct"),
        ("thcht", "thcht"),
        ("xcht", "xcht"),
        ("hcxt", "hcxt"),
    ];
    for (written, merged) in cases {
        assert_eq!(shown(written), merged, "{written}");
    }
}

#[test]
fn nothing_moves_before_a_prompt() {
    assert_eq!(shown("cuctt"), "cuttc");
    assert_eq!(shown("cut"), "cut");
}
