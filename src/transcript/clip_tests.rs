use proptest::prelude::*;
use serde_json::{Value, json};

use super::{LIMITS, LONG_LINE, Limits, clipped, read_line};

const SMALL: Limits = Limits {
    longest: 40,
    kept: 20,
    plenty: 400,
};

fn text(line: &str) -> String {
    String::from_utf8(clipped(line.as_bytes(), SMALL)).expect("still UTF-8")
}

#[test]
fn a_long_string_keeps_its_beginning_and_says_what_is_missing() {
    let line = format!(r#"{{"a":"{}","b":"{}"}}"#, "x".repeat(100), "y".repeat(40));
    let expected = format!(
        r#"{{"a":"{} … [80 bytes left out]","b":"{}"}}"#,
        "x".repeat(20),
        "y".repeat(40)
    );
    assert_eq!(text(&line), expected);
}

#[test]
fn no_character_and_no_escape_is_cut_in_half() {
    for shift in 0..14 {
        let lead = "x".repeat(shift);
        for filling in ["é", "😀", r"\n", r"\\", r#"\""#, r"\u00e9", r"\ud83d\ude00"] {
            let line = format!(r#"["{lead}{}"]"#, filling.repeat(40));
            let short = text(&line);
            let values: Vec<String> = serde_json::from_str(&short).expect(&short);
            let whole: Vec<String> = serde_json::from_str(&line).expect("valid");
            let (kept, note) = values[0].split_once(" … [").expect("cut");
            assert!(whole[0].starts_with(kept), "{short}");
            assert!(note.ends_with(" bytes left out]"), "{short}");
        }
    }
}

#[test]
fn many_strings_of_middle_size_are_cut_too() {
    let strings: Vec<String> = (0..30).map(|_| "z".repeat(35)).collect();
    let short = text(&json!(strings).to_string());
    let values: Vec<String> = serde_json::from_str(&short).expect("valid");
    assert_eq!(values.len(), strings.len());
    assert_eq!(values[0], strings[0]);
    assert!(
        values[29].ends_with("[15 bytes left out]"),
        "{}",
        values[29]
    );
}

#[test]
fn a_short_line_is_read_as_it_stands() {
    let line = json!({"text": "x".repeat(LONG_LINE - 20)}).to_string();
    let source = line.clone() + "\nmore";
    let mut read = b"old".to_vec();
    read_line(&mut source.as_bytes(), line.len(), &mut read).expect("reads");
    assert_eq!(read, line.as_bytes());
}

#[test]
fn a_very_long_line_takes_little_memory() {
    let line = json!({"uuid": "u", "data": "A".repeat(20 * LONG_LINE), "end": [1, "b"]});
    let source = line.to_string() + "\nmore";
    let mut read = Vec::new();
    read_line(&mut source.as_bytes(), source.len() - 5, &mut read).expect("reads");
    assert!(read.capacity() < 2 * LONG_LINE, "{}", read.capacity());
    let value: Value = serde_json::from_slice(&read).expect("valid");
    let data = value["data"].as_str().expect("text");
    let left_out = 20 * LONG_LINE - LIMITS.kept;
    assert!(data.ends_with(&format!("A … [{left_out} bytes left out]")));
    assert_eq!(
        (&value["uuid"], &value["end"]),
        (&line["uuid"], &line["end"])
    );
}

#[test]
fn a_file_that_shrank_gives_what_is_left() {
    let mut read = Vec::new();
    read_line(&mut &b"[\"abc"[..], 5 * LONG_LINE, &mut read).expect("reads");
    assert_eq!(read, b"[\"abc");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\"\\\\a\u{e9}\u{1f600}\n]{0,120}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Is `short` the same as `whole` but for the ends of strings?
fn is_clipping(short: &Value, whole: &Value) -> bool {
    match (short, whole) {
        (Value::String(short), Value::String(whole)) => {
            short == whole
                || short
                    .rsplit_once(" … [")
                    .is_some_and(|(kept, _)| whole.starts_with(kept))
        }
        (Value::Array(short), Value::Array(whole)) => {
            short.len() == whole.len() && short.iter().zip(whole).all(|(s, w)| is_clipping(s, w))
        }
        (Value::Object(short), Value::Object(whole)) => {
            short.len() == whole.len()
                && whole
                    .iter()
                    .all(|(key, w)| short.get(key).is_some_and(|s| is_clipping(s, w)))
        }
        (short, whole) => short == whole,
    }
}

/// Every character above ASCII as an escape, as some writers have it.
fn escaped(line: &str) -> String {
    let escape = |unit: u16| match u8::try_from(unit).ok().filter(u8::is_ascii) {
        Some(byte) => char::from(byte).to_string(),
        None => format!("\\u{unit:04x}"),
    };
    line.encode_utf16().map(escape).collect()
}

proptest! {
    #[test]
    fn valid_json_stays_valid_and_the_same(value in value(), ascii: bool) {
        let line = value.to_string();
        let line = if ascii { escaped(&line) } else { line };
        let short: Value = serde_json::from_slice(&clipped(line.as_bytes(), SMALL)).expect("valid");
        prop_assert!(is_clipping(&short, &value), "{} {}", line, short);
    }

    #[test]
    fn bytes_without_long_strings_are_copied(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        prop_assert_eq!(clipped(&bytes, SMALL), bytes);
    }
}
