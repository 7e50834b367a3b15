use serde_json::{Value, json};

use super::Line;

#[test]
fn fields_are_the_same_however_the_line_was_parsed() {
    let line = json!({
        "uuid": "a", "type": "assistant", "userType": "external", "requestId": "r",
        "message": {"id": "m", "content": [{"type": "text", "text": "x", "more": 1}], "stop_reason": null,
            "usage": {"input_tokens": 3, "service_tier": "standard", "cache_creation": {"x": 1}}},
        "toolUseResult": {"stdout": "y"},
    });
    let strict = Line::parse(line.to_string().as_bytes());
    assert!(!strict.is_mended);
    for line in [strict, Line::mended(line)] {
        assert_eq!(line.uuid, "a");
        assert_eq!(line.message.id, "m");
        assert_eq!(line.message.content[0]["more"], 1);
        assert_eq!(line.message.usage.input, 3);
        assert_eq!(line.report(), json!({"stdout": "y"}));
    }
}

#[test]
fn of_two_fields_with_one_name_the_last_counts() {
    let line = Line::parse(br#"{"uuid":"a","uuid":"b"}"#);
    assert_eq!(line.uuid, "b");
}

#[test]
fn a_message_that_is_none_says_nothing() {
    for message in ["null", "1", "-1", "1.5", "\"x\"", "[1,{}]", "true"] {
        let line = format!(r#"{{"uuid":"a","message":{message}}}"#);
        let line = Line::parse(line.as_bytes());
        assert_eq!(line.uuid, "a");
        assert_eq!(line.message.content, Value::Null);
    }
}

#[test]
fn damage_is_noticed_in_fields_that_are_not_kept() {
    for line in [
        r#"{"uuid":"a","x":"\q"}"#,
        r#"{"uuid":"a"} x"#,
        r#"{"uuid":"a""#,
    ] {
        let line = Line::parse(line.as_bytes());
        assert!(line.is_mended && line.uuid == "a");
    }
}
