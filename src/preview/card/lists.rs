//! Lists of a card: todos and changed files.

use super::Gist;
use crate::preview::line::{Span, Tone, width_of};
use crate::text::{sanitize, truncate, truncate_start};
use crate::transcript::{Todo, TodoStatus, called};

/// Files that are named before they are counted.
const NAMED_FILES: usize = 4;

/// Lines that they may take.
const FILE_LINES: usize = 2;
/// Columns of a name that are left of it on the narrowest screen.
const LEAST_NAME: usize = 8;
/// The label before them.
const FILES: &str = "files ";

/// Things to do that are named before they are counted.
const NAMED_TODOS: usize = 5;

pub fn todos(gist: &Gist) -> Vec<Span> {
    let todos = &gist.state.todos;
    if todos.iter().all(|todo| todo.status == TodoStatus::Done) {
        return Vec::new();
    }
    let each = |todo: &Todo| {
        let mark = match todo.status {
            TodoStatus::Open => "☐",
            TodoStatus::InProgress => "◐",
            TodoStatus::Done => "☑",
        };
        format!("{mark} {}", truncate(&todo.text, 40))
    };
    // Of a long list what is left to do is told, and the rest counted.
    let is_long = todos.len() > NAMED_TODOS;
    let is_open = |todo: &&Todo| todo.status != TodoStatus::Done;
    let open = todos.iter().filter(is_open).count();
    let named = todos.iter().filter(|todo| !is_long || is_open(todo));
    let mut list: Vec<String> = named.take(NAMED_TODOS).map(each).collect();
    if is_long && open > NAMED_TODOS {
        list.push(format!("☐ {} more", open - NAMED_TODOS));
    }
    if is_long && open < todos.len() {
        list.push(format!("☑ {} done", todos.len() - open));
    }
    vec![
        Span::new("todo  ", Tone::Dim),
        Span::new(&list.join("  "), Tone::Plain),
    ]
}

/// The files that were changed, as many as a few lines have room for, and how many more.
pub fn files(gist: &Gist, columns: usize) -> Vec<Vec<Span>> {
    let files = &gist.state.files;
    let cwd = gist.cwd.as_deref();
    let named = |count: usize| {
        let mut items: Vec<Vec<Span>> = Vec::new();
        let more = format!("{} more", files.len() - count);
        for (n, file) in files[..count].iter().enumerate() {
            let counts = format!(" +{} -{}", file.added, file.removed);
            // The last name leaves room for the count after it.
            let is_last = n + 1 == count && count < files.len();
            let behind = if is_last { more.len() + 3 } else { 0 };
            let room = columns.saturating_sub(FILES.len() + counts.len() + behind);
            let room = room.max(LEAST_NAME);
            let path = truncate_start(&sanitize(&called(&file.path, cwd)), room);
            items.push(vec![
                Span::new(&path, Tone::Plain),
                Span::new(&format!(" +{}", file.added), Tone::Added),
                Span::new(&format!(" -{}", file.removed), Tone::Removed),
            ]);
        }
        if count < files.len() {
            items.push(vec![Span::new(&more, Tone::Dim)]);
        }
        packed(FILES, items, columns)
    };
    let most = files.len().min(NAMED_FILES);
    let mut fewer = (1..=most).rev().map(named);
    let fits = |lines: &Vec<Vec<Span>>| lines.len() <= FILE_LINES;
    fewer.find(fits).unwrap_or_default()
}

/// Things that are not torn apart, as many on a line as fit.
pub fn packed(title: &str, items: Vec<Vec<Span>>, columns: usize) -> Vec<Vec<Span>> {
    let mut lines: Vec<Vec<Span>> = Vec::new();
    let mut used = 0;
    for item in items {
        let wide = width_of(&item);
        match lines.last_mut() {
            Some(line) if used + 3 + wide <= columns => {
                line.push(Span::new(" · ", Tone::Dim));
                line.extend(item);
                used += 3 + wide;
            }
            _ => {
                let indent = if lines.is_empty() { title } else { "  " };
                let mut line = vec![Span::new(indent, Tone::Dim)];
                line.retain(|span| !span.text.is_empty());
                line.extend(item);
                lines.push(line);
                used = indent.len() + wide;
            }
        }
    }
    lines
}
