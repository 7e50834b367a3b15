use super::*;

fn far(a: &str, b: &str) -> usize {
    let chars = |word: &str| word.chars().collect::<Vec<_>>();
    distance(&chars(a), &chars(b))
}

#[test]
fn letters_are_added_dropped_changed_and_swapped() {
    let cases = [
        ("refresh", "refresh", 0),
        ("refrsh", "refresh", 1),
        ("refreesh", "refresh", 1),
        ("refrash", "refresh", 1),
        ("refrehs", "refresh", 1),
        ("erfrehs", "refresh", 2),
        ("token", "clock", 5),
        ("Straße", "Strase", 1),
        ("", "abc", 3),
    ];
    for (a, b, expected) in cases {
        assert_eq!(far(a, b), expected, "{a} {b}");
        assert_eq!(far(b, a), expected, "{b} {a}");
    }
}

fn near(word: &str, text: &str) -> Vec<String> {
    let mut speller = Speller::new(word).expect("a word");
    speller.take(text.as_bytes());
    speller.near()
}

#[test]
fn the_nearest_words_come_first_and_of_equals_the_most_frequent() {
    let text = "refrash refrash refrash refreshs refresh, refresh! refrain (refreshed) token";
    assert_eq!(near("refrehs", text), ["refresh", "refreshs", "refrash"]);
    assert_eq!(near("tokne", "token taken token tokens"), ["token"]);
    assert_eq!(near("pubsbu", "pub-sub pubsub"), ["pubsub"]);
}

#[test]
fn words_of_other_scripts_end_where_their_letters_end() {
    assert_eq!(
        near("straßen", "«straße», strasse—straßem!"),
        ["straße", "straßem"]
    );
    assert_eq!(near("привте", "(привет) приветы"), ["привет"]);
    let broken = [b"refresh ".as_slice(), &[0xff, 0xc3], b" refrsh"].concat();
    let mut speller = Speller::new("refresh").expect("a word");
    speller.take(&broken);
    assert_eq!(speller.near(), ["refresh", "refrsh"]);
}

/// Not every byte of a text is looked at.
#[test]
fn a_word_is_found_wherever_it_is() {
    for word in ["tokn", "refrsh", "refreshtokn"] {
        let near_it = word.replace("kn", "ken").replace("rsh", "resh");
        for before in 0..30 {
            for filler in [" ", "x ", "ab cd "] {
                let text: String = filler.chars().cycle().take(before).collect();
                let text = format!("{text} {near_it}");
                assert_eq!(near(word, &text), [near_it.as_str()], "{text:?}");
                assert_eq!(near(word, &format!("{text}. xyz")), [near_it.as_str()]);
            }
        }
    }
}

#[test]
fn short_words_and_code_are_near_nothing() {
    assert!(Speller::new("jwt").is_none());
    assert!(Speller::new("api_kye").is_none());
    assert!(near("cloks", "a lot of locks").is_empty());
}
