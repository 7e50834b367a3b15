use super::*;

fn holds(text: &[u8], word: &[u8], block: usize) -> bool {
    let rows = rows(text);
    let width = text.len().div_ceil(BLOCK).div_ceil(8);
    let bits = |row: usize| Bits::from_bytes(&rows[row * width..][..width]);
    in_all(rows_of(word).into_iter().map(bits)).is_none_or(|blocks| blocks.get(block))
}

#[test]
fn a_block_passes_for_its_words_and_few_others() {
    let mut text = vec![b'.'; 3 * BLOCK];
    text[BLOCK + 1000..BLOCK + 1006].copy_from_slice(b"pubsub");
    assert!(holds(&text, b"pubsub", 1));
    assert!(!holds(&text, b"pubsub", 0));
    assert!(!holds(&text, b"pubsub", 2));
    assert!(holds(&text, b"pu", 1));
    assert!(!holds(&text, b"pu", 0));
    assert!(holds(&text, b"p", 0), "one byte says nothing");
}

#[test]
fn two_letters_are_told_from_all_others() {
    let mut text = vec![b'.'; BLOCK];
    text[10..12].copy_from_slice(b"q7");
    for first in b'a'..=b'z' {
        for second in (b'a'..=b'z').chain(b'0'..=b'9') {
            let word = [first, second];
            assert_eq!(holds(&text, &word, 0), &word == b"q7", "{word:?}");
        }
    }
    text[20..22].copy_from_slice("\u{44f}".as_bytes());
    assert!(holds(&text, "\u{44f}".as_bytes(), 0));
}

#[test]
fn every_pair_and_triple_of_a_text_passes() {
    let text: Vec<u8> = (0..=255).flat_map(|a| [a, a ^ 0x55, 255 - a]).collect();
    for length in [2, 3, 7] {
        assert!(text.windows(length).all(|word| holds(&text, word, 0)));
    }
}

#[test]
fn a_word_across_two_blocks_begins_in_the_first() {
    let mut text = vec![b'.'; 2 * BLOCK];
    text[BLOCK - 3..BLOCK + 3].copy_from_slice(b"pubsub");
    assert!(holds(&text, b"pubsub", 0));
    let long = vec![b'x'; 2 * REACH];
    text[BLOCK - 1..BLOCK - 1 + long.len()].copy_from_slice(&long);
    assert!(holds(&text, &long, 0), "only its beginning is looked up");
}
