//! Every state of the screen at four widths, as recorded.
//!
//! `INSTA_UPDATE=always cargo test screens` records them again; look at the diff. A recorded
//! screen that no state has any more fails the test.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use claude_resume::search::RowId;
use claude_resume::store::{LastState, Trouble};
use claude_resume::tui::{Ending, Family, Glyphs, Message, Notice, Palette, Previewed};

use crate::reading::branches;
use crate::support::id;
use crate::world::{World, session, sessions, setting, waiting, without_worktree};

const WIDTHS: [(u16, u16); 4] = [(40, 15), (80, 24), (120, 30), (200, 50)];

type State = (&'static str, fn(u16, u16) -> World);

const STATES: &[State] = &[
    ("before-anything-is-read", |columns, rows| {
        World::new(columns, rows)
    }),
    ("scanning", |columns, rows| {
        let mut world = World::new(columns, rows);
        world.tell(Message::Listed(1204));
        world.put(sessions());
        world
    }),
    ("this-repository", World::full),
    ("all-projects", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("ctrl-t");
        world
    }),
    ("running", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.tell(Message::Running(waiting(&id(1))));
        world
    }),
    ("typing", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("ctrl-t");
        world.enter("token");
        world
    }),
    ("fuzzy", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("ctrl-t");
        world.enter("tkn");
        world
    }),
    ("not-copied", |columns, rows| {
        let mut world = World::full(columns, rows);
        crate::copying::not_copied(&mut world, 20);
        world
    }),
    ("no-hit", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.enter("bucket");
        world
    }),
    ("no-hit-anywhere", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.enter("xyzzy-plugh");
        world
    }),
    ("did-you-mean", crate::nothing_found::in_vain),
    ("did-mean", crate::nothing_found::corrected),
    ("empty-store", |columns, rows| {
        let mut world = World::new(columns, rows);
        world.arrive(false);
        world.scan(Vec::new());
        world
    }),
    ("hidden-kinds", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("alt-h");
        world
    }),
    ("forks", |columns, rows| {
        let mut world = World::full(columns, rows);
        let family = |row| (RowId(row), Family(0));
        world.tell(Message::Related(vec![family(0), family(1), family(2)]));
        world
    }),
    ("forks-opened", |columns, rows| {
        let mut world = World::full(columns, rows);
        let family = |row| (RowId(row), Family(0));
        world.tell(Message::Related(vec![family(0), family(1), family(2)]));
        world.press("alt-r down");
        world
    }),
    ("copies-opened", |columns, rows| {
        let mut world = World::full(columns, rows);
        let mut copy = session(1, "shop-backup", 0, "Fix JWT refresh token expiry", "begin");
        copy.file.modified -= 3_600_000;
        world.put(vec![copy]);
        world.press("alt-r down");
        world
    }),
    ("marked", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("alt-x alt-x");
        world
    }),
    ("completing", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.enter("token bra");
        world
    }),
    ("a-date-that-is-none", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.enter("since:soon");
        world
    }),
    ("cut-off-and-torn", |columns, rows| {
        let mut world = World::full(columns, rows);
        let mut sessions = sessions();
        sessions[0].meta.left = Some(LastState::AtWork);
        sessions[1].meta.left = Some(LastState::Asked);
        sessions[1].meta.torn_end = true;
        world.put(sessions);
        world
    }),
    ("sorted-by-title", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("alt-s alt-s alt-s");
        world
    }),
    ("reading", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("down tab");
        world
    }),
    ("reading-opened", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("tab o g j j");
        world
    }),
    ("finding", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("tab g /");
        world.enter("expiry");
        world
    }),
    ("branches", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.branches = crate::reading::branches();
        world.press("tab o b j");
        world
    }),
    ("gone", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("tab");
        let generation = world.reader().generation;
        let gone = "its file is gone: it was deleted or moved since it was listed";
        world.tell(Message::Previewed(Previewed {
            generation,
            result: Err(gone.to_owned()),
        }));
        world
    }),
    ("without-preview", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("alt-p");
        world
    }),
    ("dense", |columns, rows| {
        let mut world = World::full(columns, rows);
        while world.sessions().pane(&world.app.context).row_height != 1 {
            world.press("alt-v");
        }
        world
    }),
    ("help", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.press("?");
        world
    }),
    ("demo-explains", |columns, rows| {
        let mut setting = setting();
        setting.ending = Ending::Explain;
        let mut world = World::with(setting, "", columns, rows);
        world.arrive(true);
        world.scan(sessions());
        world.press("enter");
        world.probe(vec![crate::world::calm(1)]);
        world
    }),
    ("trouble", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.tell(Message::Scanned(Trouble {
            folders: vec![("/locked".into(), "denied".to_owned())],
            ..Trouble::default()
        }));
        let text = "/home/ada/code/shop is gone: the session ran there".to_owned();
        world.tell(Message::Tell(Notice::Trouble(text)));
        world
    }),
    ("history", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r down");
        world
    }),
    ("history-typing", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        world.enter("flaky");
        world.press("down");
        world
    }),
    ("history-fuzzy", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        world.enter("flkychckr");
        world
    }),
    ("history-reading", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        world.enter("stack");
        world.press("tab");
        world
    }),
    ("history-of-the-session", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r down down down ctrl-r");
        world
    }),
    ("history-no-hit", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r ctrl-r ctrl-r");
        world.enter("checker");
        world
    }),
    ("history-empty", |columns, rows| {
        let mut world = World::full(columns, rows);
        world.write_history(&[]);
        world.press("ctrl-r");
        world
    }),
    ("history-session-gone", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        world.enter("checker");
        world.press("enter");
        world
    }),
    ("history-deleted-sessions", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("alt-l");
        world
    }),
    ("history-arrived", |columns, rows| {
        let mut world = World::with_history(columns, rows);
        world.press("ctrl-r");
        world.enter("great, now");
        world.press("enter");
        world
    }),
    ("history-ascii", |columns, rows| {
        let mut setting = setting();
        setting.theme.glyphs = Glyphs::Ascii;
        setting.theme.palette = Palette::Plain;
        let mut world = World::with(setting, "", columns, rows);
        world.arrive(true);
        world.scan(sessions());
        world.write_history(&crate::history_mode::entries());
        world.press("ctrl-r");
        world
    }),
    ("ascii", |columns, rows| {
        let mut setting = setting();
        setting.theme.glyphs = Glyphs::Ascii;
        setting.theme.palette = Palette::Plain;
        let mut world = World::with(setting, "", columns, rows);
        world.arrive(true);
        world.scan(sessions());
        world.tell(Message::Running(waiting(&id(1))));
        world
    }),
];

#[test]
fn every_state_looks_as_recorded_and_nothing_else_is_recorded() {
    let mut names = BTreeSet::new();
    for (state, make) in STATES {
        for (columns, rows) in WIDTHS {
            let name = format!("{state}-{columns}");
            insta::assert_snapshot!(name.clone(), make(columns, rows).screen());
            names.insert(format!("all__screens__{name}.snap"));
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/snapshots");
    for entry in fs::read_dir(folder).expect("listed") {
        let name = entry.expect("listed").file_name();
        let name = name.to_string_lossy();
        assert!(
            !name.starts_with("all__screens__") || names.contains(&*name),
            "{name} is recorded, but no state looks like that"
        );
    }
}

/// Of the others the names are not known here: each is that of a test or stands in its source,
/// with a width behind it or not.
#[test]
fn whatever_is_recorded_is_still_asked_for() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for folder in ["tests/suite", "src/preview", "src/resume"] {
        for entry in fs::read_dir(project.join(folder).join("snapshots")).expect("listed") {
            let path = entry.expect("listed").path();
            let text = fs::read_to_string(&path).expect("read");
            let source = text.lines().find_map(|line| line.strip_prefix("source: "));
            let source = fs::read_to_string(project.join(source.expect("a source")));
            let source = source.expect("its source is there");
            let name = path.file_stem().expect("a name").to_string_lossy();
            let name = name.rsplit("__").next().expect("a name");
            let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let plain = plain.trim_end_matches(['-', '_']);
            let is_asked_for = [name, plain].iter().any(|name| {
                source.contains(&format!("fn {name}()"))
                    || source.contains(&format!("\"{name}\""))
                    || source.contains(&format!("\"{name}-{{columns}}\""))
                    || source.contains(&format!("\"{name}_{{columns}}\""))
            });
            assert!(is_asked_for, "{} is of no test", path.display());
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} were found");
    let rooms = fs::read_dir(project.join("src")).expect("listed");
    let rooms = rooms.map(|room| room.expect("listed").path().join("snapshots"));
    assert_eq!(
        rooms.filter(|folder| folder.is_dir()).count(),
        2,
        "a room that is not looked at above"
    );
}

const BRANCHES: &str = "tab o b";
const CARD: &str = "enter";

#[test]
fn any_size_can_be_drawn() {
    for keys in [
        "ctrl-r",
        "ctrl-r tab",
        "alt-l",
        "alt-l tab",
        "down",
        "tab",
        "f1",
        "alt-p tab",
        "alt-v",
        "ctrl-t x",
        BRANCHES,
        CARD,
    ] {
        let mut world = World::with_history(80, 24);
        world.branches = branches();
        world.press(keys);
        if keys == CARD {
            world.probe(vec![without_worktree(1)]);
        }
        for columns in [1, 2, 3, 5, 10, 39, 49, 50, 99, 100, 400] {
            for rows in [1, 2, 3, 4, 5, 7, 8, 9, 17, 18, 100] {
                let has_overlay = world.has_overlay();
                let is_expected = [BRANCHES, CARD, "f1"].contains(&keys);
                assert_eq!(has_overlay, is_expected, "{keys}");
                world.tell(Message::Resize { columns, rows });
                world.press("down pgdn end");
                let screen = world.screen();
                assert_eq!(screen.lines().count(), usize::from(rows));
                // The next size is drawn from the start of the list again.
                world.tell(Message::Resize {
                    columns: 80,
                    rows: 24,
                });
                world.press("home");
            }
        }
    }
}
