//! `show` for people: the ledger of the preview, through a pager or into a pipe.

use std::fmt::Write as _;
use std::io::Write;
use std::{iter, mem};

use chrono::{DateTime, Local};

use super::shown::{Shown, Span};
use crate::cli::surroundings::{Ink, Stdout};
use crate::preview::{
    self, Agents, CardFacts, LedgerHead, Manner, Options, PageLine, Painter, Speaker, Syntaxes,
    Tone, damage, day_of, how_it_stopped, masthead, render_head, render_turn,
};
use crate::text::sanitize;
use crate::tui::Glyphs;

/// A terminal narrower than this gets lines that it breaks itself.
const NARROWEST: usize = 30;
/// `Claude │ `
const MARGIN: usize = 9;

/// Prints the conversation as a ledger. In a pipe lines are not broken: whoever reads them can.
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
    let clock = |at: i64| {
        let time = DateTime::from_timestamp_millis(at)?;
        Some(time.with_timezone(&Local).naive_local())
    };
    // Their languages take a while to load: only for code, and only where it can be seen.
    let has_colours = ink == Ink::Colours && shown.overview.has_code;
    let syntaxes = has_colours.then(Syntaxes::load);
    let manner = Manner {
        options: &Options::default(),
        columns,
        clock: &clock,
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
            print_spans(&mut page, &spans, ink, glyphs);
            page.push('\n');
        }
        page.push('\n');
    }
    for line in render_head(head, 0, manner) {
        print_line(&mut page, &line, ink, glyphs);
    }
    out.write_all(page.as_bytes())?;
    let mut day = None;
    let mut number = 0;
    // Blank lines wait for what follows them: the last turn ends without any.
    let mut blank = 0;
    shown.for_each_turn(&mut |turn| {
        page.clear();
        for line in render_turn(number, turn, day, manner) {
            if line.is_blank() {
                blank += 1;
                continue;
            }
            page.extend(iter::repeat_n('\n', mem::take(&mut blank)));
            print_line(&mut page, &line, ink, glyphs);
        }
        day = day_of(turn, manner.clock).or(day);
        number += 1;
        out.write_all(page.as_bytes())
    })
}

/// Why a file with lines in it shows no messages.
fn nothing_shown(shown: &Shown) -> &'static str {
    let links = shown.index.links();
    if links.is_empty() {
        "no line is an entry of a conversation"
    } else if links.iter().all(|link| link.is_sidechain) {
        "every line is a sub-agent's: --leaf resume shows the file of one"
    } else if links.iter().all(|link| link.is_team || link.is_sidechain) {
        "every line belongs to a member of a team"
    } else {
        "nobody said anything"
    }
}

fn print_line(page: &mut String, line: &PageLine, ink: Ink, glyphs: Glyphs) {
    if line.is_blank() {
        page.push('\n');
        return;
    }
    let margin = match line.speaker {
        Speaker::You => "36",
        Speaker::Claude | Speaker::Note | Speaker::Files => "2",
    };
    let margin = (format!("{:>6}", line.margin), Some(margin));
    for (text, code) in [margin, (" │ ".to_owned(), Some("2"))] {
        write_in(page, &text, code.filter(|_| ink == Ink::Colours), glyphs);
    }
    print_spans(page, &line.spans, ink, glyphs);
    let kept = page.trim_end_matches(' ').len();
    page.truncate(kept);
    page.push('\n');
}

fn print_spans(page: &mut String, spans: &[preview::Span], ink: Ink, glyphs: Glyphs) {
    for span in spans {
        let code = ansi(span.tone).filter(|_| ink == Ink::Colours);
        write_in(page, &span.text, code, glyphs);
    }
}

fn write_in(page: &mut String, text: &str, code: Option<&str>, glyphs: Glyphs) {
    let text = glyphs.write(text);
    // Writing to a string cannot fail.
    let _ = match code {
        Some(code) => write!(page, "\x1b[{code}m{text}\x1b[0m"),
        None => write!(page, "{text}"),
    };
}

/// Colours of the terminal's own palette, so that its theme holds.
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

/// What was shown, and everything about it that a person should know, in one line.
pub fn closing_line(shown: &Shown) -> String {
    let messages = shown.chain.messages(&shown.index).count();
    let counted = |count: u64, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    };
    let health = &shown.index.health;
    let mut notes = Vec::new();
    let stopped = how_it_stopped(&shown.digest.sent.interruption);
    notes.extend(stopped.map(|words| sanitize(&words).into_owned()));
    if shown.branches.len() > 1 && shown.span == Span::Resumed {
        let count = shown.branches.len();
        notes.push(format!("{count} branches: --branches lists them"));
    }
    if shown.begins_compacted() {
        notes.push("compacted: --before-compaction shows what came before".to_owned());
    }
    let reach = shown.tree().reach(&shown.chain);
    notes.extend(damage(health, shown.chain.breaks, reach));
    match shown.digest.mended {
        0 => {}
        mended => notes.push(counted(mended as u64, "mended line")),
    }
    if messages == 0 && health.lines > 0 {
        notes.push(nothing_shown(shown).to_owned());
    }
    let messages = counted(messages as u64, "message");
    if notes.is_empty() {
        messages
    } else {
        format!("{messages} ({})", notes.join("; "))
    }
}
