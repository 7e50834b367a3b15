//! Markdown as lines: headings, lists, quotes, tables and code, as a terminal can show them.

use std::borrow::Cow;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::flow::{flow, hard};
use super::line::{Span, Tone, plain_text, width_of};
use super::syntax::{Painter, plain};
use super::table::{cell_break, table};
use crate::text::{beginning, sanitize_whole};

/// Bytes of one text that are laid out. A pasted log is cut, and said to be.
pub(super) const MOST_BYTES: usize = 256 * 1024;

/// Lays out a text in lines of at most `columns`, code in its colors if there are any yet.
pub fn markdown(text: &str, columns: usize, painter: Option<Painter<'_>>) -> Vec<Vec<Span>> {
    markdown_of(text, MOST_BYTES, columns, painter)
}

/// Lays out so many bytes of a text, and says how many more there are.
pub fn markdown_of(
    text: &str,
    most: usize,
    columns: usize,
    painter: Option<Painter<'_>>,
) -> Vec<Vec<Span>> {
    let shown = beginning(text, most);
    let safe = without_escapes(shown);
    let extensions =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut page = MarkdownPage {
        columns,
        painter,
        ..MarkdownPage::default()
    };
    for event in Parser::new_ext(&safe, extensions) {
        page.take(event);
    }
    page.flush();
    if shown.len() < text.len() {
        let rest = crate::text::size((text.len() - shown.len()) as u64);
        page.line(&[Span::new(&format!("[{rest} more]"), Tone::Fold)]);
    }
    page.lines
}

/// Escape sequences are taken out as long as they are whole: Markdown would take `[31m` for a
/// piece of its own.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains(['\u{1b}', '\u{9b}']) {
        return Cow::Borrowed(text);
    }
    let safe = |line: &str| sanitize_whole(&line.replace('\t', "    ")).into_owned();
    let lines: Vec<String> = text.split('\n').map(safe).collect();
    Cow::Owned(lines.join("\n"))
}

/// Is this how a line is broken where Markdown has no way to?
fn is_break(html: &str) -> bool {
    let inside = html.trim().strip_prefix('<').unwrap_or_default();
    let name = inside.trim_end_matches('>').trim_end_matches('/');
    name.trim_end().eq_ignore_ascii_case("br")
}

/// A quote or an item that text is in: what its first line begins with, until that is written, and
/// what every other line begins with.
struct Container {
    mark: Option<Span>,
    rest: Span,
}

#[derive(Default)]
struct MarkdownPage<'a> {
    columns: usize,
    painter: Option<Painter<'a>>,
    lines: Vec<Vec<Span>>,
    containers: Vec<Container>,
    /// The number of the next item of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    spans: Vec<Span>,
    tones: Vec<Tone>,
    /// The language of the code that is being read, and so much of it.
    code: Option<(String, String)>,
    links: Vec<(String, usize)>,
    rows: Option<Vec<Vec<Vec<Span>>>>,
    alignments: Vec<Alignment>,
    /// Is a blank line due before the next block?
    gap: bool,
}

impl MarkdownPage<'_> {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.say(&text, self.tone()),
            },
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                self.say(&code, Tone::Code);
            }
            Event::InlineHtml(html) if is_break(&html) => match self.rows {
                Some(_) => self.spans.push(cell_break()),
                None => self.paragraph(),
            },
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            // As in a chat, a line break is meant. After a `<br>` the line is broken already.
            Event::SoftBreak | Event::HardBreak => self.flush(),
            Event::Rule => {
                self.before_block();
                let rule = "─".repeat(self.columns.min(24));
                self.line(&[Span::new(&rule, Tone::Dim)]);
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                self.say(if done { "☑ " } else { "☐ " }, Tone::Plain);
            }
            Event::FootnoteReference(name) => self.say(&format!("[{name}]"), Tone::Dim),
        }
    }

    /// Tags that people and models write in the middle of text are text to be seen.
    fn html(&mut self, html: &str) {
        for (n, line) in html.lines().enumerate() {
            if n > 0 {
                self.paragraph();
            }
            self.say(line, self.tone());
        }
        if html.ends_with('\n') {
            self.paragraph();
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => {
                self.before_block();
            }
            Tag::Heading { .. } => {
                self.before_block();
                self.tones.push(Tone::Heading);
            }
            Tag::BlockQuote(_) => {
                self.before_block();
                self.containers.push(Container {
                    mark: None,
                    rest: Span::new("▏ ", Tone::Quote),
                });
            }
            Tag::CodeBlock(kind) => {
                self.before_block();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                if !language.is_empty() {
                    self.line(&[Span::new(&language, Tone::Dim)]);
                }
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.before_block();
                }
                self.gap = false;
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Emphasis => self.tones.push(Tone::Emphasis),
            Tag::Strong => self.tones.push(Tone::Strong),
            Tag::Strikethrough => self.tones.push(Tone::Dim),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.spans.len()));
                self.tones.push(Tone::Link);
            }
            Tag::Table(alignments) => {
                self.before_block();
                self.alignments = alignments;
                self.rows = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.rows {
                    rows.push(Vec::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.end_block();
                self.tones.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.end_block();
                self.containers.pop();
            }
            TagEnd::CodeBlock => {
                let (language, code) = self.code.take().unwrap_or_default();
                let painted = self.painter.and_then(|it| it.paint(&language, &code));
                let lines = painted.unwrap_or_else(|| code.lines().map(plain).collect());
                for line in lines {
                    let (mut prefix, _) = self.prefixes();
                    prefix.push(Span::indent());
                    self.lines.extend(hard(&line, &prefix, self.columns));
                }
                self.gap = true;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                self.containers.pop();
                self.gap = false;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.tones.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.tones.pop();
                self.close_link();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(row) = self.rows.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let rows = self.rows.take().unwrap_or_default();
                let (first, rest) = self.prefixes();
                let room = self.columns.saturating_sub(width_of(&first)).max(1);
                for (n, line) in table(&rows, &self.alignments, room).into_iter().enumerate() {
                    let mut whole = if n == 0 { first.clone() } else { rest.clone() };
                    whole.extend(line);
                    self.lines.push(whole);
                }
                self.gap = true;
            }
            _ => {}
        }
    }

    /// A link is its text; its target follows where it says more.
    fn close_link(&mut self) {
        let Some((target, start)) = self.links.pop() else {
            return;
        };
        let spans = self.spans.get(start..).unwrap_or_default();
        let text = plain_text(spans);
        if !target.is_empty() && text != target && !target.starts_with('#') {
            self.say(&format!(" ({target})"), Tone::Dim);
        }
    }

    fn item(&mut self) {
        self.flush();
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number += 1;
                mark
            }
            _ => "- ".to_owned(),
        };
        self.containers.push(Container {
            rest: Span::new(&" ".repeat(mark.len()), Tone::Plain),
            mark: Some(Span::new(&mark, Tone::Plain)),
        });
    }

    fn tone(&self) -> Tone {
        let is_quote = |container: &Container| container.rest.tone == Tone::Quote;
        match self.tones.last() {
            Some(tone) => *tone,
            None if self.containers.iter().any(is_quote) => Tone::Quote,
            None => Tone::Plain,
        }
    }

    fn say(&mut self, text: &str, tone: Tone) {
        self.spans.push(Span::new(text, tone));
    }

    /// Ends the paragraph. A blank line comes between blocks, but none at the beginning or inside a
    /// tight list.
    fn before_block(&mut self) {
        self.flush();
        if std::mem::take(&mut self.gap) && !self.lines.is_empty() {
            let prefix = self.containers.iter().map(|it| it.rest.clone());
            self.lines.push(trimmed(prefix.collect()));
        }
    }

    fn end_block(&mut self) {
        self.flush();
        self.gap = true;
    }

    fn flush(&mut self) {
        if !self.spans.is_empty() {
            self.paragraph();
        }
    }

    fn paragraph(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        let (first, rest) = self.prefixes();
        self.lines.extend(flow(&spans, &first, &rest, self.columns));
    }

    fn line(&mut self, spans: &[Span]) {
        let (first, _) = self.prefixes();
        self.lines.extend(hard(spans, &first, self.columns));
    }

    /// What the next line begins with, and what those after it do.
    fn prefixes(&mut self) -> (Vec<Span>, Vec<Span>) {
        let containers = self.containers.iter_mut();
        let both = containers.map(|it| {
            let rest = it.rest.clone();
            (it.mark.take().unwrap_or_else(|| rest.clone()), rest)
        });
        both.unzip()
    }
}

fn trimmed(prefix: Vec<Span>) -> Vec<Span> {
    let visible = |span: &Span| !span.text.trim().is_empty();
    match prefix.iter().rposition(visible) {
        Some(last) => prefix.into_iter().take(last + 1).collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
