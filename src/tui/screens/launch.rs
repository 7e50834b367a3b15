//! From a choice to a plan: look up the facts, ask what has to be decided, leave with the plan.

use std::path::PathBuf;
use std::sync::Arc;

use super::batch::BatchCard;
use super::question::Question;
use super::{Flow, Screen};
use crate::list::Row;
use crate::resume::{
    self, Answers, Batch, ChildSession, Decision, Finding, FoundSession, Fresh, Location, Plan,
    Program, Situation, Staying, Wish, answer_safely, imagine, no_program,
};
use crate::search::Generation;
use crate::store::Hidden;
use crate::tui::{Action, Context, Ending, Host, Outcome, Outside, Printed, ProbeRequest, Request};

/// The facts about sessions.
#[derive(Debug)]
pub struct Probed {
    pub generation: Generation,
    /// Titles and situations.
    pub situations: Vec<(String, Situation)>,
    /// Sessions that cannot be resumed.
    pub left: Vec<Staying>,
}

/// A new session, and the program that would run it.
#[derive(Debug)]
pub struct Beginning {
    pub generation: Generation,
    pub fresh: Fresh,
    pub program: Program,
}

/// A chosen session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub title: String,
    pub plan: Plan,
    /// Its file, if it has to be there still when the plan runs.
    pub transcript: Option<PathBuf>,
    /// What was decided without asking, and was not shown yet.
    pub decided: Vec<Decision>,
    /// What is left to decide, if nothing runs.
    pub open: Vec<Finding>,
}

impl Chosen {
    /// A choice with nothing left to say.
    pub fn new(title: String, plan: Plan) -> Self {
        Self {
            title,
            plan,
            transcript: None,
            decided: Vec::new(),
            open: Vec::new(),
        }
    }
}

/// Do several sessions open in tmux windows? A dry run does everything but the last step.
pub fn opens_windows(context: &Context) -> bool {
    matches!(
        context.setting.ending,
        Ending::Resume | Ending::Print(Printed::Report)
    )
}

/// Requests the facts about sessions. Returns the number of the request.
pub fn probe(rows: &[Arc<Row>], wish: Wish, host: &mut Host<'_>) -> Option<Generation> {
    let mut sessions = Vec::new();
    let mut left = Vec::new();
    for row in rows {
        let title = row.title().into_owned();
        if let Some(kind @ (Hidden::Unreadable | Hidden::NotASession | Hidden::Empty)) =
            row.session.hidden
        {
            let why = format!("{}: nothing to resume", kind.label());
            left.push(Staying { title, why });
            continue;
        }
        let copies = row.copies.iter().map(|copy| copy.file.path()).collect();
        let mut found = FoundSession::new(row.session.clone(), copies);
        let is_it = |outside: &&Outside| outside.path == found.session.file.path();
        if let Some(outside) = host.context.setting.outside.as_ref().filter(is_it) {
            found.location = Location::Outside {
                in_store: outside.in_store.clone(),
            };
            found.id.clone_from(&outside.id);
        }
        sessions.push((title, found));
    }
    if sessions.is_empty() {
        if let Some(staying) = left.into_iter().next() {
            host.warn(staying.why);
        }
        return None;
    }
    let mut launch = host.context.setting.launch.clone();
    if wish == Wish::Fork {
        launch.wish = wish;
    }
    // tmux windows get the environment of the server, not ours.
    if rows.len() > 1 && opens_windows(host.context) {
        launch.child_session = ChildSession::Free;
    }
    let generation = host.next_generation();
    let request = ProbeRequest {
        generation,
        sessions,
        left,
        now: host.context.millis(),
        launch,
        look: match host.context.setting.ending {
            Ending::Explain => imagine,
            Ending::Resume | Ending::Print(_) => resume::probe,
        },
    };
    host.ask(Request::Probe(Box::new(request)));
    Some(generation)
}

/// The facts are here: print, ask, or run.
pub fn probed(probed: Probed, host: &mut Host<'_>) -> Flow {
    host.answered();
    let mut situations = probed.situations;
    let is_one = situations.len() + probed.left.len() == 1;
    if let Ending::Print(printed) = host.context.setting.ending
        && (printed != Printed::Command || situations.len() > 1)
        && (printed != Printed::Report || is_one)
    {
        return print(printed, &situations, host);
    }
    if !is_one {
        let answers = &host.context.setting.answers;
        let batch = Batch::of(situations, answers, probed.left);
        return Flow::Push(Screen::Batch(Box::new(BatchCard::new(batch))));
    }
    match situations.pop() {
        Some((title, situation)) => ask(title, situation, host),
        None => Flow::Stay,
    }
}

/// Leaves with what is printed of these sessions. A printed command runs as it is, so a session
/// that needs a decision has to be chosen alone.
fn print(printed: Printed, situations: &[(String, Situation)], host: &mut Host<'_>) -> Flow {
    let mut plans = Vec::new();
    for (title, situation) in situations {
        let (answers, decided) = given(host.context, situation);
        let finding = situation.findings(&answers).into_iter().next();
        if let Some(finding) = finding.filter(|_| printed == Printed::Command) {
            host.warn(format!(
                "{title}: {}; choose it alone to decide",
                finding.headline
            ));
            return Flow::Stay;
        }
        plans.push(Chosen {
            title: title.clone(),
            plan: Plan::unasked(situation, &answers),
            transcript: None,
            decided,
            open: situation.findings(&host.context.setting.answers),
        });
    }
    Flow::Leave(Outcome::Chosen(plans))
}

/// The answers of the command line, and what `--yes` decided.
fn given(context: &Context, situation: &Situation) -> (Answers, Vec<Decision>) {
    let answers = context.setting.answers.clone();
    if !context.setting.says_yes {
        return (answers, Vec::new());
    }
    let safely = answer_safely(situation, answers);
    (safely.answers, safely.decided)
}

/// Asks what has to be decided, or leaves with the plan.
fn ask(title: String, situation: Situation, host: &mut Host<'_>) -> Flow {
    let (answers, decided) = given(host.context, &situation);
    let plan = Plan::of(&situation, &answers);
    if let Err(error) = plan.check_words(&situation.launch) {
        host.warn(error.to_string());
        return Flow::Stay;
    }
    if let Some(mut question) = Question::new(&title, situation, answers) {
        question.decided = decided;
        return Flow::Push(Screen::Question(Box::new(question)));
    }
    let chosen = Chosen::new(title, plan);
    leave(Chosen { decided, ..chosen }, host)
}

/// Starts a new session if there is a program for it. Returns the number of the request.
pub fn begin(fresh: Fresh, host: &mut Host<'_>) -> Option<Generation> {
    if host.context.setting.ending == Ending::Explain {
        explain(&fresh.plan(&Answers::default()), host);
        return None;
    }
    let generation = host.next_generation();
    host.ask(Request::Begin(generation, Box::new(fresh)));
    Some(generation)
}

/// Asks if the new session would not be saved, or starts it.
pub fn program_found(found: Beginning, host: &mut Host<'_>) -> Flow {
    host.answered();
    let fresh = found.fresh;
    if let Some((headline, cause)) = no_program(&found.program, &fresh.launch) {
        let key = host.context.key(Action::CopyPrompt);
        host.warn(format!(
            "{headline}: {cause}. Install it, or name it in CLAUDE_RESUME_COMMAND; {key} copies the prompt"
        ));
        return Flow::Stay;
    }
    let none = Answers::default();
    let plan = fresh.plan(&none);
    match Question::new("a new session", fresh, none) {
        Some(question) => Flow::Push(Screen::Question(Box::new(question))),
        None => leave(Chosen::new(String::new(), plan), host),
    }
}

/// Leaves with a plan. The demo only shows it.
pub fn leave(chosen: Chosen, host: &mut Host<'_>) -> Flow {
    if host.context.setting.ending == Ending::Explain {
        explain(&chosen.plan, host);
        return Flow::Stay;
    }
    Flow::Leave(Outcome::Chosen(vec![chosen]))
}

fn explain(plan: &Plan, host: &mut Host<'_>) {
    let line = plan.command_line();
    host.tell(format!("this is the demo; it would run: {line}"));
}
