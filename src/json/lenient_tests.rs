use proptest::prelude::*;
use serde_json::{Value, json};

use super::lenient;

#[test]
fn what_is_broken_costs_only_itself() {
    let line = b"{\"a\":\"x\\ud83cy\",\"b\":1e999,\"c\":\"HE\\qLLO\",\"d\":\"\x01\xff\",\"e\":[1,{\"f\":null}],\"g\":true}";
    assert_eq!(
        lenient(line),
        json!({"a": "x\u{fffd}y", "b": null, "c": "HEqLLO", "d": "\u{1}\u{fffd}", "e": [1, {"f": null}], "g": true})
    );
}

#[test]
fn a_depth_beyond_measure_is_cut() {
    let line = format!(
        "{{\"deep\":{}{},\"uuid\":\"a\"}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let value = lenient(line.as_bytes());
    assert_eq!(value["uuid"], "a");
    assert!(value["deep"][0][0].is_array());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z\"\\\\\n\u{e9}]{0,6}".prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,4}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_lines_are_parsed_as_a_strict_parser_does(value in any_value()) {
        let line = json!({"value": value}).to_string();
        prop_assert_eq!(lenient(line.as_bytes())["value"].clone(), value);
    }

    #[test]
    fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        lenient(&bytes);
    }
}
