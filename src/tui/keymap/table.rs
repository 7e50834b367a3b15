//! The table itself. The order is that of the help screen; footers take their lines in it too.
//!
//! No action lives only on Ctrl+A, Ctrl+B, Ctrl+W or Ctrl+S, which tmux, screen and readline use.

use super::{Action, Edit, Place};

/// A heading of the help screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Move,
    Act,
    Show,
    History,
    Edit,
}

impl Group {
    pub const ALL: [Self; 5] = [Self::Move, Self::Act, Self::Show, Self::History, Self::Edit];

    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Act => "Do",
            Self::Show => "Look",
            Self::History => "In the history",
            Self::Edit => "Query",
        }
    }
}

/// One line of the table.
#[derive(Debug)]
pub struct Binding {
    /// What the configuration calls it. Two lines of one action have names of their own.
    pub name: &'static str,
    pub action: Action,
    /// Keys with a space between them, the one to show first.
    pub keys: &'static str,
    pub places: &'static [Place],
    pub group: Group,
    /// What it does, for the help screen.
    pub help: &'static str,
    /// The word for the footer, for keys that matter at first sight.
    pub footer: Option<&'static str>,
}

/// Also where something is asked.
const ALWAYS: &[Place] = &[
    Place::Typing,
    Place::List,
    Place::Preview,
    Place::Finding,
    Place::Branches,
    Place::Help,
    Place::Card,
    Place::Entry,
    Place::History,
    Place::HistoryTyping,
    Place::HistoryPreview,
    Place::HistoryFinding,
    Place::HistoryFound,
];
const LISTED: &[Place] = &[
    Place::Typing,
    Place::List,
    Place::Preview,
    Place::Finding,
    Place::Branches,
    Place::Help,
    Place::Card,
    Place::History,
    Place::HistoryTyping,
    Place::HistoryPreview,
    Place::HistoryFinding,
    Place::HistoryFound,
];
const PANES: &[Place] = &[Place::Typing, Place::List, Place::Preview];
/// Wherever there are two panes.
const SPLIT: &[Place] = &[
    Place::Typing,
    Place::List,
    Place::Preview,
    Place::History,
    Place::HistoryTyping,
    Place::HistoryPreview,
    Place::HistoryFound,
];
const LISTS: &[Place] = &[Place::Typing, Place::List];
/// Wherever there is a line to type in.
const QUERY: &[Place] = &[
    Place::Typing,
    Place::List,
    Place::Finding,
    Place::Entry,
    Place::History,
    Place::HistoryTyping,
    Place::HistoryFinding,
];
const HISTORY: &[Place] = &[
    Place::History,
    Place::HistoryTyping,
    Place::HistoryPreview,
    Place::HistoryFound,
];
const PROMPT: &[Place] = &[Place::HistoryPreview, Place::HistoryFound];
const READING: &[Place] = &[
    Place::Preview,
    Place::Branches,
    Place::Help,
    Place::Card,
    Place::HistoryPreview,
    Place::HistoryFound,
];
const CARDS: &[Place] = &[Place::Card, Place::Entry];
const PREVIEW: &[Place] = &[Place::Preview];
/// Wherever a text is read.
const TEXT: &[Place] = &[Place::Preview, Place::HistoryPreview, Place::HistoryFound];
const MATCHES: &[Place] = &[Place::Preview, Place::HistoryFound];

const fn line(
    name: &'static str,
    action: Action,
    keys: &'static str,
    places: &'static [Place],
    group: Group,
    help: &'static str,
) -> Binding {
    Binding {
        name,
        action,
        keys,
        places,
        group,
        help,
        footer: None,
    }
}

impl Binding {
    const fn footer(self, word: &'static str) -> Self {
        Self {
            footer: Some(word),
            ..self
        }
    }
}

#[rustfmt::skip]
pub const TABLE: &[Binding] = &[
    line("resume", Action::Resume, "enter", LISTS, Group::Act, "resume the session").footer("resume"),
    line("fork", Action::Fork, "alt-g alt-enter", PANES, Group::Act, "go on in a copy of it (a fork)"),
    line("choose", Action::Choose, "enter", CARDS, Group::Act, "take the choice, on a card; a number takes it at once").footer("choose"),
    line("complete-path", Action::CompletePath, "tab", &[Place::Entry], Group::Act, "complete the directory, on a card").footer("complete"),
    line("open", Action::Open, "enter", &[Place::Preview, Place::Finding, Place::Branches, Place::HistoryFinding], Group::Act, "open or close what is folded under the cursor, else resume").footer("resume"),
    line("go-to-session", Action::GoToSession, "enter", HISTORY, Group::History, "to the session of the prompt, where it was asked").footer("go to session"),
    line("focus", Action::SwitchFocus, "tab backtab", SPLIT, Group::Move, "to the preview and back").footer("read"),

    line("history-scope", Action::HistoryScope, "ctrl-r ctrl-t f2", HISTORY, Group::History, "this session's prompts, this project's, all").footer("scope"),
    line("copy-prompt", Action::CopyPrompt, "alt-y", HISTORY, Group::History, "copy the prompt, with what was pasted").footer("copy"),
    line("new-session", Action::NewSession, "alt-n", HISTORY, Group::History, "start a new session in its project with it").footer("new session"),
    line("resume-past", Action::ResumePast, "alt-r", HISTORY, Group::History, "resume the session of the prompt").footer("resume"),
    line("read-copy-prompt", Action::CopyPrompt, "y", PROMPT, Group::History, "copy it, while reading"),

    line("up", Action::Up, "up ctrl-p ctrl-k", LISTED, Group::Move, "up"),
    line("down", Action::Down, "down ctrl-n ctrl-j", LISTED, Group::Move, "down"),
    line("page-up", Action::PageUp, "pgup", LISTED, Group::Move, "a page up"),
    line("page-down", Action::PageDown, "pgdn", LISTED, Group::Move, "a page down"),
    line("first", Action::First, "home alt-<", LISTED, Group::Move, "to the first"),
    line("last", Action::Last, "end alt->", LISTED, Group::Move, "to the last"),
    line("read-up", Action::Up, "k", READING, Group::Move, "up, while reading"),
    line("read-down", Action::Down, "j", READING, Group::Move, "down, while reading"),
    line("read-page-up", Action::PageUp, "ctrl-u ctrl-b", READING, Group::Move, "a page up, while reading"),
    line("read-page-down", Action::PageDown, "space ctrl-f ctrl-d", READING, Group::Move, "a page down, while reading"),
    line("read-first", Action::First, "g", READING, Group::Move, "to the beginning, while reading"),
    line("read-last", Action::Last, "G", READING, Group::Move, "to the end, while reading"),
    line("preview-up", Action::PreviewUp, "shift-up alt-k", LISTS, Group::Move, "scroll the preview up, from the list"),
    line("preview-down", Action::PreviewDown, "shift-down alt-j", LISTS, Group::Move, "scroll the preview down, from the list"),
    line("preview-page-up", Action::PreviewPageUp, "alt-pgup alt-u", LISTS, Group::Move, "a page of the preview up, from the list"),
    line("preview-page-down", Action::PreviewPageDown, "alt-pgdn", LISTS, Group::Move, "a page of the preview down, from the list"),
    line("find", Action::Find, "/", TEXT, Group::Move, "find something in this conversation, or in a prompt").footer("find"),
    line("next-match", Action::NextMatch, "n", MATCHES, Group::Move, "to the next match in the preview").footer("next match"),
    line("previous-match", Action::PreviousMatch, "N", MATCHES, Group::Move, "to the match before"),
    line("next-prompt", Action::NextPrompt, "}", PREVIEW, Group::Move, "to your next prompt"),
    line("previous-prompt", Action::PreviousPrompt, "{", PREVIEW, Group::Move, "to your prompt before"),

    line("copy-message", Action::CopyMessage, "y", PREVIEW, Group::Act, "copy the message under the cursor").footer("copy"),
    line("open-message", Action::OpenMessage, "e", TEXT, Group::Act, "open the message or the prompt in $PAGER, else in $EDITOR"),
    line("edit-message", Action::EditMessage, "E", TEXT, Group::Act, "open it in $EDITOR"),
    line("mark", Action::Mark, "alt-x f10", LISTS, Group::Act, "mark it or not: all that are marked are copied, or open in tmux windows"),
    line("copy-id", Action::CopyId, "alt-i", SPLIT, Group::Act, "copy the session's id"),
    line("copy-command", Action::CopyCommand, "alt-c", SPLIT, Group::Act, "copy the command that resumes it"),
    line("copy-path", Action::CopyPath, "alt-w", SPLIT, Group::Act, "copy the path of its file"),
    line("refresh", Action::Refresh, "f5 ctrl-l", ALWAYS, Group::Act, "look at the disk again"),
    line("back", Action::Back, "esc", ALWAYS, Group::Act, "back: clear what is typed, close what is open, quit"),
    line("read-back", Action::Back, "q", READING, Group::Act, "back, while reading").footer("back"),
    line("interrupt", Action::Interrupt, "ctrl-c", ALWAYS, Group::Act, "quit at once"),
    line("suspend", Action::Suspend, "ctrl-z", ALWAYS, Group::Act, "suspend (fg comes back)"),

    line("scope", Action::Scope, "ctrl-t f2", PANES, Group::Show, "this repository or all projects").footer("all projects"),
    line("history", Action::History, "ctrl-r", PANES, Group::Show, "the history: what you asked, in every project").footer("history"),
    line("deleted", Action::Deleted, "alt-l", SPLIT, Group::Show, "deleted sessions: what is left are their prompts"),
    line("sort", Action::Sort, "alt-s f3", PANES, Group::Show, "sort by activity, beginning, size, title"),
    line("hidden", Action::HiddenKinds, "alt-h f4", PANES, Group::Show, "show what is hidden"),
    line("forks", Action::Forks, "alt-r f9", PANES, Group::Show, "open or close the forks and copies of a session"),
    line("folds", Action::Folds, "o", PREVIEW, Group::Show, "prompts only, answers too, everything open").footer("levels"),
    line("thinking", Action::Thinking, "t", PREVIEW, Group::Show, "thinking on or off"),
    line("noise", Action::Noise, "s", PREVIEW, Group::Show, "what hooks and Claude Code itself wrote, on or off"),
    line("branches", Action::Branches, "b", PREVIEW, Group::Show, "the branches that rewinding left").footer("branches"),
    line("preview", Action::TogglePreview, "alt-p f6", SPLIT, Group::Show, "preview on or off"),
    line("density", Action::Density, "alt-v f7", PANES, Group::Show, "rows of one, two or three lines"),
    line("grow-preview", Action::GrowPreview, "shift-left alt-=", SPLIT, Group::Show, "more room for the preview"),
    line("shrink-preview", Action::ShrinkPreview, "shift-right alt-minus", SPLIT, Group::Show, "less room for the preview"),
    line("mouse", Action::Mouse, "alt-m f8", ALWAYS, Group::Show, "mouse on or off (off: select text)"),
    line("help", Action::Help, "f1", ALWAYS, Group::Show, "this screen"),
    line("help-at-once", Action::Help, "?", &[Place::List, Place::Preview, Place::Help, Place::History, Place::HistoryPreview, Place::HistoryFound], Group::Show, "this screen, while the query is empty").footer("keys"),

    line("cursor-left", Action::Edit(Edit::Left), "left ctrl-b", QUERY, Group::Edit, "a character left"),
    line("cursor-right", Action::Edit(Edit::Right), "right ctrl-f", QUERY, Group::Edit, "a character right; at the end: complete project:, branch: …"),
    line("word-left", Action::Edit(Edit::WordLeft), "alt-b ctrl-left alt-left", QUERY, Group::Edit, "a word left"),
    line("word-right", Action::Edit(Edit::WordRight), "alt-f ctrl-right alt-right", QUERY, Group::Edit, "a word right"),
    line("line-start", Action::Edit(Edit::Start), "ctrl-a", QUERY, Group::Edit, "to the start of the query"),
    line("line-end", Action::Edit(Edit::End), "ctrl-e", QUERY, Group::Edit, "to the end of the query"),
    line("delete-back", Action::Edit(Edit::DeleteBack), "backspace ctrl-h", QUERY, Group::Edit, "delete before the cursor"),
    line("delete-forward", Action::Edit(Edit::DeleteForward), "del ctrl-d", QUERY, Group::Edit, "delete under the cursor"),
    line("delete-word-back", Action::Edit(Edit::DeleteWordBack), "ctrl-w alt-backspace", QUERY, Group::Edit, "delete the word before"),
    line("delete-word-forward", Action::Edit(Edit::DeleteWordForward), "alt-d", QUERY, Group::Edit, "delete the word behind"),
    line("delete-to-start", Action::Edit(Edit::DeleteToStart), "ctrl-u", QUERY, Group::Edit, "delete to the start"),
];
