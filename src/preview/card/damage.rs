//! What is wrong with the file of a conversation, in words.

use crate::transcript::{Breaks, Health, PromptReach};

/// Each damage in a few words, the worst last.
pub fn damage(health: &Health, breaks: Breaks, reach: PromptReach) -> Vec<String> {
    let mut damage = Vec::new();
    let mut count = |count: u64, one: &str, many: &str| match count {
        0 => {}
        1 => damage.push(format!("1 {one}")),
        count => damage.push(format!("{count} {many}")),
    };
    count(health.bad, "bad line", "bad lines");
    count(health.glued, "glued line", "glued lines");
    count(health.nul_runs, "run of zero bytes", "runs of zero bytes");
    count(
        breaks.joined as u64,
        "gap that Claude joins",
        "gaps that Claude joins",
    );
    if health.torn_end {
        damage.push("the last line is torn".to_owned());
    }
    if breaks.has_circle {
        damage.push("its entries form a circle".to_owned());
    }
    if breaks.lost_preserved {
        damage.push("messages that the compaction kept are missing".to_owned());
    }
    if reach.lost > 0 {
        let percent = reach.percent();
        damage.push(format!("Claude will see {percent} %"));
    } else if breaks.gaps > 0 {
        damage.push("its beginning is not in this file".to_owned());
    }
    damage
}
