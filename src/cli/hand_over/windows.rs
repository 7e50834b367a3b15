//! Sessions in windows, panes and popups of tmux.
//!
//! A window closes when its command ends, and its messages are gone. So a moment after opening
//! them, windows that are gone already are reported.

use std::thread;
use std::time::Duration;

use super::super::{Exit, complain, counted};
use super::{start, tell};
use crate::resume::{Launch, Plan, Split, live_panes};
use crate::tui::Chosen;

/// By then a Claude Code that finds no conversation, or rejects an option, has ended.
const A_MOMENT: Duration = Duration::from_secs(1);

/// Opens one session where it was asked for.
pub fn open(plan: &Plan, name: &str, split: Split, launch: &Launch) -> Exit {
    // Going to an existing pane needs no new one.
    if plan.is_for_tmux() {
        return start(plan);
    }
    let inside = plan.in_tmux(split, name, launch);
    if split == Split::Popup {
        return match inside.run_tmux() {
            Ok(0) => Exit::DONE,
            Ok(code) => {
                tell_ended(plan, name, &format!("exited with code {code}"));
                Exit(u8::try_from(code).unwrap_or(1))
            }
            Err(failed) => tell(&failed),
        };
    }
    match inside.open_pane() {
        Ok(pane) => match tell_closed(&pane.map_or(Vec::new(), |pane| vec![(name, plan, pane)])) {
            0 => Exit::DONE,
            _ => Exit::FAILED,
        },
        Err(failed) => tell(&failed),
    }
}

/// Opens several sessions, each in its own window.
pub fn open_all(several: &[Chosen], launch: &Launch) -> Exit {
    let mut count = 0;
    let mut opened = Vec::new();
    for one in several {
        let Chosen { title, plan, .. } = one;
        // The card that showed it may have stood open for long.
        if one.transcript.as_ref().is_some_and(|path| !path.exists()) {
            complain(&format!("{title}: left out: its file was deleted or moved"));
            continue;
        }
        match plan.in_tmux(Split::Background, title, launch).open_pane() {
            Ok(pane) => {
                count += 1;
                opened.extend(pane.map(|pane| (title.as_str(), plan, pane)));
            }
            Err(problem) => complain(&format!("{title}: {}", problem.message)),
        }
    }
    count -= tell_closed(&opened);
    complain(&format!("opened {}", counted(count, "tmux window")));
    if count == several.len() {
        Exit::DONE
    } else {
        Exit::FAILED
    }
}

/// Reports the panes that closed at once, and returns their number. Each comes with the name and
/// the plan of its session.
fn tell_closed(opened: &[(&str, &Plan, String)]) -> usize {
    if opened.is_empty() {
        return 0;
    }
    thread::sleep(A_MOMENT);
    // Without an answer from tmux, nothing is known to have closed.
    let Some(live) = live_panes() else {
        return 0;
    };
    let closed = opened.iter().filter(|(_, _, pane)| !live.contains(pane));
    closed
        .map(|(name, plan, _)| tell_ended(plan, name, "exited at once"))
        .count()
}

/// The steps before the command are done, so only the command is shown.
fn tell_ended(plan: &Plan, name: &str, how: &str) {
    let name = match (name, &plan.id) {
        ("", Some(id)) => id,
        _ => name,
    };
    let command = Plan {
        steps: Vec::new(),
        ..plan.clone()
    };
    complain(&format!(
        "{name}: the command {how} in tmux; to see why, run it here: {}",
        command.command_line()
    ));
}
