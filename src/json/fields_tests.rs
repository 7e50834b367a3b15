use proptest::prelude::*;
use serde_json::{Map, Value as Json};

use super::{End, FieldValue, Fields, LastFields, elements, field};

fn keys(line: &[u8]) -> Vec<String> {
    let mut fields = Fields::new(line);
    let mut keys = Vec::new();
    while let Some(key) = fields.next_key() {
        keys.push(String::from_utf8_lossy(key).into_owned());
    }
    keys
}

#[test]
fn only_top_level_keys_are_seen() {
    let line = br#"{"a":{"cwd":"/evil","b":[{"cwd":1}]},"cwd":"/w","n":-1.5e3,"t":true,"z":null}"#;
    assert_eq!(keys(line), ["a", "cwd", "n", "t", "z"]);
    assert_eq!(field(line, b"cwd"), Some(FieldValue::Text(b"/w")));
    assert_eq!(field(line, b"n"), Some(FieldValue::Bare(b"-1.5e3")));
    assert_eq!(field(line, b"missing"), None);
    assert_eq!(Fields::new(line).end(), End::Closed(line.len()));
}

#[test]
fn spaces_and_escaped_quotes_do_not_confuse() {
    let line = br#" { "k\"ey" : "v\\" , "o" : { "x" : "}\"" } , "l" : 1 } tail"#;
    assert_eq!(keys(line), ["k\\\"ey", "o", "l"]);
    assert_eq!(
        field(line, b"o"),
        Some(FieldValue::Nested(br#"{ "x" : "}\"" }"#))
    );
    assert_eq!(Fields::new(line).end(), End::Closed(line.len() - 5));
}

#[test]
fn a_key_that_stands_twice_has_its_last_value() {
    assert_eq!(
        field(br#"{"t":"a","t":"b"}"#, b"t"),
        Some(FieldValue::Text(b"b"))
    );
}

#[test]
fn torn_objects_give_what_is_in_sight() {
    assert_eq!(
        field(br#"{"a":"x","b":"torn"#, b"b"),
        Some(FieldValue::TornText(b"torn"))
    );
    assert_eq!(
        field(br#"{"a":{"x":1"#, b"a"),
        Some(FieldValue::Nested(br#"{"x":1"#))
    );
    for torn in [
        &b"{"[..],
        b"{\"a",
        b"{\"a\"",
        b"{\"a\":",
        b"{\"a\":1",
        b"",
        b"[]",
        b"null",
        b"42",
    ] {
        assert_eq!(Fields::new(torn).end(), End::Broken, "{torn:?}");
    }
}

#[test]
fn the_back_is_read_up_to_the_first_nested_value() {
    let line = br#"{"type":"user","message":{"x":"y"},"uuid":"u","meta":true,"note":"a\"b\\"}"#;
    let last: Vec<_> = LastFields::new(line).collect();
    assert_eq!(
        last,
        [
            (&b"note"[..], FieldValue::Text(br#"a\"b\\"#)),
            (b"meta", FieldValue::Bare(b"true")),
            (b"uuid", FieldValue::Text(b"u")),
        ]
    );
}

#[test]
fn the_back_needs_no_front() {
    let torn = br#"ng text with \"quotes\"", "b" : 1}},"timestamp":"T","cwd":"/w"} "#;
    let last: Vec<_> = LastFields::new(torn).collect();
    assert_eq!(
        last,
        [
            (&b"cwd"[..], FieldValue::Text(b"/w")),
            (b"timestamp", FieldValue::Text(b"T"))
        ]
    );
}

#[test]
fn a_line_torn_inside_a_string_has_no_back() {
    let torn = br#"{"uuid":"u","text":"say \"x\",\"y\":\"z\"}"#;
    assert_eq!(LastFields::new(torn).count(), 0);
}

#[test]
fn elements_of_an_array() {
    let seen: Vec<_> = elements(br#"[ "a" , {"b":1}, 2 ]"#).collect();
    assert_eq!(
        seen,
        [
            FieldValue::Text(b"a"),
            FieldValue::Nested(br#"{"b":1}"#),
            FieldValue::Bare(b"2")
        ]
    );
    assert_eq!(elements(b"[]").count(), 0);
    assert_eq!(elements(br#"["torn"#).count(), 1);
    assert_eq!(elements(br#""no array""#).count(), 0);
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            object(inner).prop_map(Json::from),
        ]
    })
}

fn object(values: impl Strategy<Value = Json>) -> impl Strategy<Value = Map<String, Json>> {
    prop::collection::btree_map(any::<String>(), values, 0..5)
        .prop_map(|map| map.into_iter().collect())
}

fn parsed(value: FieldValue<'_>) -> Json {
    let whole = match value {
        FieldValue::Text(text) | FieldValue::TornText(text) => [b"\"", text, b"\""].concat(),
        FieldValue::Nested(bytes) | FieldValue::Bare(bytes) => bytes.to_vec(),
    };
    serde_json::from_slice(&whole).expect("a value of a valid object")
}

fn parsed_key(key: &[u8]) -> String {
    serde_json::from_slice(&[b"\"", key, b"\""].concat()).expect("a key of a valid object")
}

proptest! {
    #[test]
    fn agrees_with_a_real_parser(object in object(json())) {
        let line = Json::from(object.clone()).to_string();
        let mut seen = Map::new();
        let mut fields = Fields::new(line.as_bytes());
        while let Some(key) = fields.next_key() {
            seen.insert(parsed_key(key), parsed(fields.value()));
        }
        prop_assert_eq!(&seen, &object);
        prop_assert_eq!(Fields::new(line.as_bytes()).end(), End::Closed(line.len()));

        let scalars = object.values().rev().take_while(|value| !value.is_object() && !value.is_array());
        let mut back = 0;
        for (key, value) in LastFields::new(line.as_bytes()) {
            prop_assert_eq!(object.get(&parsed_key(key)), Some(&parsed(value)));
            back += 1;
        }
        prop_assert_eq!(back, scalars.count());
    }

    #[test]
    fn any_bytes_end(bytes in any::<Vec<u8>>()) {
        Fields::new(&bytes).end();
        LastFields::new(&bytes).count();
        elements(&bytes).count();
    }

    #[test]
    fn any_json_like_bytes_end(bytes in "[{}\\[\\]\":,\\\\a1 ]{0,40}") {
        Fields::new(bytes.as_bytes()).end();
        LastFields::new(bytes.as_bytes()).count();
        elements(bytes.as_bytes()).count();
    }
}
