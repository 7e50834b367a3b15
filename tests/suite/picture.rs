//! The picture in the README: what the binary really prints, drawn as SVG.
//!
//! `CLAUDE_RESUME_UPDATE_PICTURES=1 cargo test picture` draws it again.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::support::{Store, id, lines, set_modified, user};
use crate::terminal::printed;

const COLUMNS: u16 = 100;

/// Sessions as a developer might have them, so many minutes ago.
const SESSIONS: &[(u64, &str, &str, &str, Option<&str>)] = &[
    (
        2,
        "Fix JWT refresh token expiry",
        "shop",
        "fix/jwt",
        Some("auth"),
    ),
    (95, "Why is test_refresh flaky on CI?", "shop", "main", None),
    (
        60 * 26,
        "Rotate refresh tokens on password change",
        "shop",
        "main",
        None,
    ),
    (
        60 * 24 * 3,
        "Token bucket for the API gateway",
        "gateway",
        "feat/limits",
        None,
    ),
    (
        60 * 24 * 16,
        "日本語のエラーメッセージを直す",
        "docs",
        "main",
        None,
    ),
    (
        60 * 24 * 70,
        "! cargo test --workspace",
        "gateway",
        "main",
        None,
    ),
];

fn demo() -> Store {
    let store = Store::new();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_secs();
    for (n, (minutes, title, project, branch, tag)) in (1..).zip(SESSIONS) {
        let mut first = user(title, &format!("/home/ada/code/{project}"));
        first["gitBranch"] = json!(branch);
        // The file's own time counts where a line has none.
        first["timestamp"] = Value::Null;
        let mut entries = vec![first];
        entries.extend(tag.map(|tag| json!({"type": "tag", "tag": tag})));
        entries.push(json!({"type": "noise", "x": "x".repeat(40_000 / n as usize)}));
        let id = id(n * 0x1a2b_3c4d);
        let path = store.session("-demo", &id, 0, lines(&entries));
        set_modified(&path, now - minutes * 60 - 20);
    }
    store.session("-demo", &id(7), 0, "");
    store
}

/// One text element a line. Dim is the only style that the listing uses.
fn draw(screen: &str) -> String {
    let lines: Vec<&str> = screen.lines().collect();
    let (width, height) = (usize::from(COLUMNS) * 8 + 32, lines.len() * 20 + 64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13.3\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d1f21\"/>\n\
         <text x=\"16\" y=\"30\" fill=\"#8abeb7\" xml:space=\"preserve\">$ claude-resume list --all</text>\n"
    );
    for (n, line) in lines.iter().enumerate() {
        let escaped = line
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let styled = escaped
            .replace("\u{1b}[2m", "<tspan fill=\"#7c8082\">")
            .replace("\u{1b}[0m", "</tspan>");
        writeln!(
            svg,
            "<text x=\"16\" y=\"{}\" fill=\"#d7dadb\" xml:space=\"preserve\">{styled}</text>",
            n * 20 + 54
        )
        .expect("strings can be written");
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_what_is_printed() {
    let drawn = draw(&printed(&demo(), COLUMNS, true));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/list.svg");
    if std::env::var_os("CLAUDE_RESUME_UPDATE_PICTURES").is_some() {
        fs::write(&path, &drawn).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("drawn before"), drawn);
}
