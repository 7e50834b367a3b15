//! The table itself. The order is that of the help screen; footers take their lines in it too.
//!
//! No action lives only on Ctrl+A, Ctrl+B, Ctrl+W or Ctrl+S, which tmux, screen and readline use.

use super::{Action, Edit, KeyLayer, Motion};

/// A heading of the help screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HelpGroup {
    Move,
    Act,
    Show,
    History,
    Edit,
}

impl HelpGroup {
    pub const ALL: [Self; 5] = [Self::Move, Self::Act, Self::Show, Self::History, Self::Edit];

    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Act => "Do",
            Self::Show => "View",
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
    pub layer: KeyLayer,
    pub group: HelpGroup,
    /// What it does, for the help screen.
    pub help: &'static str,
    /// The word for the footer, for keys that matter at first sight.
    pub footer: Option<&'static str>,
}

const fn line(
    name: &'static str,
    action: Action,
    keys: &'static str,
    layer: KeyLayer,
    group: HelpGroup,
    help: &'static str,
) -> Binding {
    Binding {
        name,
        action,
        keys,
        layer,
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
pub const TABLE: &[Binding] = {
    use Action as A;
    use HelpGroup as G;
    use KeyLayer as L;
    use Motion as M;
    &[
    line("resume", A::Resume, "enter", L::SessionList, G::Act, "resume the session").footer("resume"),
    line("fork", A::Fork, "alt-g alt-enter", L::Sessions, G::Act, "resume in a fork"),
    line("choose", A::Choose, "enter", L::Card, G::Act, "on a card: take the choice (or press its digit)").footer("choose"),
    line("complete-path", A::Complete, "tab", L::Entry, G::Act, "on a card: complete the directory").footer("complete"),
    line("open", A::Toggle, "enter", L::Conversation, G::Act, "expand or collapse; on a message, resume").footer("resume"),
    line("find-done", A::FindDone, "enter", L::Find, G::Act, "in the find bar: go to the match").footer("done"),
    line("show-branch", A::ShowBranch, "enter", L::Branches, G::Act, "preview the branch").footer("preview it"),
    line("go-to-session", A::GoToSession, "enter", L::Prompts, G::History, "open the session at the prompt").footer("go to session"),
    line("focus", A::SwitchPane, "tab backtab", L::Panes, G::Move, "switch between the list and the preview").footer("read"),

    line("history-scope", A::PromptScope, "ctrl-r ctrl-t f2", L::Prompts, G::History, "scope: this session, this project, all").footer("scope"),
    line("copy-prompt", A::CopyPrompt, "alt-y", L::Prompts, G::History, "copy the prompt and what was pasted").footer("copy"),
    line("new-session", A::NewSession, "alt-n", L::Prompts, G::History, "start a new session with the prompt, in its project").footer("new session"),
    line("resume-past", A::ResumePrompt, "alt-r", L::Prompts, G::History, "resume the session of the prompt").footer("resume"),
    line("read-copy-prompt", A::CopyPrompt, "y", L::Prompt, G::History, "copy the prompt, while reading"),

    line("up", A::Move(M::Lines(-1)), "up ctrl-p ctrl-k", L::Move, G::Move, "up"),
    line("down", A::Move(M::Lines(1)), "down ctrl-n ctrl-j", L::Move, G::Move, "down"),
    line("page-up", A::Move(M::Pages(-1)), "pgup", L::Move, G::Move, "page up"),
    line("page-down", A::Move(M::Pages(1)), "pgdn", L::Move, G::Move, "page down"),
    line("first", A::Move(M::First), "home alt-<", L::Move, G::Move, "to the first"),
    line("last", A::Move(M::Last), "end alt->", L::Move, G::Move, "to the last"),
    line("read-up", A::Move(M::Lines(-1)), "k", L::Letters, G::Move, "up, while reading"),
    line("read-down", A::Move(M::Lines(1)), "j", L::Letters, G::Move, "down, while reading"),
    line("read-page-up", A::Move(M::Pages(-1)), "ctrl-u ctrl-b", L::Letters, G::Move, "page up, while reading"),
    line("read-page-down", A::Move(M::Pages(1)), "space ctrl-f ctrl-d", L::Letters, G::Move, "page down, while reading"),
    line("read-first", A::Move(M::First), "g", L::Letters, G::Move, "to the beginning, while reading"),
    line("read-last", A::Move(M::Last), "G", L::Letters, G::Move, "to the end, while reading"),
    line("preview-up", A::ScrollPreview(M::Lines(-1)), "shift-up alt-k", L::SessionList, G::Move, "scroll the preview up, from the list"),
    line("preview-down", A::ScrollPreview(M::Lines(1)), "shift-down alt-j", L::SessionList, G::Move, "scroll the preview down, from the list"),
    line("preview-page-up", A::ScrollPreview(M::Pages(-1)), "alt-pgup alt-u", L::SessionList, G::Move, "page the preview up, from the list"),
    line("preview-page-down", A::ScrollPreview(M::Pages(1)), "alt-pgdn", L::SessionList, G::Move, "page the preview down, from the list"),
    line("find", A::Find, "/", L::Text, G::Move, "find in this conversation or prompt").footer("find"),
    line("next-match", A::NextMatch, "n", L::Text, G::Move, "to the next match").footer("next match"),
    line("previous-match", A::PreviousMatch, "N", L::Text, G::Move, "to the previous match"),
    line("next-prompt", A::NextPrompt, "}", L::Conversation, G::Move, "to your next prompt"),
    line("previous-prompt", A::PreviousPrompt, "{", L::Conversation, G::Move, "to your previous prompt"),

    line("copy-message", A::CopyMessage, "y", L::Conversation, G::Act, "copy the message under the cursor").footer("copy"),
    line("open-message", A::OpenMessage, "e", L::Text, G::Act, "open the message or prompt in $PAGER"),
    line("edit-message", A::EditMessage, "E", L::Text, G::Act, "open the message or prompt in $EDITOR"),
    line("mark", A::Mark, "alt-x f10", L::SessionList, G::Act, "mark/unmark, to copy or open several"),
    line("copy-id", A::CopyId, "alt-i", L::Panes, G::Act, "copy the session's id"),
    line("copy-command", A::CopyCommand, "alt-c", L::Panes, G::Act, "copy the command that resumes it"),
    line("copy-path", A::CopyPath, "alt-w", L::Panes, G::Act, "copy the path of the transcript"),
    line("refresh", A::Refresh, "f5 ctrl-l", L::Global, G::Act, "refresh"),
    line("back", A::Back, "esc", L::Global, G::Act, "clear what is typed, go back, quit"),
    line("read-back", A::Back, "q", L::Letters, G::Act, "back, while reading").footer("back"),
    line("interrupt", A::Interrupt, "ctrl-c", L::Global, G::Act, "quit at once"),
    line("suspend", A::Suspend, "ctrl-z", L::Global, G::Act, "suspend (fg comes back)"),

    line("scope", A::Scope, "ctrl-t f2", L::Sessions, G::Show, "this repository or all projects").footer("all projects"),
    line("history", A::Prompts, "ctrl-r", L::Sessions, G::Show, "the prompt history of every project").footer("history"),
    line("deleted", A::Deleted, "alt-l", L::Panes, G::Show, "deleted sessions (prompts only)"),
    line("sort", A::Sort, "alt-s f3", L::Sessions, G::Show, "sort by activity, start, size, title"),
    line("hidden", A::Hidden, "alt-h f4", L::Sessions, G::Show, "show hidden sessions"),
    line("forks", A::Forks, "alt-r f9", L::Sessions, G::Show, "expand or collapse the forks and copies of a session"),
    line("folds", A::Folds, "o", L::Conversation, G::Show, "level: prompts, answers, everything").footer("levels"),
    line("thinking", A::Thinking, "t", L::Conversation, G::Show, "thinking on/off"),
    line("noise", A::Noise, "s", L::Conversation, G::Show, "hook and Claude Code notes on/off"),
    line("branches", A::Branches, "b", L::Conversation, G::Show, "the branches that /rewind left").footer("branches"),
    line("preview", A::TogglePreview, "alt-p f6", L::Panes, G::Show, "preview on/off"),
    line("density", A::Density, "alt-v f7", L::Sessions, G::Show, "one, two or three lines per row"),
    line("grow-preview", A::GrowPreview, "shift-left alt-=", L::Panes, G::Show, "more room for the preview"),
    line("shrink-preview", A::ShrinkPreview, "shift-right alt-minus", L::Panes, G::Show, "less room for the preview"),
    line("mouse", A::Mouse, "alt-m f8", L::Global, G::Show, "mouse on/off (off: select text)"),
    line("help", A::Help, "f1", L::Global, G::Show, "this screen"),
    line("help-at-once", A::Help, "?", L::Hint, G::Show, "this screen, while nothing is typed").footer("keys"),

    line("take-suggestion", A::TakeSuggestion, "alt-y", L::SessionList, G::Edit, "when nothing is found: take the suggested words"),
    line("cursor-left", A::Edit(Edit::Left), "left ctrl-b", L::Edit, G::Edit, "left"),
    line("cursor-right", A::Edit(Edit::Right), "right ctrl-f", L::Edit, G::Edit, "right; at the end, complete project:, branch: …"),
    line("word-left", A::Edit(Edit::WordLeft), "alt-b ctrl-left alt-left", L::Edit, G::Edit, "a word left"),
    line("word-right", A::Edit(Edit::WordRight), "alt-f ctrl-right alt-right", L::Edit, G::Edit, "a word right"),
    line("line-start", A::Edit(Edit::Start), "ctrl-a", L::Edit, G::Edit, "to the start"),
    line("line-end", A::Edit(Edit::End), "ctrl-e", L::Edit, G::Edit, "to the end"),
    line("delete-back", A::Edit(Edit::DeleteBack), "backspace ctrl-h", L::Edit, G::Edit, "delete before the cursor"),
    line("delete-forward", A::Edit(Edit::DeleteForward), "del ctrl-d", L::Edit, G::Edit, "delete under the cursor"),
    line("delete-word-back", A::Edit(Edit::DeleteWordBack), "ctrl-w alt-backspace", L::Edit, G::Edit, "delete the previous word"),
    line("delete-word-forward", A::Edit(Edit::DeleteWordForward), "alt-d", L::Edit, G::Edit, "delete the next word"),
    line("delete-to-start", A::Edit(Edit::DeleteToStart), "ctrl-u", L::Edit, G::Edit, "delete to the start"),
    ]
};
