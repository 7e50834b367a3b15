use serde_json::Value;

use super::{Facts, Gist, lasted, measures};
use crate::transcript::{Cost, CostSource};

#[test]
fn what_a_session_cost_stands_in_one_line() {
    let mut gist = Gist::default();
    gist.usage.context = Some(79_400);
    gist.state.cost = Some(Cost {
        usd: 1.916,
        lines_added: Some(41),
        lines_removed: Some(0),
        duration: Some(7_500_000),
        api_duration: None,
        tool_duration: None,
        model_usage: Value::Null,
        source: CostSource::Config,
    });
    let parts = measures(&gist, &Facts::default());
    let wanted = ["79k context", "$1.92", "2h 5m", "+41 -0 lines"];
    assert!(
        wanted
            .iter()
            .all(|part| parts.iter().any(|one| one == part)),
        "{parts:?}"
    );
    // What nobody counted is not told.
    gist.state.cost = None;
    let parts = measures(&gist, &Facts::default());
    assert!(
        !parts
            .iter()
            .any(|part| part.contains("lines") || part.contains('$')),
        "{parts:?}"
    );
}

#[test]
fn a_duration_has_at_most_two_units() {
    let of = |minutes: u64| lasted(minutes * 60_000).unwrap_or_default();
    assert_eq!(
        [0, 1, 59, 60, 61, 47 * 60, 50 * 60].map(of),
        ["", "1m", "59m", "1h", "1h 1m", "47h", "2d"]
    );
}
