//! From Enter to a plan: asking what is known, showing the card, taking its answers.

use std::sync::Arc;

use super::{Effect, Outcome, tell};
use crate::list::Row;
use crate::resume::{Answer, Answers, Kept, Nested, Plan, Seen, Situation, Wish, answer_safely};
use crate::search::{RowId, Tier};
use crate::store::Hidden;
use crate::tui::app::{App, Ending, Outside, Scan};
use crate::tui::input::Edit;
use crate::tui::layout::{Focus, Switch};
use crate::tui::message::{Chosen, Notice};
use crate::tui::overlay::Overlay;
use crate::tui::preflight::{
    self, Batch, Card, Entry, Going, PathReply, PathRequest, ProbeRequest, Probed, Sight,
};

/// Enter: what is marked, or the row under the cursor.
pub fn resume(app: &mut App, wish: Wish, effects: &mut Vec<Effect>) {
    // Who types fast means the row that will be there, not the one that still is.
    if app.is_searching() && app.marked.is_empty() {
        app.awaiting = Some(wish);
        return;
    }
    let marked: Vec<RowId> = app.marked.iter().copied().collect();
    if marked.len() > 1 && app.setting.ending == Ending::Resume {
        if app.setting.launch.nested == Nested::No {
            let text = "several marked sessions open each in its own tmux window: start tmux first, or take the marks away (Esc)";
            app.notice = Some(Notice::Trouble(text.to_owned()));
            return;
        }
        ask(app, &marked, wish, effects);
        return;
    }
    let wanted: Vec<RowId> = match (marked.as_slice(), app.setting.ending) {
        ([_, _, ..], Ending::Print) | ([_], _) => marked,
        _ => app.listing.cursor().into_iter().collect(),
    };
    ask(app, &wanted, wish, effects);
}

/// One row, whatever is marked.
pub fn resume_row(app: &mut App, row: RowId, effects: &mut Vec<Effect>) {
    ask(app, &[row], Wish::Continue, effects);
}

/// The rows of what is typed came. An Enter that waited for them is done now; if there are none
/// yet, loose matches may follow.
pub fn arrived(app: &mut App, tier: Tier, effects: &mut Vec<Effect>) {
    let is_last = tier == Tier::Fuzzy && matches!(app.scan, Scan::Over(_));
    if app.listing.cursor().is_none() && !is_last {
        return;
    }
    if let Some(wish) = app.awaiting.take() {
        resume(app, wish, effects);
    }
}

/// Asks for everything that there is to know of these rows.
fn ask(app: &mut App, rows: &[RowId], wish: Wish, effects: &mut Vec<Effect>) {
    let rows: Vec<Arc<Row>> = rows
        .iter()
        .filter_map(|id| app.listing.row(*id).cloned())
        .collect();
    let mut sessions = Vec::new();
    for row in &rows {
        if let Some(kind @ (Hidden::Unreadable | Hidden::NotASession | Hidden::Empty)) =
            row.session.hidden
        {
            let text = format!("({}): there is nothing to resume", kind.label());
            app.notice = Some(Notice::Trouble(text));
            continue;
        }
        let title = row.session.lite.title();
        let title = title.map_or("(no title)", |(_, title)| title).to_owned();
        let copies = row.copies.iter().map(|copy| copy.stamp.path()).collect();
        let mut seen = Seen::new(row.session.clone(), copies);
        let is_it = |outside: &&Outside| outside.path == seen.session.stamp.path();
        if let Some(outside) = app.outside.as_ref().filter(is_it) {
            seen.kept = Kept::Outside {
                in_store: outside.in_store.clone(),
            };
            seen.id.clone_from(&outside.id);
        }
        sessions.push((title, seen));
    }
    if sessions.is_empty() {
        return;
    }
    app.preflight.0 += 1;
    app.probing = true;
    let mut launch = app.setting.launch.clone();
    if wish == Wish::Fork {
        launch.wish = wish;
    }
    effects.push(Effect::Probe(Box::new(ProbeRequest {
        generation: app.preflight,
        sessions,
        launch,
        sight: match app.setting.ending {
            Ending::Explain => Sight::Imagined,
            Ending::Resume | Ending::Print => Sight::Real,
        },
    })));
}

/// Everything is known now. A key that was pressed meanwhile has made it void.
pub fn probed(app: &mut App, probed: Probed, effects: &mut Vec<Effect>) {
    if probed.generation != app.preflight || !app.probing {
        return;
    }
    app.probing = false;
    let mut situations = probed.situations;
    if app.setting.ending == Ending::Print {
        let plans = situations.iter().map(|(title, situation)| Chosen {
            title: title.clone(),
            plan: Plan::unasked(situation, &given(app, situation)),
        });
        effects.push(Effect::Leave(Outcome::Chosen(plans.collect())));
        return;
    }
    if situations.len() > 1 {
        app.overlay = Some(Overlay::Batch(Box::new(batch(situations, &app.answers))));
        return;
    }
    let Some((title, situation)) = situations.pop() else {
        return;
    };
    let answers = given(app, &situation);
    open(app, title, situation, answers, effects);
}

/// What the command line has answered.
fn given(app: &App, situation: &Situation) -> Answers {
    if app.says_yes {
        answer_safely(situation, app.answers.clone()).0
    } else {
        app.answers.clone()
    }
}

/// Opens the card, or goes where nothing has to be decided.
fn open(
    app: &mut App,
    title: String,
    situation: Situation,
    answers: Answers,
    effects: &mut Vec<Effect>,
) {
    let plan = Plan::of(&situation, &answers);
    if let Err(error) = plan.check_words(&situation.launch) {
        app.notice = Some(Notice::Trouble(error.to_string()));
        return;
    }
    match Card::new(title.clone(), situation, answers) {
        Some(card) => app.overlay = Some(Overlay::Preflight(Box::new(card))),
        None => leave(app, title, plan, effects),
    }
}

fn leave(app: &mut App, title: String, plan: Plan, effects: &mut Vec<Effect>) {
    if app.setting.ending == Ending::Explain {
        let line = format!("this is the demo; it would run: {}", plan.command_line());
        app.notice = Some(Notice::Done(line));
        return;
    }
    let chosen = vec![Chosen { title, plan }];
    effects.push(Effect::Leave(Outcome::Chosen(chosen)));
}

/// Each session with what harms nothing; those that need a decision stay.
fn batch(situations: Vec<(String, Situation)>, given: &Answers) -> Batch {
    let mut batch = Batch {
        going: Vec::new(),
        staying: Vec::new(),
    };
    for (title, situation) in situations {
        let (answers, open) = answer_safely(&situation, given.clone());
        let stuck = open.map(|question| question.headline);
        let plan = Plan::of(&situation, &answers);
        match stuck.or_else(|| {
            plan.check_words(&situation.launch)
                .err()
                .map(|e| e.to_string())
        }) {
            Some(why) => batch.staying.push((title, why)),
            None => batch.going.push(Going { title, plan }),
        }
    }
    batch
}

/// Enter on the card or the batch.
pub fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    match app.overlay.take() {
        Some(Overlay::Preflight(card)) => match &card.entry {
            Some(entry) => {
                let typed = entry.input.text().to_owned();
                if !typed.is_empty() {
                    effects.push(Effect::Path(PathRequest::Enter(typed)));
                }
                app.overlay = Some(Overlay::Preflight(card));
            }
            None => take(app, card.choose(), effects),
        },
        Some(Overlay::Batch(batch)) if !batch.going.is_empty() => {
            let going = batch.going.into_iter();
            let chosen = going.map(|Going { title, plan }| Chosen { title, plan });
            effects.push(Effect::Leave(Outcome::Chosen(chosen.collect())));
        }
        other => app.overlay = other,
    }
}

fn take(app: &mut App, chosen: preflight::Chosen, effects: &mut Vec<Effect>) {
    match chosen {
        preflight::Chosen::Card(card) => app.overlay = Some(Overlay::Preflight(card)),
        preflight::Chosen::Plan { title, plan } => leave(app, title, *plan, effects),
        preflight::Chosen::Read => {
            app.panes.preview = Switch::On;
            app.focus = Focus::Preview;
            tell(app, "nothing was resumed: read it");
        }
    }
}

/// The choice with this number, at once.
pub fn choose_number(app: &mut App, number: usize, effects: &mut Vec<Effect>) {
    let Some(Overlay::Preflight(card)) = &mut app.overlay else {
        return;
    };
    let at = number.checked_sub(1);
    if let Some(at) = at.filter(|at| *at < card.question.choices.len()) {
        if card.cursor != at {
            card.cursor = at;
            card.armed = false;
        }
        choose(app, effects);
    }
}

/// Esc: from a typed directory to the choices, from those to the list. Says whether it was for
/// the card.
pub fn back(app: &mut App) -> bool {
    match &mut app.overlay {
        Some(Overlay::Preflight(card)) if card.entry.is_some() => card.entry = None,
        Some(Overlay::Preflight(_) | Overlay::Batch(_)) => app.overlay = None,
        _ => return false,
    }
    true
}

pub fn step(app: &mut App, by: isize) {
    if let Some(Overlay::Preflight(card)) = &mut app.overlay {
        card.step(by);
    }
}

/// The directory that is being typed, if one is.
pub fn entry(app: &mut App) -> Option<&mut Entry> {
    match &mut app.overlay {
        Some(Overlay::Preflight(card)) => card.entry.as_mut(),
        _ => None,
    }
}

/// The typed directory was edited.
pub fn typed(app: &mut App) {
    if let Some(entry) = entry(app) {
        entry.offers.clear();
        entry.mistake = None;
    }
}

/// Tab: what could the directory be called?
pub fn complete(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some(entry) = entry(app) {
        let typed = entry.input.text().to_owned();
        effects.push(Effect::Path(PathRequest::Complete(typed)));
    }
}

/// The disk answers.
pub fn path_reply(app: &mut App, reply: PathReply, effects: &mut Vec<Effect>) {
    let Some(entry) = entry(app) else {
        return;
    };
    match reply {
        PathReply::Offers { typed, offers } if entry.input.text() == typed => {
            if let Some(common) = common_beginning(&offers)
                && common.len() > typed.len()
            {
                entry.input = crate::tui::input::Input::new(&common);
            }
            entry.mistake = offers.is_empty().then_some("no such directory");
            entry.offers = if offers.len() > 1 { offers } else { Vec::new() };
        }
        PathReply::Enter { typed, path } if entry.input.text() == typed => match path {
            None => entry.mistake = Some("that is no directory that can be entered"),
            Some(path) => {
                if let Some(Overlay::Preflight(card)) = app.overlay.take() {
                    let chosen = card.answer(Answer::GoTo(path));
                    take(app, chosen, effects);
                }
            }
        },
        // The text has changed since.
        PathReply::Offers { .. } | PathReply::Enter { .. } => {}
    }
}

/// What all offers begin with.
fn common_beginning(offers: &[String]) -> Option<String> {
    let (first, rest) = offers.split_first()?;
    let mut length = first.len();
    for other in rest {
        let pairs = first.char_indices().zip(other.chars());
        let same = pairs.take_while(|((_, a), b)| a == b).last();
        let end = same.map_or(0, |((at, c), _)| at + c.len_utf8());
        length = length.min(end);
    }
    first.get(..length).map(str::to_owned)
}

/// A key of the line editor, for the directory that is being typed. Says whether it was for it.
pub fn edit(app: &mut App, how: Edit) -> bool {
    let Some(entry) = entry(app) else {
        return false;
    };
    entry.input.edit(how);
    typed(app);
    true
}

/// A click on the card: on a choice, or beside everything, which closes it.
pub fn click(app: &mut App, line: Option<usize>, effects: &mut Vec<Effect>) {
    let Some(Overlay::Preflight(card)) = &app.overlay else {
        app.overlay = None;
        return;
    };
    let area = app.layout().body();
    let columns = usize::from(area.width.saturating_sub(2));
    let lines = card.lines(columns, usize::from(area.height.saturating_sub(1)));
    match line.map(|line| lines.get(line)) {
        Some(Some(line)) => {
            if let Some(at) = line.choice() {
                choose_number(app, at + 1, effects);
            }
        }
        Some(None) | None => app.overlay = None,
    }
}
