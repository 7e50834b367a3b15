use super::{Find, FindTarget, Findings, InTurn, MOST, Mark, MatchPos, Searched};
use crate::preview::{Around, Options, TurnPos};
use crate::reader::PageSpec;

fn target(phrase: &str, columns: usize) -> FindTarget {
    let target = FindTarget::of(&PageSpec {
        columns,
        options: Options::default(),
        around: Around::End,
        turns: 100,
        leaf: None,
        find: Find::Phrase(phrase.to_owned()),
        target: None,
    });
    target.expect("something to find")
}

#[test]
fn typing_on_narrows_unless_the_lines_are_broken_elsewhere() {
    assert!(target("token e", 80).narrows(&target("token", 80)));
    assert!(!target("token", 80).narrows(&target("token e", 80)));
    assert!(!target("token e", 100).narrows(&target("token", 80)));
}

#[test]
fn more_matches_than_anybody_wants_are_the_end_of_it() {
    let with = |marks: usize| {
        let place = TurnPos::opening(0);
        let mark = |offset| Mark {
            at: MatchPos { place, offset },
            count: 1,
        };
        InTurn {
            marks: (0..marks).map(mark).collect(),
            ..InTurn::default()
        }
    };
    let searched = |marks: usize, turns: i64| {
        let mut findings = Findings::default();
        findings.look_for(Some(&target("e", 80)));
        findings.put(0, with(marks));
        findings.found(0..turns).searched
    };
    assert_eq!(searched(MOST, 2), Searched::Partly);
    assert_eq!(searched(MOST + 1, 2), Searched::Enough);
    assert_eq!(searched(MOST + 1, 1), Searched::Everything);
}
