//! Colors and signs: two weights, four accents, and a plain letter for every sign.
//!
//! Only the terminal's own sixteen colors, so that the user's theme holds, light or dark. A
//! color never says anything alone.

use std::borrow::Cow;

use ratatui::style::{Color, Modifier, Style};

use crate::preview::Tone;

/// May colors be used?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Palette {
    #[default]
    Ansi,
    /// `NO_COLOR`: weights and underlines only.
    Plain,
}

/// Which signs the terminal can show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Glyphs {
    #[default]
    Unicode,
    Ascii,
}

impl Glyphs {
    /// The signs of a conversation's lines in letters that every terminal has, if need be.
    pub fn write(self, text: &str) -> Cow<'_, str> {
        if self == Self::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let letter = |c: char| match c {
            '▸' => '>',
            '▾' => 'v',
            '─' | '–' => '-',
            '│' | '▏' | '┆' => '|',
            '┼' => '+',
            '☑' => 'x',
            '☐' => 'o',
            '◐' => '~',
            '✗' | '⚠' => '!',
            '⑂' => 'Y',
            '●' => '*',
            '·' | '⋯' | '…' => '.',
            other => other,
        };
        Cow::Owned(text.chars().map(letter).collect())
    }
}

/// The accents, by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accents {
    /// What the user said or is about to do.
    pub you: Color,
    /// Alive, or added.
    pub live: Color,
    /// Needs the user.
    pub attention: Color,
    /// Broken, or removed.
    pub broken: Color,
}

impl Default for Accents {
    fn default() -> Self {
        Self {
            you: Color::Cyan,
            live: Color::Green,
            attention: Color::Yellow,
            broken: Color::Red,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Theme {
    pub palette: Palette,
    pub glyphs: Glyphs,
    pub accents: Accents,
}

/// The signs on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    pub prompt: &'static str,
    pub bar: &'static str,
    pub busy: &'static str,
    pub waiting: &'static str,
    pub idle: &'static str,
    pub expires: &'static str,
    /// Before the number of a session and its forks, and before that where they are open.
    pub forks: &'static str,
    pub opened: &'static str,
    /// Before a fork under the session that stands for it.
    pub relative: &'static str,
    /// Before a branch under the conversation that it left.
    pub twig: &'static str,
    pub last_twig: &'static str,
    /// For rows of one line: damaged, and interrupted.
    pub damaged: &'static str,
    pub interrupted: &'static str,
    /// Before a row that the user marked.
    pub marked: &'static str,
    pub dot: &'static str,
    /// Where a text is cut.
    pub cut: &'static str,
    pub horizontal: &'static str,
    pub vertical: &'static str,
    pub joint_down: &'static str,
    pub joint_up: &'static str,
    pub gutter: &'static str,
    pub spinner: &'static [&'static str],
    pub above: &'static str,
    pub below: &'static str,
}

const UNICODE: Signs = signs(0);
const ASCII: Signs = signs(1);

/// The signs of a terminal, and of one that only has letters.
const fn signs(at: usize) -> Signs {
    Signs {
        prompt: ["❯", ">"][at],
        bar: ["▌", ">"][at],
        busy: ["●", "*"][at],
        waiting: ["◐", "!"][at],
        idle: ["○", "o"][at],
        expires: ["⏳", "exp "][at],
        forks: ["⑂", "Y"][at],
        opened: ["▾", "-"][at],
        relative: ["└ ", "` "][at],
        twig: ["  ├ ", "  + "][at],
        last_twig: ["  └ ", "  ` "][at],
        damaged: ["✗ ", "x "][at],
        interrupted: ["! ", "! "][at],
        marked: ["✓ ", "+ "][at],
        dot: [" · ", " - "][at],
        cut: ["…", "..."][at],
        horizontal: ["─", "-"][at],
        vertical: ["│", "|"][at],
        joint_down: ["┬", "+"][at],
        joint_up: ["┴", "+"][at],
        gutter: ["│", "|"][at],
        spinner: if at == 0 {
            &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
        } else {
            &["|", "/", "-", "\\"]
        },
        above: ["↑", "^"][at],
        below: ["↓", "v"][at],
    }
}

impl Theme {
    pub fn signs(&self) -> &'static Signs {
        match self.glyphs {
            Glyphs::Unicode => &UNICODE,
            Glyphs::Ascii => &ASCII,
        }
    }

    pub fn text(self) -> Style {
        Style::new()
    }

    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Lays the sign of a match over another style.
    pub fn matched(self, base: Style) -> Style {
        base.remove_modifier(Modifier::DIM)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    pub fn you(self) -> Style {
        self.accent(self.accents.you)
    }

    pub fn live(self) -> Style {
        self.accent(self.accents.live)
    }

    pub fn attention(self) -> Style {
        self.accent(self.accents.attention)
    }

    pub fn broken(self) -> Style {
        self.accent(self.accents.broken)
    }

    /// How a text of the preview looks.
    pub fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Plain | Tone::Block => self.text(),
            Tone::Strong | Tone::Heading => self.strong(),
            Tone::Emphasis => Style::new().add_modifier(Modifier::ITALIC),
            Tone::Code | Tone::Name => self.you(),
            Tone::Quote | Tone::Dim | Tone::Fold | Tone::Comment => self.dim(),
            Tone::Link => Style::new().add_modifier(Modifier::UNDERLINED),
            Tone::Added | Tone::Quoted => self.live(),
            Tone::Keyword => self.accent(Color::Magenta),
            Tone::Number => self.attention(),
            Tone::Removed | Tone::Error => self.broken(),
        }
    }

    fn accent(self, color: Color) -> Style {
        match self.palette {
            Palette::Ansi => Style::new().fg(color),
            Palette::Plain => Style::new(),
        }
    }
}
