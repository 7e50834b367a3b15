//! From Enter to a plan: look the facts up, show the card, take its answers.

use std::sync::Arc;

use super::history;
use super::keys::{Motion, scrolled};
use super::{Effect, Outcome, tell};
use crate::list::Row;
use crate::resume::{
    Answer, Answers, Batch, ChildSession, Decision, FoundSession, Fresh, Going, Location, Nested,
    Plan, Situation, Staying, Wish, answer_safely, no_program,
};
use crate::search::{RowId, Tier};
use crate::store::Hidden;
use crate::tui::app::{App, Ending, Outside, Printed, Scan};
use crate::tui::input::Edit;
use crate::tui::keymap::Action;
use crate::tui::layout::{Focus, Switch};
use crate::tui::message::{Chosen, Notice};
use crate::tui::overlay::Overlay;
use crate::tui::preflight::{
    Answered, BatchCard, Beginning, Card, Entry, PathReply, Probed, Stride, Way,
};
use crate::tui::reading::Warned;
use crate::tui::request::{BeginRequest, PathRequest, ProbeMode, ProbeRequest, Request};

/// Enter: what is marked, or the row under the cursor.
pub fn resume(app: &mut App, wish: Wish, effects: &mut Vec<Effect>) {
    // After fast typing the row of the new query is meant, not the one that is still there.
    let is_to_come = app.listing.cursor().is_none() && !matches!(app.scan, Scan::Over(_));
    if (app.is_searching() || is_to_come) && app.marked.is_empty() {
        app.awaiting = Some(wish);
        return;
    }
    let marked: Vec<RowId> = app.marked.iter().copied().collect();
    if marked.len() > 1 && opens_windows(app) {
        if app.setting.launch.nested == Nested::No {
            let text =
                "marked sessions open in tmux windows: start tmux first, or unmark them (Esc)";
            app.notice = Some(Notice::Trouble(text.to_owned()));
            return;
        }
        ask(app, &marked, wish, effects);
        return;
    }
    if let Some(text) = unprintable(app, wish, marked.len()) {
        app.notice = Some(Notice::Trouble(text.to_owned()));
        return;
    }
    let wanted: Vec<RowId> = match (marked.as_slice(), app.setting.ending) {
        ([_, _, ..], Ending::Print(_)) | ([_], _) => marked,
        _ => app.listing.cursor().into_iter().collect(),
    };
    if !warns_of_branch(app, &wanted) {
        ask(app, &wanted, wish, effects);
    }
}

/// Whether several sessions open in tmux windows. A dry run does everything but the last step.
fn opens_windows(app: &App) -> bool {
    matches!(
        app.setting.ending,
        Ending::Resume | Ending::Print(Printed::Report)
    )
}

/// Says that resuming uses another branch than the one in the preview, and waits for a second Enter.
fn warns_of_branch(app: &mut App, wanted: &[RowId]) -> bool {
    let shown = app.preview.asked.as_ref();
    let is_other = shown.is_some_and(|shown| shown.leaf.is_some() && wanted.contains(&shown.row));
    if !is_other || app.preview.warned == Warned::Yes {
        return false;
    }
    app.preview.warned = Warned::Yes;
    let branches = app.setting.keymap.name(Action::Branches);
    let text = format!(
        "Resume uses a different branch. Enter again to continue, {} to compare",
        branches.unwrap_or_default()
    );
    app.notice = Some(Notice::Trouble(text));
    true
}

/// Why the output cannot express this choice.
fn unprintable(app: &App, wish: Wish, marked: usize) -> Option<&'static str> {
    match app.setting.ending {
        // An id stands for the session itself.
        Ending::Print(Printed::Id) if wish == Wish::Fork => {
            Some("only an id is printed here, and it cannot name a fork")
        }
        Ending::Print(Printed::Words) if marked > 1 => {
            Some("the shell opens one session: unmark them (Esc) and choose one")
        }
        _ => None,
    }
}

/// One row, whatever is marked.
pub fn resume_row(app: &mut App, row: RowId, effects: &mut Vec<Effect>) {
    ask(app, &[row], Wish::Continue, effects);
}

/// The rows of the query arrived. An Enter that waited for them is done now; if there are none yet,
/// fuzzy matches may follow.
pub fn arrived(app: &mut App, tier: Tier, effects: &mut Vec<Effect>) {
    let is_over = matches!(app.scan, Scan::Over(_));
    let is_last = tier == Tier::Fuzzy && is_over;
    let may_get_better = app.listing.follows_best() && !is_over;
    if (app.listing.cursor().is_none() && !is_last) || may_get_better {
        return;
    }
    if let Some(wish) = app.awaiting.take() {
        resume(app, wish, effects);
    }
}

/// Has the facts about these rows looked up.
fn ask(app: &mut App, rows: &[RowId], wish: Wish, effects: &mut Vec<Effect>) {
    let rows: Vec<Arc<Row>> = rows
        .iter()
        .filter_map(|id| app.listing.row(*id).cloned())
        .collect();
    let mut sessions = Vec::new();
    let mut left = Vec::new();
    for row in &rows {
        let title = row.session.meta.title();
        let title = title.map_or("(no title)", |(_, title)| title).to_owned();
        if let Some(kind @ (Hidden::Unreadable | Hidden::NotASession | Hidden::Empty)) =
            row.session.hidden
        {
            let why = format!("({}): there is nothing to resume", kind.label());
            left.push(Staying { title, why });
            continue;
        }
        let copies = row.copies.iter().map(|copy| copy.file.path()).collect();
        let mut found = FoundSession::new(row.session.clone(), copies);
        let is_it = |outside: &&Outside| outside.path == found.session.file.path();
        if let Some(outside) = app.outside.as_ref().filter(is_it) {
            found.location = Location::Outside {
                in_store: outside.in_store.clone(),
            };
            found.id.clone_from(&outside.id);
        }
        sessions.push((title, found));
    }
    if sessions.is_empty() {
        let why = left.into_iter().next().map(|one| Notice::Trouble(one.why));
        app.notice = why.or(app.notice.take());
        return;
    }
    app.preflight.0 += 1;
    app.probing = true;
    let mut launch = app.setting.launch.clone();
    if wish == Wish::Fork {
        launch.wish = wish;
    }
    // tmux windows get the environment of the server, not ours.
    if rows.len() > 1 && opens_windows(app) {
        launch.child_session = ChildSession::Free;
    }
    effects.push(Effect::Ask(Request::Probe(Box::new(ProbeRequest {
        generation: app.preflight,
        sessions,
        left,
        now: app.now.timestamp_millis(),
        launch,
        sight: match app.setting.ending {
            Ending::Explain => ProbeMode::Imagined,
            Ending::Resume | Ending::Print(_) => ProbeMode::Real,
        },
    }))));
}

/// The facts arrived. A key that was pressed meanwhile has canceled the request.
pub fn probed(app: &mut App, probed: Probed, effects: &mut Vec<Effect>) {
    if probed.generation != app.preflight || !app.probing {
        return;
    }
    app.probing = false;
    let mut situations = probed.situations;
    let is_one = situations.len() + probed.left.len() == 1;
    if let Ending::Print(printed) = app.setting.ending
        && (printed != Printed::Command || situations.len() > 1)
        && (printed != Printed::Report || is_one)
    {
        print(app, printed, &situations, effects);
        return;
    }
    if !is_one {
        let batch = Batch::of(situations, &app.answers, probed.left);
        app.overlay = Some(Overlay::Batch(Box::new(BatchCard::new(batch))));
        return;
    }
    let Some((title, situation)) = situations.pop() else {
        return;
    };
    open(app, title, situation, effects);
}

/// Leaves with what is printed of these sessions. A printed command is run as it is, so a session that
/// needs a decision has to be chosen alone.
fn print(
    app: &mut App,
    printed: Printed,
    situations: &[(String, Situation)],
    effects: &mut Vec<Effect>,
) {
    let mut plans = Vec::new();
    for (title, situation) in situations {
        let (answers, decided) = given(app, situation);
        let finding = situation.findings(&answers).into_iter().next();
        if let Some(finding) = finding.filter(|_| printed == Printed::Command) {
            let text = format!("{title}: {}; choose it alone to decide", finding.headline);
            app.notice = Some(Notice::Trouble(text));
            return;
        }
        plans.push(Chosen {
            title: title.clone(),
            plan: Plan::unasked(situation, &answers),
            decided,
            open: situation.findings(&app.answers),
        });
    }
    effects.push(Effect::Leave(Outcome::Chosen(plans)));
}

/// What the command line has answered, and what `--yes` decided.
fn given(app: &App, situation: &Situation) -> (Answers, Vec<Decision>) {
    if !app.says_yes {
        return (app.answers.clone(), Vec::new());
    }
    let safely = answer_safely(situation, app.answers.clone());
    (safely.answers, safely.decided)
}

/// Opens the card, or leaves if nothing has to be decided.
fn open(app: &mut App, title: String, situation: Situation, effects: &mut Vec<Effect>) {
    let (answers, decided) = given(app, &situation);
    let plan = Plan::of(&situation, &answers);
    if let Err(error) = plan.check_words(&situation.launch) {
        app.notice = Some(Notice::Trouble(error.to_string()));
        return;
    }
    if let Some(card) = Card::new(title.clone(), situation, answers) {
        let card = Card { decided, ..card };
        app.overlay = Some(Overlay::Preflight(Box::new(card)));
        return;
    }
    let chosen = Chosen {
        title,
        plan,
        decided,
        open: Vec::new(),
    };
    leave(app, chosen, effects);
}

/// Starts a new session with a prompt, if there is a program for it.
pub fn begin(app: &mut App, fresh: Fresh, effects: &mut Vec<Effect>) {
    if app.setting.ending == Ending::Explain {
        let plan = fresh.plan(&Answers::default());
        return leave(app, Chosen::new(String::new(), plan), effects);
    }
    app.preflight.0 += 1;
    app.probing = true;
    effects.push(Effect::Ask(Request::Begin(Box::new(BeginRequest {
        generation: app.preflight,
        fresh,
    }))));
}

/// Opens the card if the new session would not be saved, or starts it. Without a program the prompt
/// can still be copied.
pub fn program_found(app: &mut App, found: Beginning, effects: &mut Vec<Effect>) {
    if found.generation != app.preflight || !app.probing {
        return;
    }
    app.probing = false;
    let fresh = found.fresh;
    if let Some((headline, cause)) = no_program(&found.program, &fresh.launch) {
        let key = app.setting.keymap.name(Action::CopyPrompt);
        app.notice = Some(Notice::Trouble(format!(
            "{headline}: {cause}. Install it, or name it in CLAUDE_RESUME_COMMAND; {} copies the prompt",
            key.unwrap_or_default()
        )));
        return;
    }
    let none = Answers::default();
    let plan = fresh.plan(&none);
    match Card::new("a new session".to_owned(), fresh, none) {
        Some(card) => app.overlay = Some(Overlay::Preflight(Box::new(card))),
        None => leave(app, Chosen::new(String::new(), plan), effects),
    }
}

fn leave(app: &mut App, chosen: Chosen, effects: &mut Vec<Effect>) {
    if app.setting.ending == Ending::Explain {
        let line = chosen.plan.command_line();
        let text = format!("this is the demo; it would run: {line}");
        app.notice = Some(Notice::Done(text));
        return;
    }
    effects.push(Effect::Leave(Outcome::Chosen(vec![chosen])));
}

/// Scrolls the batch card.
pub fn scroll_batch(app: &mut App, motion: Motion) {
    let (columns, page) = app.batch_room();
    if let Some(Overlay::Batch(card)) = &mut app.overlay {
        let last = card.lines(columns).len().saturating_sub(page);
        card.top = scrolled(card.top.min(last), motion, page, last);
    }
}

/// Enter on the card or the batch.
pub fn choose(app: &mut App, effects: &mut Vec<Effect>) {
    match app.overlay.take() {
        Some(Overlay::Preflight(card)) => match &card.entry {
            Some(entry) => {
                let typed = entry.input.text().to_owned();
                app.overlay = Some(Overlay::Preflight(card));
                if !typed.is_empty() {
                    effects.push(Effect::Ask(Request::Path(PathRequest::Enter(typed))));
                } else if let Some(entry) = self::entry(app) {
                    entry.mistake = Some("type a directory, or go back with Esc");
                }
            }
            None => take(app, card.choose(), effects),
        },
        Some(Overlay::Batch(card)) if !card.batch.going.is_empty() => {
            let going = card.batch.going.into_iter();
            // The card has shown what was decided.
            let chosen = going.map(|Going { title, plan, .. }| Chosen::new(title, plan));
            effects.push(Effect::Leave(Outcome::Windows(chosen.collect())));
        }
        other => app.overlay = other,
    }
}

fn take(app: &mut App, answered: Answered, effects: &mut Vec<Effect>) {
    match answered {
        Answered::Card(card) => app.overlay = Some(Overlay::Preflight(card)),
        Answered::Leave(chosen) => leave(app, *chosen, effects),
        Answered::Read => {
            // A notice from there replaces it.
            tell(app, "nothing was resumed: this is the conversation");
            history::read_instead(app, effects);
            app.panes.preview = Switch::On;
            app.focus = Focus::Preview;
        }
    }
}

/// The choice with this number, at once.
pub fn choose_number(app: &mut App, number: usize, effects: &mut Vec<Effect>) {
    let Some(Overlay::Preflight(card)) = &mut app.overlay else {
        return;
    };
    let at = number.checked_sub(1);
    if let Some(at) = at.filter(|at| *at < card.finding.choices.len()) {
        if card.cursor != at {
            card.point(at);
        }
        choose(app, effects);
    }
}

/// Esc: from a typed directory to the choices, from those to the list. Returns whether there was a
/// card.
pub fn back(app: &mut App) -> bool {
    match &mut app.overlay {
        Some(Overlay::Preflight(card)) if card.entry.is_some() => card.entry = None,
        Some(Overlay::Preflight(_) | Overlay::Batch(_)) => app.overlay = None,
        _ => return false,
    }
    true
}

/// Up and down on the card.
pub fn step(app: &mut App, motion: Motion) {
    let (columns, room) = app.card_room();
    let Some(Overlay::Preflight(card)) = &mut app.overlay else {
        return;
    };
    let way = |by: isize| if by < 0 { Way::Up } else { Way::Down };
    let view = card.view(columns, room);
    match motion {
        Motion::Lines(by) => card.step(way(by), Stride::Line, &view),
        Motion::Pages(by) => card.step(way(by), Stride::Page, &view),
        Motion::First => card.point(0),
        Motion::Last => card.point(usize::MAX),
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

/// Tab completes the directory.
pub fn complete(app: &mut App, effects: &mut Vec<Effect>) {
    if let Some(entry) = entry(app) {
        let typed = entry.input.text().to_owned();
        effects.push(Effect::Ask(Request::Path(PathRequest::Complete(typed))));
    }
}

/// The reply about a typed directory.
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
            None => entry.mistake = Some("not a directory you can enter"),
            Some(path) => {
                if let Some(Overlay::Preflight(card)) = app.overlay.take() {
                    let chosen = card.answer(Answer::GoTo(path));
                    take(app, chosen, effects);
                }
            }
        },
        PathReply::Childless { typed } if entry.input.text() == typed => {
            entry.offers.clear();
            entry.mistake = Some("no directory inside: Enter takes this one");
        }
        // The text has changed since.
        PathReply::Offers { .. } | PathReply::Childless { .. } | PathReply::Enter { .. } => {}
    }
}

/// The common prefix of all completions.
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

/// A key of the line editor. Returns whether a directory is being typed.
pub fn edit(app: &mut App, how: Edit) -> bool {
    let Some(entry) = entry(app) else {
        return false;
    };
    entry.input.edit(how);
    typed(app);
    true
}

/// A click takes a choice; outside of the card it closes it.
pub fn click(app: &mut App, line: Option<usize>, effects: &mut Vec<Effect>) {
    let Some(Overlay::Preflight(card)) = &app.overlay else {
        app.overlay = None;
        return;
    };
    let (columns, room) = app.card_room();
    let view = card.view(columns, room);
    match line.map(|line| view.lines.get(line)) {
        Some(Some(line)) => {
            if let Some(at) = line.choice() {
                choose_number(app, at + 1, effects);
            }
        }
        Some(None) | None => app.overlay = None,
    }
}
