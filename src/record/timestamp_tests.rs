use super::{parse_epoch, parse_timestamp};

#[test]
fn written_forms_are_read() {
    let cases: [(&[u8], i64); 3] = [
        (b"2025-10-09T08:00:11.011Z", 1_759_996_811_011),
        (b"2025-10-09T08:00:11Z", 1_759_996_811_000),
        (b"2025-10-09T10:00:11.011+02:00", 1_759_996_811_011),
    ];
    for (text, expected) in cases {
        assert_eq!(parse_timestamp(text), Some(expected));
    }
}

#[test]
fn what_is_no_time_is_none() {
    let cases: [&[u8]; 5] = [
        b"yesterday",
        b"",
        b"2025-13-09T08:00:11.011Z",
        b"2025-1a-09T08:00:11.011Z",
        b"\xff",
    ];
    for text in cases {
        assert_eq!(parse_timestamp(text), None);
    }
}

#[test]
fn epoch_numbers_are_seconds_or_milliseconds() {
    assert_eq!(parse_epoch(b"1732363200.5"), Some(1_732_363_200_500));
    assert_eq!(parse_epoch(b"1732363200500"), Some(1_732_363_200_500));
    for nonsense in [&b"null"[..], b"-5", b"inf", b"NaN", b"0"] {
        assert_eq!(parse_epoch(nonsense), None);
    }
}
