//! A key with its modifiers: read from an event or from text, written for people.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys with a name, and what else the configuration may call them.
const NAMES: [(KeyCode, &str, &str); 15] = [
    (KeyCode::Enter, "Enter", "return"),
    (KeyCode::Esc, "Esc", "escape"),
    (KeyCode::Tab, "Tab", "tab"),
    (KeyCode::BackTab, "Shift+Tab", "backtab"),
    (KeyCode::Char(' '), "Space", "space"),
    (KeyCode::Backspace, "Backspace", "backspace"),
    (KeyCode::Delete, "Del", "delete"),
    (KeyCode::Up, "Up", "up"),
    (KeyCode::Down, "Down", "down"),
    (KeyCode::Left, "Left", "left"),
    (KeyCode::Right, "Right", "right"),
    (KeyCode::Home, "Home", "home"),
    (KeyCode::End, "End", "end"),
    (KeyCode::PageUp, "PgUp", "pageup"),
    (KeyCode::PageDown, "PgDn", "pagedown"),
];

/// One key press, in the one form that all terminals agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Chord {
    /// The chord of an event. Shift is part of a character already, and some terminals say it
    /// twice.
    pub fn of(key: KeyEvent) -> Self {
        let wanted = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let mut modifiers = key.modifiers & wanted;
        let code = match key.code {
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => {
                KeyCode::Char(c.to_ascii_lowercase())
            }
            KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            other => other,
        };
        if matches!(code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers -= KeyModifiers::SHIFT;
        }
        Self { code, modifiers }
    }

    /// Reads `ctrl-t`, `alt-h`, `shift-left`, `f5`, `pgup`, `?`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text.trim();
        // A lone minus is a key and no separator.
        while let Some((modifier, key)) = rest.split_once(['-', '+'])
            && !modifier.is_empty()
            && !key.is_empty()
        {
            modifiers |= match modifier.to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "c" => KeyModifiers::CONTROL,
                "alt" | "meta" | "m" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => return None,
            };
            rest = key;
        }
        let name = rest.to_ascii_lowercase();
        let is_it = |(_, shown, other): &&(_, &str, &str)| {
            shown.eq_ignore_ascii_case(&name) || *other == name
        };
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next(), NAMES.iter().find(is_it)) {
            (Some(c), None, _) => KeyCode::Char(c),
            (.., Some((code, ..))) => *code,
            _ if name == "minus" => KeyCode::Char('-'),
            _ => KeyCode::F(name.strip_prefix('f')?.parse().ok()?),
        };
        Some(Self::of(KeyEvent::new(code, modifiers)))
    }

    /// The key as `parse` reads it.
    pub fn configured(self) -> String {
        match self.code {
            KeyCode::Char(c) if self.modifiers.is_empty() && c != ' ' => c.to_string(),
            KeyCode::Char('-') => self.to_string().to_lowercase().replace("+-", "-minus"),
            _ => self.to_string().to_lowercase().replace('+', "-"),
        }
    }

    /// The text that typing this key adds, if it is a key for typing.
    pub fn typed(key: KeyEvent) -> Option<char> {
        let chord = Self::of(key);
        match chord.code {
            KeyCode::Char(c) if chord.modifiers.is_empty() => Some(c),
            // AltGr on some keyboards arrives as both, with a character that is no letter.
            KeyCode::Char(c)
                if chord.modifiers == KeyModifiers::CONTROL | KeyModifiers::ALT
                    && !c.is_ascii_alphanumeric() =>
            {
                Some(c)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "Ctrl+"),
            (KeyModifiers::ALT, "Alt+"),
            (KeyModifiers::SHIFT, "Shift+"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        let named = NAMES.iter().find(|(code, ..)| *code == self.code);
        match (self.code, named) {
            (_, Some((_, name, _))) => f.write_str(name),
            (KeyCode::Char(c), None) if !self.modifiers.is_empty() => {
                write!(f, "{}", c.to_ascii_uppercase())
            }
            (code, None) => write!(f, "{code}"),
        }
    }
}
