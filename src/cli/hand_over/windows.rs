//! Sessions in windows, panes and popups of tmux.
//!
//! A window goes with its command, and takes what that said with it: so a moment after opening them
//! it is looked whether they are still there, and said which are not.

use std::thread;
use std::time::Duration;

use super::super::{Outcome, complain};
use super::{start, tell};
use crate::resume::{Launch, Plan, Split, live_panes};
use crate::tui::Chosen;

/// A Claude Code that finds no conversation, or does not know an option, has said so by then.
const A_MOMENT: Duration = Duration::from_secs(1);

/// A session in a pane of its own.
struct Opened<'a> {
    name: &'a str,
    plan: &'a Plan,
    pane: String,
}

/// Opens one session where it was asked for.
pub fn open(plan: &Plan, name: &str, split: Split, launch: &Launch) -> Outcome {
    // To go to a pane needs no other one.
    if plan.is_for_tmux() {
        return start(plan);
    }
    let inside = plan.in_tmux(split, name, launch);
    if split == Split::Popup {
        return match inside.run_tmux() {
            Ok(0) => Outcome::Done,
            Ok(code) => {
                tell_ended(plan, name, &format!("ended with code {code}"));
                Outcome::Code(u8::try_from(code).unwrap_or(1))
            }
            Err(failed) => tell(failed, &inside),
        };
    }
    let pane = match inside.open_pane() {
        Ok(pane) => pane,
        Err(failed) => return tell(failed, &inside),
    };
    let opened: Vec<Opened> = pane
        .into_iter()
        .map(|pane| Opened { name, plan, pane })
        .collect();
    match look_after(&opened) {
        0 => Outcome::Done,
        _ => Outcome::Failed,
    }
}

/// Opens several sessions, each in a window of its own.
pub fn open_all(several: &[Chosen], launch: &Launch) -> Outcome {
    let mut count = 0;
    let mut opened = Vec::new();
    for Chosen { title, plan, .. } in several {
        match plan.in_tmux(Split::Background, title, launch).open_pane() {
            Ok(pane) => {
                count += 1;
                opened.extend(pane.map(|pane| Opened {
                    name: title,
                    plan,
                    pane,
                }));
            }
            Err(problem) => complain(&format!("{title}: {}", problem.message)),
        }
    }
    count -= look_after(&opened);
    let windows = if count == 1 { "window" } else { "windows" };
    complain(&format!("opened {count} tmux {windows}"));
    if count == several.len() {
        Outcome::Done
    } else {
        Outcome::Failed
    }
}

/// Says which of them ended at once, and how many.
fn look_after(opened: &[Opened]) -> usize {
    if opened.is_empty() {
        return 0;
    }
    thread::sleep(A_MOMENT);
    // A tmux that does not answer has not said that anything ended.
    let Some(live) = live_panes() else {
        return 0;
    };
    let ended = opened.iter().filter(|one| !live.contains(&one.pane));
    ended
        .map(|one| tell_ended(one.plan, one.name, "ended at once"))
        .count()
}

/// What was done before the command is done, so only the command is run by hand.
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
