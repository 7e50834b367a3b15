use proptest::prelude::*;

use super::{FoldProfile, Folded, fold_long_onto, fold_onto, trace};
use crate::search::bits::Bits;

fn folded(text: &str) -> String {
    Folded::new(text).text
}

#[test]
fn what_reads_alike_becomes_the_same() {
    for (text, expected) in [
        ("Fix JWT", "fix jwt"),
        ("Über", "uber"),
        ("U\u{308}ber", "uber"),
        ("Straße STRASSE Straẞe", "strasse strasse strasse"),
        ("ΟΔΟΣ οδος όδός", "οδοσ οδοσ οδοσ"),
        ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"),
        ("ﬁle ①", "file 1"),
        ("İstanbul ısı", "istanbul isi"),
        ("Łódź Ærø", "lodz aero"),
        ("Ёлка", "елка"),
        ("会话 検索", "会话 検索"),
        ("한국어", "한국어"),
        ("\u{1112}\u{1161}\u{11ab}", "한"),
        ("が か\u{3099} ｶﾞ", "が が ガ"),
        ("हिन्दी", "हिन्दी"),
        ("שָׁלוֹם", "שלום"),
        ("❤\u{fe0f}", "❤"),
        ("👍🏽", "👍"),
        ("a \t\r\n  b", "a b"),
        ("a\u{1b}\u{1f}b", "ab"),
        ("soft\u{ad}hyphen", "softhyphen"),
        ("\u{301}", ""),
        ("", ""),
    ] {
        assert_eq!(folded(text), expected, "{text:?}");
    }
}

#[test]
fn capitals_are_remembered_by_byte() {
    let text = Folded::new("aÉßZ");
    assert_eq!(text.text, "aessz");
    assert_eq!(text.upper.ones().collect::<Vec<_>>(), [1, 4]);
}

#[test]
fn every_folded_byte_knows_its_origin() {
    let original = "x Stra\u{df}e  e\u{301}!";
    let text = Folded::new(original).text;
    assert_eq!(text, "x strasse e!");
    let shown = |part: &str| {
        let at = text.find(part).expect("there");
        let range = at..at + part.len();
        let traced = trace(original, FoldProfile::Verbatim, &[range]);
        &original[traced[0].clone()]
    };
    assert_eq!(shown("strasse"), "Straße");
    assert_eq!(shown("as"), "aß");
    assert_eq!(shown("e!"), "e\u{301}!");
    assert_eq!(shown("e e"), "e  e\u{301}");
}

#[test]
fn a_range_goes_across_what_is_left_out() {
    let text = "a **bo*ld** `word`, é";
    let (mut folded, mut upper) = (Vec::new(), Bits::default());
    fold_long_onto(&mut folded, &mut upper, text, FoldProfile::Prose);
    assert_eq!(folded, "a bold word, e".as_bytes());
    let ranges = [0..4, 2..6, 4..8, 7..14];
    let traced = trace(text, FoldProfile::Prose, &ranges);
    let traced: Vec<&str> = traced.into_iter().map(|it| &text[it]).collect();
    assert_eq!(traced, ["a **bo", "bo*ld", "ld** `w", "word`, é"]);
}

#[test]
fn an_arena_takes_no_more_than_it_should() {
    let (mut arena, mut upper) = (b"ab".to_vec(), Bits::with_len(2));
    fold_onto(&mut arena, &mut upper, "Xé漢字z", 7);
    assert_eq!(String::from_utf8(arena).expect("text"), "abxe漢");
    assert_eq!((upper.len(), upper.ones().collect()), (7, vec![2]));
    // One character that becomes eighteen.
    let (mut arena, mut upper) = (Vec::new(), Bits::default());
    fold_onto(&mut arena, &mut upper, "A\u{fdfa}", 4);
    assert_eq!(String::from_utf8(arena).expect("text"), "aص");
    assert_eq!((upper.len(), upper.ones().collect()), (3, vec![0]));
}

proptest! {
    #[test]
    fn there_is_no_second_way_to_fold(text in "[a-cA-C ~\n\x7f]{0,12}|[a-cA-C]{100,200}|.{0,12}") {
        let (mut arena, mut upper) = (Vec::new(), Bits::default());
        fold_onto(&mut arena, &mut upper, &text, 1000);
        // A character that is not plain keeps the whole text from the shortest way.
        let (mut long, mut expected) = (Vec::new(), Bits::default());
        fold_onto(&mut long, &mut expected, &format!("{text}\u{200b}"), 1000);
        let Folded { text: again, upper: bits } = Folded::new(&text);
        prop_assert_eq!((&again.into_bytes(), &bits), (&long, &expected));
        prop_assert_eq!((arena, upper), (long, expected));
    }

    #[test]
    fn a_long_text_is_folded_like_a_short_one(text in "([a-cA-C.]{0,20}[ \t\n]{0,2}[~\x7f`*é漢ÉßｱﾞＡ\u{301}\u{200d}\u{a0}\u{1b}]{0,3}){0,12}") {
        for profile in [FoldProfile::Verbatim, FoldProfile::Prose] {
            let (mut arena, mut upper) = (b"x ".to_vec(), Bits::with_len(2));
            fold_long_onto(&mut arena, &mut upper, &text, profile);
            let expected = Folded::new(&profile.kept(&text));
            prop_assert_eq!(&arena[2..], expected.text.as_bytes());
            let capitals: Vec<usize> = expected.upper.ones().map(|at| at + 2).collect();
            prop_assert_eq!((upper.len(), upper.ones().collect::<Vec<_>>()), (arena.len(), capitals));
        }
    }

    #[test]
    fn folding_is_final_and_has_no_separators(text in any::<String>()) {
        let once = folded(&text);
        prop_assert!(!once.chars().any(char::is_control));
        prop_assert!(!once.contains("  "));
        prop_assert_eq!(folded(&once), once);
    }

    #[test]
    fn what_a_range_is_traced_to_folds_to_the_range(
        text in "([a-zA-Z .]{0,9}|[`*]{1,3}|[é\u{301}ßがｶﾞ \u{1112}\u{1161}❤\u{fe0f}\n\t]{0,9}){0,6}",
        parts in prop::collection::vec((0usize..60, 1usize..9), 1..6),
    ) {
        for profile in [FoldProfile::Verbatim, FoldProfile::Prose] {
            let (mut folded, mut upper) = (Vec::new(), Bits::default());
            fold_long_onto(&mut folded, &mut upper, &text, profile);
            let folded = String::from_utf8(folded).expect("text");
            let mut ranges: Vec<_> = parts
                .iter()
                .map(|(start, length)| *start..(start + length).min(folded.len()))
                .filter(|range| range.start < range.end && folded.get(range.clone()).is_some())
                .collect();
            ranges.sort_by_key(|range| range.start);
            let traced = trace(&text, profile, &ranges);
            prop_assert_eq!(traced.len(), ranges.len());
            for (range, origin) in ranges.iter().zip(traced) {
                let part = text.get(origin);
                prop_assert!(part.is_some_and(|part| !part.is_empty()));
                let (mut again, mut upper) = (Vec::new(), Bits::default());
                fold_long_onto(&mut again, &mut upper, part.unwrap_or_default(), profile);
                let again = String::from_utf8(again).expect("text");
                // A character may become several: all that it became is there.
                prop_assert!(again.contains(&folded[range.clone()]), "{:?} {:?}", again, range);
            }
        }
    }
}
