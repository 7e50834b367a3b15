//! The tmux commands for a plan.

use std::path::Path;

use super::launch::{Launch, Nested};
use super::plan::{Change, Plan};

/// Where in tmux a session is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    Window,
    /// A window in the background.
    Background,
    Split,
    Popup,
}

/// Goes to a pane: by switching inside tmux, by attaching outside. Of `session:@window.%pane` only the
/// pane keeps its name if a session is renamed or a window joined.
pub fn jump(pane: &str, nested: Nested) -> Vec<String> {
    let pane = pane.rfind('%').map_or(pane, |at| &pane[at..]);
    let verb = match nested {
        Nested::Tmux => "switch-client",
        Nested::No => "attach-session",
    };
    ["tmux", verb, "-t", pane].map(str::to_owned).to_vec()
}

/// With this set Claude Code saves no transcript.
const CHILD_SESSION: &str = "CLAUDE_CODE_CHILD_SESSION";

/// tmux returns the number of the signal that ended a popup's command as its exit code. A shell adds
/// the usual 128, and ignores an interrupt to live that long.
const TELL_SIGNALS: &str = r#"trap : INT; "$@"; exit $?"#;

impl Plan {
    /// Whether the command is tmux itself.
    pub fn is_for_tmux(&self) -> bool {
        self.command
            .first()
            .is_some_and(|program| program == "tmux")
    }

    /// The plan with its command inside tmux. tmux passes a single argument to a shell, and several
    /// as they are.
    #[must_use]
    pub fn in_tmux(&self, split: Split, name: &str, launch: &Launch) -> Self {
        // Going to a pane needs no new one.
        if self.is_for_tmux() {
            return self.clone();
        }
        let mut command = vec!["tmux".to_owned()];
        let verb: &[&str] = match split {
            Split::Window => &["new-window"],
            Split::Background => &["new-window", "-d"],
            Split::Split => &["split-window", "-h"],
            Split::Popup => &["display-popup", "-E", "-w", "90%", "-h", "90%"],
        };
        command.extend(verb.iter().map(|&word| word.to_owned()));
        // tmux waits for a popup; of the others only the pane tells whether they run.
        if split != Split::Popup {
            command.extend(["-P", "-F", "#{pane_id}"].map(str::to_owned));
        }
        if matches!(split, Split::Window | Split::Background) {
            command.extend(["-n".to_owned(), window_name(name)]);
        }
        let directory = self.directory.as_deref().or(launch.here.as_deref());
        if let Some(directory) = directory {
            let option = if split == Split::Popup { "-d" } else { "-c" };
            command.extend([option.to_owned(), literal(directory)]);
        }
        // A window gets the environment of the server, not ours. Even if the server was started by a
        // Claude Code, the window is not its child session.
        let mut removed = vec![CHILD_SESSION.to_owned()];
        for change in &self.environment {
            match change {
                Change::Set(name, value) => {
                    command.push("-e".to_owned());
                    command.push(format!("{name}={}", value.to_string_lossy()));
                }
                Change::Remove(name) => removed.push((*name).to_owned()),
            }
        }
        let is_decided = self.environment.iter().any(|change| {
            matches!(
                change,
                Change::Set("CLAUDE_CONFIG_DIR", _) | Change::Remove("CLAUDE_CONFIG_DIR")
            )
        });
        match &launch.configured_root {
            _ if is_decided => {}
            Some(root) => {
                command.push("-e".to_owned());
                command.push(format!("CLAUDE_CONFIG_DIR={}", root.to_string_lossy()));
            }
            // It may be set in the server.
            None => removed.push("CLAUDE_CONFIG_DIR".to_owned()),
        }
        if let Some(path) = &launch.search_path {
            command.push("-e".to_owned());
            command.push(format!("PATH={}", path.to_string_lossy()));
        }
        command.push("--".to_owned());
        command.push("env".to_owned());
        for name in removed {
            command.extend(["-u".to_owned(), name]);
        }
        if split == Split::Popup {
            command.extend(["sh", "-c", TELL_SIGNALS, "sh"].map(str::to_owned));
        }
        command.extend(self.command.iter().cloned());
        for word in &mut command {
            *word = one_word(word);
        }
        Self {
            command,
            directory: None,
            environment: Vec::new(),
            ..self.clone()
        }
    }
}

/// A word whose last character does not end the tmux command.
fn one_word(word: &str) -> String {
    match word.strip_suffix(';') {
        Some(before) => format!("{before}\\;"),
        None => word.to_owned(),
    }
}

/// A path that tmux does not expand as a format.
fn literal(path: &Path) -> String {
    path.to_string_lossy().replace('#', "##")
}

/// A short name without the characters of formats and targets.
fn window_name(name: &str) -> String {
    const LONGEST: usize = 30;
    let plain: String = name
        .chars()
        .map(|c| {
            if matches!(c, '#' | ':' | '.') || c.is_control() {
                ' '
            } else {
                c
            }
        })
        .take(LONGEST)
        .collect();
    let plain = plain.trim();
    if plain.is_empty() {
        "claude".to_owned()
    } else {
        plain.to_owned()
    }
}
