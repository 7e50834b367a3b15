use super::{LastState, left, model};

#[test]
fn the_model_is_found_wherever_it_stands_in_an_answer() {
    let cases: [(&str, Option<&str>); 4] = [
        (
            r#"{"parentUuid":null,"message":{"model":"opus","id":"m","content":[]},"type":"assistant","uuid":"a"}"#,
            Some("opus"),
        ),
        (
            r#"{"parentUuid":null,"type":"assistant","message":{"role":"assistant","content":[{"model":"inner"}],"model":"opus"},"uuid":"a"}"#,
            Some("opus"),
        ),
        (
            r#"{"parentUuid":null,"message":{"model":"<synthetic>","content":[]},"type":"assistant","uuid":"a"}"#,
            None,
        ),
        (
            r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"x","model":"no"},"uuid":"a"}"#,
            None,
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(
            model(line.as_bytes()),
            expected.map(str::as_bytes),
            "{line}"
        );
    }
}

#[test]
fn the_last_message_tells_how_it_was_left() {
    let cases: [(&str, Option<LastState>); 9] = [
        (
            r#"{"parentUuid":null,"message":{"model":"opus","content":[{"type":"text","text":"x"}]},"type":"assistant","uuid":"a"}"#,
            Some(LastState::Answered),
        ),
        (
            r#"{"parentUuid":null,"message":{"model":"opus","content":[{"type":"tool_use","id":"t"}]},"type":"assistant","uuid":"a"}"#,
            Some(LastState::AtWork),
        ),
        (
            r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"x"}]},"uuid":"a"}"#,
            Some(LastState::AtWork),
        ),
        (
            r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"x"},"uuid":"a"}"#,
            Some(LastState::Asked),
        ),
        (
            r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"x"},"isMeta":true,"uuid":"a"}"#,
            Some(LastState::Answered),
        ),
        (
            r#"{"parentUuid":null,"isSidechain":true,"type":"user","message":{"role":"user","content":"x"},"uuid":"a"}"#,
            None,
        ),
        // What comes before these tells.
        (
            r#"{"parentUuid":null,"attachment":{"type":"prompt_snapshot"},"type":"attachment","uuid":"a"}"#,
            None,
        ),
        (
            r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"<command-name>/mcp</command-name>"},"uuid":"a"}"#,
            None,
        ),
        (
            r#"{"parentUuid":null,"message":{"model":"<synthetic>","content":[{"type":"text","text":"x"}]},"type":"assistant","isApiErrorMessage":true,"uuid":"a"}"#,
            None,
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(left(line.as_bytes()), expected, "{line}");
    }
}
