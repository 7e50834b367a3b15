use super::{Origin, families};
use crate::transcript::EntryId;

fn begins_with(message: &str) -> Origin {
    Origin {
        first_message: EntryId::of(message.as_bytes()),
        forked_from: None,
    }
}

fn forked_from(session: &str, message: &str) -> Origin {
    Origin {
        forked_from: Some(session.to_owned()),
        ..begins_with(message)
    }
}

#[test]
fn relatives_share_a_message_or_an_origin() {
    let origins = [
        begins_with("m1"),
        begins_with("m2"),
        begins_with("m1"),
        forked_from("b", "m3"),
        forked_from("gone", "m4"),
        forked_from("gone", "m5"),
        Origin::default(),
        Origin::default(),
    ];
    let sessions: Vec<_> = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .into_iter()
        .zip(&origins)
        .collect();
    assert_eq!(families(&sessions), [0, 1, 0, 1, 4, 4, 6, 7]);
}
