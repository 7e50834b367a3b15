//! `show` as text: the ledger of the preview, in a pager or a pipe.

use std::io::Write;
use std::{iter, mem};

use super::head::local;
use super::shown::{Portion, Shown};
use crate::cli::counted;
use crate::cli::surroundings::{Ink, Stdout};
use crate::preview::{
    Agents, CardFacts, LedgerHead, Manner, Options, PageLine, Painter, Span, Speaker, Syntaxes,
    Tone, damage, day_of, how_it_stopped, masthead, render_head, render_turn,
};
use crate::text::sanitize;
use crate::tui::Glyphs;

/// A narrower terminal has to wrap the lines itself.
const NARROWEST: usize = 30;
/// `Claude │ `
const MARGIN: usize = 9;

/// Prints the conversation as a ledger. Lines are not wrapped in a pipe.
pub fn print(
    out: &mut dyn Write,
    shown: &Shown,
    facts: &CardFacts,
    stdout: Stdout,
    glyphs: Glyphs,
) -> anyhow::Result<()> {
    let (columns, ink) = match stdout {
        Stdout::Terminal { columns, ink } => (columns.max(NARROWEST) - MARGIN, ink),
        Stdout::Pipe => (usize::MAX, Ink::Plain),
    };
    let style = Style { ink, glyphs };
    // Grammars take a while to load.
    let needs_syntaxes = ink == Ink::Colors && shown.overview.has_code;
    let syntaxes = needs_syntaxes.then(Syntaxes::load);
    let manner = Manner {
        options: &Options::default(),
        columns,
        clock: &local,
        painter: syntaxes.as_ref().map(|syntaxes| Painter {
            syntaxes,
            go_on: &|| true,
        }),
        agents: &Agents::default(),
        cwd: shown.cwd(),
    };
    let head = if shown.chain.breaks.gaps > 0 {
        LedgerHead::Gap
    } else {
        LedgerHead::Beginning
    };
    let mut page = String::new();
    if !shown.is_empty() {
        for spans in masthead(&shown.gist(), facts, columns) {
            style.spans(&mut page, &spans);
            page.push('\n');
        }
        page.push('\n');
    }
    for line in render_head(head, 0, manner) {
        style.line(&mut page, &line);
    }
    out.write_all(page.as_bytes())?;
    let mut day = None;
    let mut number = 0;
    // Blank lines are printed before the next line: the last turn ends without any.
    let mut blank = 0;
    shown.for_each_turn(&mut |turn| {
        page.clear();
        for line in render_turn(number, turn, day, manner) {
            if line.is_blank() {
                blank += 1;
                continue;
            }
            page.extend(iter::repeat_n('\n', mem::take(&mut blank)));
            style.line(&mut page, &line);
        }
        day = day_of(turn, manner.clock).or(day);
        number += 1;
        out.write_all(page.as_bytes())
    })
}

/// How text is printed.
#[derive(Clone, Copy)]
struct Style {
    ink: Ink,
    glyphs: Glyphs,
}

impl Style {
    fn line(self, page: &mut String, line: &PageLine) {
        if !line.is_blank() {
            let margin = match line.speaker {
                Speaker::You => "36",
                Speaker::Claude | Speaker::Peer | Speaker::Note | Speaker::Files => "2",
            };
            self.put(page, &format!("{:>6}", line.margin), Some(margin));
            self.put(page, " │ ", Some("2"));
            self.spans(page, &line.spans);
            page.truncate(page.trim_end_matches(' ').len());
        }
        page.push('\n');
    }

    fn spans(self, page: &mut String, spans: &[Span]) {
        for span in spans {
            self.put(page, &span.text, ansi(span.tone));
        }
    }

    fn put(self, page: &mut String, text: &str, code: Option<&str>) {
        let text = self.glyphs.write(text);
        match code {
            Some(code) => *page += &self.ink.paint(code, &text),
            None => *page += &text,
        }
    }
}

/// Colors of the terminal's own palette, so that its theme applies.
fn ansi(tone: Tone) -> Option<&'static str> {
    Some(match tone {
        Tone::Plain | Tone::Block => return None,
        Tone::Strong | Tone::Heading => "1",
        Tone::Emphasis => "3",
        Tone::Code | Tone::Name => "36",
        Tone::Keyword => "35",
        Tone::Number => "33",
        Tone::Quote | Tone::Dim | Tone::Fold | Tone::Comment => "2",
        Tone::Link => "4",
        Tone::Added | Tone::Quoted => "32",
        Tone::Removed | Tone::Error => "31",
    })
}

/// What was shown, and its problems, in one line.
pub fn closing_line(shown: &Shown) -> String {
    let messages = shown.chain.messages(&shown.index).count();
    let health = &shown.index.health;
    let mut notes = Vec::new();
    let stopped = how_it_stopped(&shown.digest.sent.interruption);
    notes.extend(stopped.map(|words| sanitize(&words).into_owned()));
    if shown.branches.len() > 1 && shown.portion == Portion::Resumed {
        let count = shown.branches.len();
        notes.push(format!("{count} branches: --branches lists them"));
    }
    if shown.begins_compacted() {
        notes.push("compacted: --before-compaction shows the part before".to_owned());
    }
    let reach = shown.tree().reach(&shown.chain);
    notes.extend(damage(health, shown.chain.breaks, reach));
    if shown.digest.mended > 0 {
        notes.push(counted(shown.digest.mended, "repaired line"));
    }
    if messages == 0 && health.lines > 0 {
        notes.push("there is no conversation in it".to_owned());
    }
    let messages = counted(messages, "message");
    if notes.is_empty() {
        messages
    } else {
        format!("{messages} ({})", notes.join("; "))
    }
}
