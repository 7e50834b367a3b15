//! The tmux commands for a plan.

use super::launch::{Launch, Nested};
use super::plan::{CONFIG_DIR, Change, Plan};

/// Where in tmux a session is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    Window,
    /// A window in the background.
    Background,
    Split,
    Popup,
}

impl Split {
    /// What `--tmux` calls it; `None` if it cannot be asked for.
    pub fn option(self) -> Option<&'static str> {
        match self {
            Self::Window => Some("window"),
            Self::Split => Some("split"),
            Self::Popup => Some("popup"),
            Self::Background => None,
        }
    }
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
        self.command.first().map(String::as_str) == Some("tmux")
    }

    /// The plan with its command inside tmux. tmux passes a single argument to a shell, and several
    /// as they are.
    #[must_use]
    pub fn in_tmux(&self, split: Split, name: &str, launch: &Launch) -> Self {
        // Going to a pane needs no new one.
        if self.is_for_tmux() {
            return self.clone();
        }
        let mut command: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| command.extend(words.iter().map(|&word| one_word(word)));
        add(match split {
            Split::Window => &["tmux", "new-window"],
            Split::Background => &["tmux", "new-window", "-d"],
            Split::Split => &["tmux", "split-window", "-h"],
            Split::Popup => &["tmux", "display-popup", "-E", "-w", "90%", "-h", "90%"],
        });
        // tmux waits for a popup; of the others only the pane tells whether they run.
        if split != Split::Popup {
            add(&["-P", "-F", "#{pane_id}"]);
        }
        if matches!(split, Split::Window | Split::Background) {
            add(&["-n", &window_name(name)]);
        }
        if let Some(directory) = self.directory.as_ref().or(launch.here.as_ref()) {
            let option = if split == Split::Popup { "-d" } else { "-c" };
            // A path is not a format.
            add(&[option, &directory.to_string_lossy().replace('#', "##")]);
        }
        // A window gets the environment of the server, not ours. Even if the server was started by a
        // Claude Code, the window is not its child session.
        let mut changes = vec![Change::Remove(CHILD_SESSION)];
        changes.extend(self.environment.iter().cloned());
        if !changes.iter().any(|change| change.name() == CONFIG_DIR) {
            changes.push(match &launch.configured_root {
                Some(root) => Change::Set(CONFIG_DIR, root.clone()),
                // It may be set in the server.
                None => Change::Remove(CONFIG_DIR),
            });
        }
        let path = launch.search_path.as_ref();
        changes.extend(path.map(|path| Change::Set("PATH", path.into())));
        for change in &changes {
            if let Change::Set(name, value) = change {
                add(&["-e", &format!("{name}={}", value.to_string_lossy())]);
            }
        }
        add(&["--", "env"]);
        for change in &changes {
            if let Change::Remove(name) = change {
                add(&["-u", name]);
            }
        }
        if split == Split::Popup {
            add(&["sh", "-c", TELL_SIGNALS, "sh"]);
        }
        for word in &self.command {
            add(&[word]);
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
    let end = if word.ends_with(';') { "\\;" } else { "" };
    format!("{}{end}", word.strip_suffix(';').unwrap_or(word))
}

/// A short name without the characters of formats and targets.
fn window_name(name: &str) -> String {
    const LONGEST: usize = 30;
    let is_special = |c: char| matches!(c, '#' | ':' | '.') || c.is_control();
    let plain = name.replace(is_special, " ");
    let plain: String = plain.chars().take(LONGEST).collect();
    match plain.trim() {
        "" => "claude".to_owned(),
        plain => plain.to_owned(),
    }
}
