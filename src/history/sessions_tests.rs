use super::PastSessions;
use crate::history::{FoundPrompt, Prompt, PromptPos};

fn found(offset: u64, session: Option<&str>, project: &str, timestamp: i64) -> FoundPrompt {
    FoundPrompt {
        spot: PromptPos {
            root: 0,
            length: 1,
            offset,
        },
        prompt: Prompt {
            session: session.map(str::to_owned),
            project: project.to_owned(),
            timestamp,
            ..Prompt::default()
        },
    }
}

#[test]
fn a_session_has_a_first_and_a_last_prompt_whatever_the_order() {
    let mut sessions = PastSessions::default();
    assert_eq!(sessions.take(&found(3, Some("a"), "/docs", 30)), Some(0));
    assert_eq!(sessions.take(&found(9, None, "/docs", 40)), None);
    assert_eq!(sessions.take(&found(1, Some("a"), "/shop", 10)), Some(0));
    assert_eq!(sessions.take(&found(4, Some("b"), "/shop", 20)), Some(1));
    assert_eq!(sessions.take(&found(5, Some("a"), "/shop", 50)), Some(0));
    assert_eq!(sessions.len(), 2);
    let a = sessions.get(0).expect("known");
    assert_eq!((&*a.id, &*a.project, a.prompts), ("a", "/shop", 3));
    assert_eq!((a.first.1.offset, a.last.1.offset), (1, 5));
    assert_eq!(sessions.position("b"), Some(1));
}

#[test]
fn of_equal_times_the_place_in_the_file_decides() {
    for offsets in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
        let mut sessions = PastSessions::default();
        for offset in offsets {
            sessions.take(&found(offset, Some("a"), &format!("/{offset}"), 10));
        }
        let a = sessions.get(0).expect("known");
        let ends = (a.first.1.offset, a.last.1.offset, &*a.project);
        assert_eq!(ends, (1, 3, "/3"), "{offsets:?}");
    }
}
