//! Lines and spans: text with the names of what it is.

use crate::text::{sanitize_whole, size, width};
use crate::transcript::Image;

/// What a text is. The theme decides how that looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tone {
    Plain,
    Strong,
    Emphasis,
    Heading,
    Code,
    Quote,
    Link,
    /// Of less interest than the text around it.
    Dim,
    Added,
    Removed,
    Error,
    /// Something that can be opened.
    Fold,
    /// Code in a block of its own, and what its language makes of its words.
    Block,
    Keyword,
    Quoted,
    Number,
    Comment,
    Name,
}

/// A piece of a line, all of one tone. Its text is safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub tone: Tone,
}

impl Span {
    /// A span of stored text, made safe. A tab has no width of its own, so it becomes spaces.
    pub fn new(text: &str, tone: Tone) -> Self {
        let text = if text.contains('\t') {
            sanitize_whole(&text.replace('\t', "    ")).into_owned()
        } else {
            sanitize_whole(text).into_owned()
        };
        Self { text, tone }
    }

    /// The indentation of a continued or nested line.
    pub fn indent() -> Self {
        Self::new("  ", Tone::Plain)
    }

    pub fn width(&self) -> usize {
        width(&self.text)
    }
}

/// The text of a line without its tones.
pub fn plain_text(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

/// The columns that a line takes.
pub fn width_of(spans: &[Span]) -> usize {
    spans.iter().map(Span::width).sum()
}

/// A picture or another file, which a terminal only names.
pub fn picture(image: &Image) -> String {
    let kind = match image.media_type.as_deref() {
        Some(kind) if !kind.starts_with("image/") => "document",
        _ => "image",
    };
    format!("[{kind} {}]", size(image.bytes))
}

/// Whose words a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    You,
    Claude,
    /// Another session of Claude.
    Peer,
    /// The program: what happened to the conversation.
    Note,
    /// Remarks on the files: what they lack, or where the conversation goes on.
    Files,
}

/// Where in a conversation a line comes from: the anchor of a viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TurnPos {
    /// Counted from the first turn that was read; what is found before it later has numbers
    /// below zero, so that a turn keeps its own.
    pub turn: i64,
    /// The step of the turn; `None` for what opens it.
    pub step: Option<usize>,
}

impl TurnPos {
    /// What opens a turn.
    pub fn opening(turn: i64) -> Self {
        Self { turn, step: None }
    }

    pub fn step(turn: i64, step: usize) -> Self {
        let step = Some(step);
        Self { turn, step }
    }
}

/// A line of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLine {
    pub speaker: Speaker,
    /// The text in the margin: who speaks, or when.
    pub margin: String,
    pub spans: Vec<Span>,
    pub place: TurnPos,
    /// The fold that this line opens or closes.
    pub fold: Option<super::Fold>,
    /// The innermost open fold that contains it.
    pub within: Option<super::Fold>,
    /// The number of its call in the run that is at this place, if that is open.
    pub call: Option<usize>,
    /// Where in the conversation of an agent it comes from, if it is a line of one.
    pub of_agent: Option<TurnPos>,
}

impl PageLine {
    pub fn text(&self) -> String {
        plain_text(&self.spans)
    }

    /// Is it there only to keep others apart?
    pub fn is_blank(&self) -> bool {
        self.spans.is_empty() && self.margin.is_empty()
    }
}
