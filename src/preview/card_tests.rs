use serde_json::Value;

use super::{Facts, Gist, Way, card, lasted, measures};
use crate::transcript::{Cost, CostSource, Health};

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

fn lines(gist: &Gist, facts: &Facts, columns: usize) -> Vec<String> {
    let lines = card(gist, facts, columns).lines.into_iter();
    let text = |line: Vec<super::Span>| line.into_iter().map(|span| span.text).collect();
    lines.map(text).collect()
}

#[test]
fn what_is_wrong_comes_before_where_it_is() {
    let gist = Gist {
        unfinished: vec!["Bash".to_owned()],
        ..Gist::default()
    };
    let mut facts = Facts {
        title: "Fix it".to_owned(),
        project: Some("~/shop".to_owned()),
        branch: Some("main".to_owned()),
        way: Way::Circle,
        health: Health {
            bad: 4,
            nul_runs: 1,
            torn_end: true,
            ..Health::default()
        },
        ..Facts::default()
    };
    let shown = lines(&gist, &facts, 200);
    assert_eq!(
        shown[1],
        "stopped while running Bash   ⚠ 4 bad lines; a run of zero bytes; \
         the last line is torn; the way to its beginning is a circle"
    );
    assert_eq!(shown[2], "~/shop · main");
    assert_eq!(card(&gist, &facts, 200).urgent, 1);
    // What still runs was not stopped.
    facts.running = Some("busy".to_owned());
    assert!(lines(&gist, &facts, 200)[1].starts_with("● busy   ⚠"));
    let sound = Facts {
        branches: 3,
        ..Facts::default()
    };
    assert_eq!(card(&Gist::default(), &sound, 200).urgent, 0);
}

#[test]
fn no_line_ends_with_the_dot_that_stands_between_two_things() {
    let facts = Facts {
        project: Some("~/a-folder".to_owned()),
        branch: Some("a-branch".to_owned()),
        ..Facts::default()
    };
    for columns in 8..30 {
        let shown = lines(&Gist::default(), &facts, columns);
        assert!(!shown.iter().any(|line| line.ends_with('·')), "{shown:?}");
    }
}
