use ratatui::layout::Rect;

use super::{Arrangement, Density, Focus, Layout, Panes, Switch, preview_header, share, step};

fn layout(columns: u16, rows: u16, focus: Focus) -> Layout {
    Layout::of(Rect::new(0, 0, columns, rows), Panes::default(), focus)
}

#[test]
fn the_preview_is_beside_below_or_instead() {
    assert_eq!(layout(120, 30, Focus::List).arrangement, Arrangement::Side);
    assert_eq!(
        layout(80, 24, Focus::List).arrangement,
        Arrangement::Stacked
    );
    let tiny = layout(40, 15, Focus::List);
    assert_eq!(tiny.arrangement, Arrangement::Alone);
    assert!(tiny.preview.is_empty() && !tiny.list.is_empty());
    let reading = layout(40, 15, Focus::Preview);
    assert!(!reading.preview.is_empty() && reading.list.is_empty());
}

#[test]
fn areas_fill_the_screen_without_overlap_at_any_size() {
    for columns in 0..130 {
        for rows in 0..40 {
            for preview in [Switch::On, Switch::Off] {
                for focus in [Focus::List, Focus::Preview] {
                    let screen = Rect::new(0, 0, columns, rows);
                    let panes = Panes {
                        preview,
                        ..Panes::default()
                    };
                    let layout = Layout::of(screen, panes, focus);
                    let areas = [
                        layout.query,
                        layout.top_rule,
                        layout.list,
                        layout.divider,
                        layout.preview,
                        layout.bottom_rule,
                        layout.footer,
                    ];
                    let covered: u32 = areas.iter().map(|area| area.area()).sum();
                    assert_eq!(covered, screen.area(), "{columns}x{rows}");
                    for area in areas {
                        assert_eq!(area.intersection(screen), area, "{columns}x{rows}");
                    }
                }
            }
        }
    }
}

#[test]
fn rows_take_as_many_lines_as_there_is_room_for() {
    let auto = Panes::default();
    assert_eq!(layout(120, 30, Focus::List).density(auto), Density::Three);
    assert_eq!(layout(80, 24, Focus::List).density(auto), Density::Two);
    assert_eq!(layout(40, 15, Focus::List).density(auto), Density::One);
    let chosen = Panes {
        density: Density::One,
        ..auto
    };
    assert_eq!(layout(120, 30, Focus::List).density(chosen), Density::One);
}

#[test]
fn the_divider_stays_within_its_bounds() {
    assert_eq!(share(50, 0, 100), 50);
    assert_eq!(share(0, 0, 100), 20);
    assert_eq!(share(99, 0, 100), 80);
    assert_eq!(share(5, 10, 0), 20);
    assert_eq!(step(22, -4), 20);
    assert_eq!(step(78, 4), 80);
}

#[test]
fn a_low_preview_has_room_for_what_is_urgent() {
    let preview = layout(80, 24, Focus::List).preview;
    assert_eq!(preview_header(preview, 6, 0), 1);
    assert_eq!(preview_header(preview, 6, 1), 3, "title, state, rule");
    assert_eq!(preview_header(preview, 9, 5), 4);
    let low = Rect {
        height: 5,
        ..preview
    };
    assert_eq!(preview_header(low, 6, 1), 1, "the conversation comes first");
}
