//! Where the conversation stopped: was Claude done, or was it cut off? `sent` decides.

use serde::Serialize;

/// Tools whose result is the end of a turn: they speak to the user directly.
pub const LAST_WORDS: [&str; 3] = ["SendUserMessage", "SendUserFile", "Brief"];

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Interruption {
    /// Claude had the last word.
    #[default]
    None,
    /// The last prompt was never answered.
    #[serde(rename_all = "camelCase")]
    Prompt { uuid: String, by: StoppedBy },
    /// Claude was at work: a tool had answered, or was still running.
    #[serde(rename_all = "camelCase")]
    Turn { uuid: String, by: StoppedBy },
}

/// What cut Claude off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum StoppedBy {
    /// The user pressed Esc.
    Person,
    /// The end of the program, while these tools were running.
    End { tools: Vec<String> },
    /// The API failed.
    ApiError { text: String },
}
