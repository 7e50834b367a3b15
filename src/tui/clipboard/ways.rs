//! The ways to a clipboard, in the order in which they are tried: a table over the environment.
//!
//! Pure: the command line reads the environment, and the caller says which programs there are.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

/// The variables that decide.
pub const VARIABLES: [&str; 9] = [
    "DISPLAY",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "STY",
    "TMUX",
    "WAYLAND_DISPLAY",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
];

/// The part of the environment that decides how a text gets to a clipboard.
#[derive(Debug, Clone, Default)]
pub struct ClipboardEnv {
    /// The configured command: its program and arguments. Empty for the terminal alone.
    pub command: Option<Vec<String>>,
    pub system: System,
    /// Which of `VARIABLES` are set to something.
    pub set: BTreeSet<&'static str>,
    /// The absolute folders of `PATH`.
    pub search_path: Option<OsString>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum System {
    MacOs,
    Windows,
    /// Linux and others, where the display decides.
    #[default]
    Other,
}

/// What is between the picker and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplexer {
    None,
    Tmux,
    /// GNU screen.
    Screen,
}

/// A program that reads the text from stdin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    pub path: PathBuf,
    pub arguments: Vec<String>,
    pub encoding: Encoding,
}

/// How a program reads text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// In the encoding of the locale, which has to be UTF-8.
    OfLocale,
    /// Without a byte-order mark, as Windows programs read it.
    Utf16,
}

/// One way to a clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A program that would be the right one and is not installed.
    Missing(String),
    Tool(Tool),
    /// tmux, which also passes the text to its terminal.
    Tmux(PathBuf),
    /// The terminal, by OSC 52. It confirms nothing.
    Terminal(Multiplexer),
    /// The terminal, through a tmux that did not take the text.
    Blindly,
}

/// All ways, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ways {
    /// The configured command. If it works, nothing else is tried.
    pub configured: Option<Way>,
    /// The clipboard here, and the one of the terminal, which may be far away. Of each group the first
    /// way that works ends it.
    pub groups: Vec<Vec<Way>>,
}

impl ClipboardEnv {
    /// The ways to try. `find` returns the path of a program that is installed.
    pub fn ways(&self, find: impl Fn(&str) -> Option<PathBuf>) -> Ways {
        let find = &find;
        let has = |name| self.set.contains(name);
        let multiplexer = match (has("TMUX"), has("STY")) {
            (true, _) => Multiplexer::Tmux,
            (false, true) => Multiplexer::Screen,
            (false, false) => Multiplexer::None,
        };
        let configured = match self.command.as_deref() {
            Some([]) => {
                return Ways {
                    configured: None,
                    groups: vec![vec![Way::Terminal(multiplexer)]],
                };
            }
            Some([name, arguments @ ..]) => {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                Some(tool(name, &arguments, Encoding::Utf8, find))
            }
            None => None,
        };
        let terminal = match multiplexer {
            Multiplexer::Tmux => {
                let missing = || Way::Missing("tmux".to_owned());
                vec![find("tmux").map_or_else(missing, Way::Tmux), Way::Blindly]
            }
            other => vec![Way::Terminal(other)],
        };
        let tools = self.tools(find);
        // Over a network the person sits at the terminal, and a display may hang.
        let groups = if self.is_remote() {
            [terminal, tools]
        } else {
            [tools, terminal]
        };
        Ways {
            configured,
            groups: groups.into_iter().filter(|it| !it.is_empty()).collect(),
        }
    }

    fn is_remote(&self) -> bool {
        let names = ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"];
        names.iter().any(|name| self.set.contains(name))
    }

    /// The programs for the clipboard here. Over a network only a display that is set leads to the
    /// person.
    fn tools(&self, find: &impl Fn(&str) -> Option<PathBuf>) -> Vec<Way> {
        let has = |name| self.set.contains(name);
        let is_wsl = has("WSL_DISTRO_NAME") || has("WSL_INTEROP");
        let mut tools = Vec::new();
        if self.system == System::MacOs && !self.is_remote() {
            tools.push(tool("pbcopy", &[], Encoding::OfLocale, find));
        }
        if has("WAYLAND_DISPLAY") {
            tools.push(tool("wl-copy", &[], Encoding::Utf8, find));
        }
        if has("DISPLAY") {
            let arguments = ["-selection", "clipboard"];
            tools.push(tool("xclip", &arguments, Encoding::Utf8, find));
            tools.push(tool("xsel", &["-b", "-i"], Encoding::Utf8, find));
        }
        if (is_wsl || self.system == System::Windows) && !self.is_remote() {
            tools.push(tool("clip.exe", &[], Encoding::Utf16, find));
        }
        tools
    }
}

fn tool(
    name: &str,
    arguments: &[&str],
    encoding: Encoding,
    find: &impl Fn(&str) -> Option<PathBuf>,
) -> Way {
    let Some(path) = find(name) else {
        return Way::Missing(name.to_owned());
    };
    Way::Tool(Tool {
        path,
        arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        encoding,
    })
}

#[cfg(test)]
#[path = "ways_tests.rs"]
mod tests;
