use serde_json::{Value, json};

use super::select;

#[test]
fn only_what_counts_is_kept() {
    let line = json!({
        "uuid": "a", "type": "assistant", "userType": "external", "requestId": "r",
        "message": {"id": "m", "content": [{"type": "text", "text": "x", "more": 1}], "stop_reason": null,
            "usage": {"input_tokens": 3, "service_tier": "standard", "cache_creation": {"x": 1}}},
        "toolUseResult": {"stdout": "y"},
    });
    let selection = select(line.to_string().as_bytes()).expect("valid");
    assert_eq!(
        selection.fields,
        json!({
            "uuid": "a", "type": "assistant",
            "message": {"id": "m", "content": [{"type": "text", "text": "x", "more": 1}],
                "usage": {"input_tokens": 3}},
        })
    );
    assert_eq!(selection.report.expect("kept").get(), r#"{"stdout":"y"}"#);
}

#[test]
fn a_message_that_is_none_says_nothing() {
    for message in [
        json!(null),
        json!(1),
        json!(-1),
        json!(1.5),
        json!("x"),
        json!([1, {}]),
        json!(true),
    ] {
        let line = json!({"uuid": "a", "message": message});
        let selection = select(line.to_string().as_bytes()).expect("valid");
        assert_eq!(selection.fields, json!({"uuid": "a", "message": null}));
    }
}

#[test]
fn what_is_refused_is_refused_also_in_fields_that_are_not_kept() {
    for line in [
        r#"{"uuid":"a","x":"\q"}"#,
        r#"{"uuid":"a"} x"#,
        r#"{"uuid":"a""#,
    ] {
        assert!(select(line.as_bytes()).is_none(), "{line}");
    }
    let fields = select(b"[1]").map(|selection| selection.fields);
    assert_eq!(fields, Some(Value::Null));
}
