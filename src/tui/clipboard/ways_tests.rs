use std::path::PathBuf;

use super::{ClipboardEnv, Encoding, Multiplexer, System, VARIABLES, Way, Ways};

/// A way in a word or two; a program that is not installed has a `!`.
fn word(way: &Way) -> String {
    match way {
        Way::Missing(name) => format!("!{name}"),
        Way::Tool(tool) => {
            let mut words = vec![tool.path.display().to_string().replace("/bin/", "")];
            words.extend(tool.arguments.iter().cloned());
            words.extend(match tool.encoding {
                Encoding::Utf8 => None,
                Encoding::OfLocale => Some("(locale)".to_owned()),
                Encoding::Utf16 => Some("(UTF-16)".to_owned()),
            });
            words.join(" ")
        }
        Way::Tmux(_) => "tmux".to_owned(),
        Way::Terminal(Multiplexer::None) => "terminal".to_owned(),
        Way::Terminal(Multiplexer::Tmux) => "terminal in tmux".to_owned(),
        Way::Terminal(Multiplexer::Screen) => "terminal in screen".to_owned(),
        Way::Blindly => "blindly".to_owned(),
    }
}

/// Ways as one line: groups with a bar between them, after the configured command.
fn line(ways: &Ways) -> String {
    let group = |group: &Vec<Way>| group.iter().map(word).collect::<Vec<_>>().join(", ");
    let groups = ways.groups.iter().map(group).collect::<Vec<_>>();
    let configured = ways
        .configured
        .iter()
        .map(|way| format!("{} or else ", word(way)));
    configured.collect::<String>() + &groups.join(" | ")
}

/// What is tried where these variables are set and these programs are installed.
fn ways(system: System, set: &str, installed: &str, command: Option<&[&str]>) -> String {
    let set = set.split_whitespace().map(|name| {
        let known = VARIABLES.into_iter().find(|known| *known == name);
        known.unwrap_or_else(|| panic!("{name} is not read"))
    });
    let env = ClipboardEnv {
        command: command.map(|words| words.iter().map(|&word| word.to_owned()).collect()),
        system,
        set: set.collect(),
        search_path: None,
    };
    let is_installed = |name: &str| installed.split_whitespace().any(|one| one == name);
    line(&env.ways(|name| is_installed(name).then(|| PathBuf::from(format!("/bin/{name}")))))
}

/// A place, the variables that are set there, the programs that are installed, and what is tried.
#[rustfmt::skip]
const PLACES: &[[&str; 4]] = &[
    ["X11", "DISPLAY", ALL, "xclip -selection clipboard, xsel -b -i | terminal"],
    ["X11, one program", "DISPLAY", "xsel", "!xclip, xsel -b -i | terminal"],
    ["Wayland", "WAYLAND_DISPLAY", ALL, "wl-copy | terminal"],
    ["Wayland and X11", "WAYLAND_DISPLAY DISPLAY", ALL,
        "wl-copy, xclip -selection clipboard, xsel -b -i | terminal"],
    ["Wayland, no program", "WAYLAND_DISPLAY", "", "!wl-copy | terminal"],
    ["the console", "", ALL, "terminal"],
    ["WSL", "WSL_DISTRO_NAME WSL_INTEROP", "clip.exe", "clip.exe (UTF-16) | terminal"],
    ["WSL with a display", "WSL_INTEROP DISPLAY WAYLAND_DISPLAY", "clip.exe",
        "!wl-copy, !xclip, !xsel, clip.exe (UTF-16) | terminal"],
    ["SSH to WSL", "WSL_DISTRO_NAME SSH_CONNECTION", "clip.exe", "terminal"],
    ["SSH", "SSH_CONNECTION SSH_CLIENT SSH_TTY", ALL, "terminal"],
    ["SSH that forwards X11", "SSH_CONNECTION DISPLAY", ALL,
        "terminal | xclip -selection clipboard, xsel -b -i"],
    ["tmux on a display", "TMUX DISPLAY", ALL,
        "xclip -selection clipboard, xsel -b -i | tmux, blindly"],
    ["tmux over SSH", "TMUX SSH_TTY", ALL, "tmux, blindly"],
    ["tmux over SSH that forwards X11", "TMUX SSH_CLIENT DISPLAY", ALL,
        "tmux, blindly | xclip -selection clipboard, xsel -b -i"],
    ["a container in tmux", "TMUX", "", "!tmux, blindly"],
    ["screen", "STY", ALL, "terminal in screen"],
    ["tmux in screen, or screen in tmux", "STY TMUX", ALL, "tmux, blindly"],
];
const ALL: &str = "wl-copy xclip xsel tmux";

#[test]
fn the_environment_decides_what_is_tried() {
    for [place, set, installed, expected] in PLACES {
        let tried = ways(System::Other, set, installed, None);
        assert_eq!(tried, *expected, "{place}");
    }
}

#[test]
fn the_system_has_a_program_of_its_own() {
    for (system, set, expected) in [
        (System::MacOs, "", "pbcopy (locale) | terminal"),
        (System::MacOs, "SSH_CONNECTION SSH_TTY", "terminal"),
        (System::MacOs, "TMUX", "pbcopy (locale) | tmux, blindly"),
        (System::Windows, "", "clip.exe (UTF-16) | terminal"),
        (System::Windows, "SSH_CONNECTION", "terminal"),
    ] {
        let tried = ways(system, set, "pbcopy clip.exe tmux", None);
        assert_eq!(tried, expected, "{system:?} {set}");
    }
}

#[test]
fn a_configured_command_comes_first() {
    let command = ["my-copy", "--in", "a b"];
    assert_eq!(
        ways(System::Other, "TMUX", "my-copy tmux", Some(&command)),
        "my-copy --in a b or else tmux, blindly"
    );
    assert_eq!(
        ways(System::Other, "SSH_TTY DISPLAY", "xsel", Some(&command)),
        "!my-copy or else terminal | !xclip, xsel -b -i"
    );
}

#[test]
fn an_empty_command_leaves_it_to_the_terminal() {
    for (set, expected) in [
        ("DISPLAY", "terminal"),
        ("TMUX DISPLAY", "terminal in tmux"),
        ("STY", "terminal in screen"),
    ] {
        assert_eq!(ways(System::Other, set, "xclip tmux", Some(&[])), expected);
    }
    let pbcopy = ways(System::MacOs, "", "pbcopy", Some(&[]));
    assert_eq!(pbcopy, "terminal");
}
