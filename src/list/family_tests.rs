use uuid::Uuid;

use super::families;
use crate::store::ForkOrigin;

fn begins_with(message: u128) -> ForkOrigin {
    ForkOrigin {
        first_message: Some(Uuid::from_u128(message)),
        forked_from: None,
    }
}

fn forked_from(session: &str, message: u128) -> ForkOrigin {
    ForkOrigin {
        forked_from: Some(session.into()),
        ..begins_with(message)
    }
}

#[test]
fn relatives_share_a_message_or_an_origin() {
    let origins = [
        begins_with(1),
        begins_with(2),
        begins_with(1),
        forked_from("b", 3),
        forked_from("gone", 4),
        forked_from("gone", 5),
        ForkOrigin::default(),
        ForkOrigin::default(),
    ];
    let sessions = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .into_iter()
        .zip(&origins);
    assert_eq!(families(sessions), [0, 1, 0, 1, 4, 4, 6, 7]);
}
