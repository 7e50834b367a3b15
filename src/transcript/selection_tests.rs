use serde_json::{Value, json};

use super::Selection;

fn line() -> Value {
    json!({
        "uuid": "a", "type": "assistant", "userType": "external", "requestId": "r",
        "message": {"id": "m", "content": [{"type": "text", "text": "x", "more": 1}], "stop_reason": null,
            "usage": {"input_tokens": 3, "service_tier": "standard", "cache_creation": {"x": 1}}},
        "toolUseResult": {"stdout": "y"},
    })
}

#[test]
fn only_what_counts_is_kept_however_it_was_parsed() {
    let strict = Selection::strict(line().to_string().as_bytes()).expect("valid");
    for selection in [strict, Selection::of(line())] {
        let (line, message, usage) = (&selection.line, &selection.message, &selection.usage);
        assert_eq!(line.get("uuid"), "a");
        assert_eq!(line.get("userType"), &Value::Null);
        assert_eq!(message.get("id"), "m");
        assert_eq!(message.get("content")[0]["more"], 1);
        assert_eq!(usage.get("input_tokens"), 3);
        assert_eq!(usage.get("service_tier"), &Value::Null);
        let report = selection.report.as_ref().expect("kept");
        assert_eq!(report.get(), r#"{"stdout":"y"}"#);
    }
}

#[test]
fn of_two_fields_with_one_name_the_last_counts() {
    let selection = Selection::strict(br#"{"uuid":"a","uuid":"b"}"#).expect("valid");
    assert_eq!(selection.line.get("uuid"), "b");
}

#[test]
fn a_message_that_is_none_says_nothing() {
    for message in ["null", "1", "-1", "1.5", "\"x\"", "[1,{}]", "true"] {
        let line = format!(r#"{{"uuid":"a","message":{message}}}"#);
        let selection = Selection::strict(line.as_bytes()).expect("valid");
        assert_eq!(selection.line.get("uuid"), "a");
        assert_eq!(selection.message.get("content"), &Value::Null);
    }
}

#[test]
fn what_is_refused_is_refused_also_in_fields_that_are_not_kept() {
    for line in [
        r#"{"uuid":"a","x":"\q"}"#,
        r#"{"uuid":"a"} x"#,
        r#"{"uuid":"a""#,
    ] {
        assert!(Selection::strict(line.as_bytes()).is_none(), "{line}");
    }
}
