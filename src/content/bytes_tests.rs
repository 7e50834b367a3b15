use super::*;

#[test]
fn what_was_put_is_read() {
    let mut bytes = Vec::new();
    let unsigned = [0, 1, 127, 128, 300, u64::MAX];
    let signed = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
    for number in unsigned {
        put_unsigned(&mut bytes, number);
    }
    for number in signed {
        put_signed(&mut bytes, number);
    }
    put_text(&mut bytes, "größe");
    let mut reader = Reader::new(&bytes);
    assert!(
        unsigned
            .iter()
            .all(|number| reader.unsigned() == Some(*number))
    );
    assert!(signed.iter().all(|number| reader.signed() == Some(*number)));
    assert_eq!(reader.text(), Some("größe"));
    assert_eq!(reader.byte(), None, "all is read");
}

#[test]
fn what_makes_no_sense_is_nothing() {
    assert_eq!(Reader::new(&[0xff; 11]).unsigned(), None);
    assert_eq!(Reader::new(&[0x80]).unsigned(), None);
    assert_eq!(Reader::new(&[5, b'a']).text(), None);
    assert_eq!(Reader::new(&[1, 0xff]).text(), None);
}
