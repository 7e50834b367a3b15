use super::{MOST_RECALLED, recall};
use crate::history::{FoundPrompt, Prompt, PromptPos};

fn found(n: u64, project: &str, session: &str) -> FoundPrompt {
    FoundPrompt {
        spot: PromptPos {
            root: 0,
            length: 1,
            offset: n,
        },
        prompt: Prompt {
            display: format!("prompt {n}"),
            project: project.to_owned(),
            session: (!session.is_empty()).then(|| session.to_owned()),
            ..Prompt::default()
        },
    }
}

fn numbers(found: &[FoundPrompt]) -> Vec<u64> {
    found.iter().map(|found| found.spot.offset).collect()
}

#[test]
fn this_session_comes_first_then_the_project_and_nothing_else() {
    let history = [
        found(9, "/shop", "other"),
        found(8, "/docs", "mine"),
        found(7, "/shop", "mine"),
        found(6, "/shop", ""),
        found(5, "/shop", "mine"),
    ];
    let in_shop = |project: &str| project == "/shop";
    let mine = recall(history.clone().into_iter(), in_shop, Some("mine"));
    assert_eq!(numbers(&mine), [7, 5, 9, 6]);
    let nobody = recall(history.into_iter(), in_shop, None);
    assert_eq!(numbers(&nobody), [9, 7, 6, 5], "no session owns nothing");
}

#[test]
fn a_hundred_prompts_of_the_project_are_looked_at() {
    // The 99 newest are of another session, then one of ours, then one too many.
    let history = (0..99)
        .map(|n| found(n, "/shop", "other"))
        .chain([found(99, "/shop", "mine"), found(100, "/shop", "mine")]);
    let recalled = recall(history, |_| true, Some("mine"));
    assert_eq!(recalled.len(), MOST_RECALLED);
    assert_eq!(numbers(&recalled)[..2], [99, 0]);
}
