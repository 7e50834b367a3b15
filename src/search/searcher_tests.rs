use std::collections::BTreeMap;

use chrono::{TimeZone, Utc};
use proptest::prelude::*;

use super::Searcher;
use crate::list::{Include, Sort};
use crate::search::fold::Folded;
use crate::search::{
    ContentCandidates, Distance, Document, Generation, MatchCounts, Query, Reply, RowId, Search,
    SearchHit, Tier,
};
use crate::store::Hidden;

fn search(text: &str) -> Search {
    Search {
        generation: Generation(1),
        query: Query::parse(text, &Utc.timestamp_millis_opt(0).unwrap()),
        order: Sort::Activity,
        reach: Distance::Elsewhere,
        include: Include::default(),
    }
}

fn replies(searcher: &mut Searcher, search: &Search) -> Vec<Reply> {
    let mut replies = Vec::new();
    searcher.answer(search, &|| false, |reply| replies.push(reply));
    replies
}

fn last(searcher: &mut Searcher, search: &Search) -> Reply {
    replies(searcher, search).pop().expect("an answer")
}

fn rows(searcher: &mut Searcher, search: &Search) -> Vec<u32> {
    let hits = last(searcher, search).hits;
    hits.iter().map(|hit| hit.row.0).collect()
}

fn document(title: &str, activity: i64) -> Document {
    Document {
        title: title.to_owned(),
        activity,
        ..Document::default()
    }
}

fn hit(row: u32, tier: Tier) -> SearchHit {
    let row = RowId(row);
    SearchHit { row, tier }
}

#[test]
fn what_contains_the_words_comes_first_and_newest_first() {
    let mut searcher = Searcher::default();
    searcher.put(&[
        (RowId(1), document("token", 10)),
        (RowId(2), document("the other token", 30)),
        (RowId(3), document("t o k e n", 40)),
        (RowId(4), document("to-ken", 20)),
        (RowId(5), document("something else", 50)),
    ]);
    let substring = vec![hit(2, Tier::Substring), hit(1, Tier::Substring)];
    let both = [&substring[..], &[hit(4, Tier::Fuzzy), hit(3, Tier::Fuzzy)]].concat();
    let counts = MatchCounts {
        shown: 5,
        searched: 5,
        ..MatchCounts::default()
    };
    let reply = |tier, hits| Reply {
        generation: Generation(1),
        tier,
        hits,
        counts,
    };
    assert_eq!(
        replies(&mut searcher, &search("token")),
        [reply(Tier::Substring, substring), reply(Tier::Fuzzy, both)]
    );
}

#[test]
fn nothing_fuzzy_means_one_reply() {
    let mut searcher = Searcher::default();
    searcher.put(&[(RowId(1), document("a", 1)), (RowId(2), document("b", 2))]);
    for (text, expected) in [
        ("", vec![2, 1]),
        ("a", vec![1]),
        ("\"b\"", vec![2]),
        ("-a", vec![2]),
    ] {
        let replies = replies(&mut searcher, &search(text));
        assert_eq!(replies.len(), 1, "{text}");
        assert_eq!(replies[0].tier, Tier::Fuzzy);
        assert_eq!(rows(&mut searcher, &search(text)), expected);
    }
}

#[test]
fn the_order_is_the_one_asked_for() {
    let mut searcher = Searcher::default();
    let row = |title: &str, activity, created, size| Document {
        created,
        size,
        id: title.to_owned(),
        ..document(title, activity)
    };
    searcher.put(&[
        (RowId(1), row("b", 3, Some(1), 5)),
        (RowId(2), row("Ä", 1, None, 9)),
        (RowId(3), row("", 2, Some(2), 5)),
        (RowId(4), row("c", 1, None, 1)),
    ]);
    for (order, expected) in [
        (Sort::Activity, [1, 3, 4, 2]),
        (Sort::Created, [3, 1, 4, 2]),
        (Sort::Size, [2, 1, 3, 4]),
        (Sort::Title, [2, 1, 4, 3]),
    ] {
        let search = Search {
            order,
            ..search("")
        };
        assert_eq!(rows(&mut searcher, &search), expected, "{order:?}");
    }
}

#[test]
fn what_is_hidden_or_far_is_counted() {
    let mut searcher = Searcher::default();
    let kinds = [None, Some(Hidden::Empty), Some(Hidden::Archived)];
    let places = [
        Distance::Directory,
        Distance::Repository,
        Distance::Elsewhere,
    ];
    let mut documents = Vec::new();
    for (row, (hidden, place)) in (0..).zip(
        kinds
            .iter()
            .flat_map(|kind| places.map(|place| (*kind, place))),
    ) {
        let title = "token".to_owned();
        documents.push((
            RowId(row),
            Document {
                title,
                place,
                hidden,
                ..Document::default()
            },
        ));
    }
    documents.push((RowId(100), document("other", 1)));
    let loose = |place, hidden| Document {
        title: "t-ok".to_owned(),
        place,
        hidden,
        ..Document::default()
    };
    documents.push((RowId(101), loose(Distance::Elsewhere, None)));
    documents.push((RowId(102), loose(Distance::Directory, Some(Hidden::Empty))));
    searcher.put(&documents);
    let asked = Search {
        reach: Distance::Repository,
        include: Include::new([Hidden::Archived]),
        ..search("tok")
    };
    let reply = last(&mut searcher, &asked);
    let shown: Vec<u32> = reply.hits.iter().map(|hit| hit.row.0).collect();
    assert_eq!(shown, [0, 1, 6, 7]);
    assert_eq!(
        reply.counts,
        MatchCounts {
            shown: 4,
            hidden: 3,
            elsewhere: 3,
            loose_hidden: 1,
            loose_elsewhere: 1,
            searched: 12,
        }
    );
}

#[test]
fn conversations_to_look_at_pass_what_is_about_the_row_and_are_no_hits_yet() {
    let mut searcher = Searcher::default();
    let row = |title: &str, activity, place, hidden| Document {
        place,
        hidden,
        branch: if title == "elsewise" { "x" } else { "main" }.to_owned(),
        ..document(title, activity)
    };
    let (here, far) = (Distance::Directory, Distance::Elsewhere);
    searcher.put(&[
        (RowId(0), row("token", 9, here, None)),
        (RowId(1), row("old", 1, here, None)),
        (RowId(2), row("new", 8, here, None)),
        (RowId(3), row("to-ken", 5, here, None)),
        (RowId(4), row("far", 4, far, None)),
        (RowId(5), row("hidden", 3, here, Some(Hidden::Empty))),
        (RowId(6), row("both", 3, far, Some(Hidden::Empty))),
        (RowId(7), row("archived", 2, here, Some(Hidden::Archived))),
        (RowId(8), row("elsewise", 7, here, None)),
    ]);
    let mut candidates = |text: &str| {
        let search = Search {
            reach: Distance::Repository,
            include: Include::new([Hidden::Archived]),
            ..search(text)
        };
        let found = searcher
            .content_candidates(&search, &|| false)
            .expect("fresh");
        assert_eq!(
            searcher.content_candidates(&search, &|| true),
            Some(found.clone())
        );
        [found.shown, found.hidden, found.elsewhere]
            .map(|rows| rows.iter().map(|row| row.0).collect::<Vec<_>>())
    };
    let found = |shown: &[u32], hidden: &[u32], elsewhere: &[u32]| {
        [shown, hidden, elsewhere].map(<[u32]>::to_vec)
    };
    for text in [
        "token branch:main",
        "\"token\" branch:main",
        "/tok?en/ branch:main",
    ] {
        assert_eq!(candidates(text), found(&[2, 3, 7, 1], &[5], &[4]), "{text}");
    }
    // A row that has the words has not the rest.
    for text in ["token has:error", "role:user token", "tool:bash", "file:a"] {
        assert_eq!(
            candidates(text),
            found(&[0, 2, 8, 3, 7, 1], &[5], &[4]),
            "{text}"
        );
    }
    assert_eq!(
        candidates("token -new -/old|far/ -hidden"),
        found(&[8, 3, 7], &[], &[])
    );
    for text in ["", "branch:main", "-token", "-/token/", "role:user"] {
        assert_eq!(candidates(text), found(&[], &[], &[]), "{text}");
    }
}

#[test]
fn a_stale_search_has_no_candidates() {
    let mut searcher = Searcher::default();
    searcher.put(&[(RowId(1), document("token", 1))]);
    assert_eq!(searcher.content_candidates(&search("x"), &|| true), None);
    let candidates = searcher.content_candidates(&search("x"), &|| false);
    assert_eq!(candidates.expect("fresh").shown, [RowId(1)]);
    let nothing = searcher.content_candidates(&search("-x"), &|| true);
    assert_eq!(nothing, Some(ContentCandidates::default()));
}

#[test]
fn a_few_rows_more_are_one_reply() {
    let mut searcher = Searcher::default();
    searcher.put(&[(RowId(1), document("token", 1))]);
    assert_eq!(replies(&mut searcher, &search("token")).len(), 2);
    searcher.put(&[
        (RowId(2), document("to-ken", 2)),
        (RowId(3), document("token", 3)),
    ]);
    searcher.remove(&[RowId(1)]);
    let replies = replies(&mut searcher, &search("token"));
    assert_eq!(replies.len(), 1);
    assert_eq!(
        replies[0].hits,
        [hit(3, Tier::Substring), hit(2, Tier::Fuzzy)]
    );
}

#[test]
fn a_stale_search_is_given_up_and_the_next_one_is_right() {
    let mut searcher = Searcher::default();
    searcher.put(&[
        (RowId(1), document("token", 1)),
        (RowId(2), document("tok", 1)),
    ]);
    assert_eq!(rows(&mut searcher, &search("tok")), [1, 2]);
    searcher.answer(&search("toke"), &|| true, |reply| panic!("{reply:?}"));
    assert_eq!(rows(&mut searcher, &search("token")), [1]);
}

#[test]
fn rows_survive_being_moved_together() {
    let mut searcher = Searcher::default();
    let long = "x".repeat(3000);
    for round in 0..3 {
        let rows: Vec<_> = (0..500)
            .map(|row| {
                (
                    RowId(row),
                    document(&format!("row{row} round{round} {long}"), row.into()),
                )
            })
            .collect();
        searcher.put(&rows);
        assert_eq!(rows_of(&mut searcher, "row499"), [499]);
    }
    assert_eq!(rows_of(&mut searcher, "round1"), [0; 0]);
    assert_eq!(rows_of(&mut searcher, "").len(), 500);
}

fn rows_of(searcher: &mut Searcher, text: &str) -> Vec<u32> {
    rows(searcher, &search(&format!("\"{text}\"")))
}

#[derive(Debug, Clone)]
enum Step {
    Put(u32, Box<Document>),
    Remove(u32),
    Search(String),
    GiveUp(String),
}

fn documents() -> impl Strategy<Value = Document> {
    let texts = ("[abcAé ]{0,8}", "[abc]{0,3}", "[ab]{0,4}", "[abc ]{0,12}");
    (texts, 0i64..4).prop_map(|((title, branch, id, prompt), activity)| Document {
        title,
        branch,
        id,
        last_prompt: prompt,
        activity,
        hidden: (activity == 3).then_some(Hidden::Empty),
        ..Document::default()
    })
}

fn queries() -> impl Strategy<Value = String> {
    "[abcAé]{0,4}( [abc]{1,3}| -[abc]{1,2}| \"[abc ]{1,3}\"| branch:[abc]| id:a| /[abc.]{1,2}/| -/[ab]/| tool:a){0,2}"
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0u32..12, documents()).prop_map(|(row, document)| Step::Put(row, Box::new(document))),
        1 => (0u32..12).prop_map(Step::Remove),
        4 => queries().prop_map(Step::Search),
        1 => queries().prop_map(Step::GiveUp),
    ]
}

proptest! {
    #[test]
    fn step_by_step_is_the_same_as_from_scratch(steps in prop::collection::vec(steps(), 0..40)) {
        let mut searcher = Searcher::default();
        let mut known: BTreeMap<u32, Document> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(row, document) => {
                    searcher.put(&[(RowId(row), *document.clone())]);
                    known.insert(row, *document);
                }
                Step::Remove(row) => {
                    searcher.remove(&[RowId(row)]);
                    known.remove(&row);
                }
                Step::GiveUp(text) => searcher.answer(&search(&text), &|| true, |_| ()),
                // Letter by letter, as it is typed.
                Step::Search(text) => for (end, c) in text.char_indices() {
                    let search = search(&text[..end + c.len_utf8()]);
                    let mut fresh = Searcher::default();
                    let rows: Vec<_> = known.iter().map(|(row, document)| (RowId(*row), document.clone())).collect();
                    fresh.put(&rows);
                    prop_assert_eq!(last(&mut searcher, &search), last(&mut fresh, &search));
                    prop_assert_eq!(
                        searcher.content_candidates(&search, &|| false),
                        fresh.content_candidates(&search, &|| false)
                    );
                }
            }
        }
    }

    #[test]
    fn the_first_tier_is_every_row_that_contains_every_word(
        documents in prop::collection::vec(documents(), 0..12),
        words in prop::collection::vec("[abcé]{1,3}", 1..3),
    ) {
        let mut searcher = Searcher::default();
        let rows: Vec<_> = (0..).map(RowId).zip(documents.iter().cloned()).collect();
        searcher.put(&rows);
        let everything = Search { include: Include::everything(), ..search(&words.join(" ")) };
        let mut found: Vec<u32> = last(&mut searcher, &everything)
            .hits
            .iter()
            .filter(|hit| hit.tier == Tier::Substring)
            .map(|hit| hit.row.0)
            .collect();
        found.sort_unstable();
        let contains = |document: &Document, word: &str| {
            let word = Folded::new(word).text;
            let texts = [&document.title, &document.branch, &document.last_prompt];
            texts.iter().any(|text| Folded::new(text).text.contains(&word)) || document.id.starts_with(&word)
        };
        let expected: Vec<u32> = (0..)
            .zip(&documents)
            .filter(|(_, document)| words.iter().all(|word| contains(document, word)))
            .map(|(row, _)| row)
            .collect();
        prop_assert_eq!(found, expected);
    }
}
