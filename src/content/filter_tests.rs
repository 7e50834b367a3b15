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
    assert!(holds(&text, b"pu", 0), "two bytes say nothing");
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
