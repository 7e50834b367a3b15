//! What can be done with a prompt: go to its session, resume that, start a new one, copy it.

use std::sync::Arc;

use super::super::confirm::Confirm;
use super::super::launch;
use super::super::sessions::{RevealTarget, Sessions, copied, copy};
use super::super::{Flow, Returned, Screen};
use super::{EnterMode, PastText, PendingPrompt, Prompts, fate_words};
use crate::history::Lacking;
use crate::reader::PromptTarget;
use crate::resume::{Fresh, Wish};
use crate::search::{View, project_label};
use crate::text::sanitize_lines;
use crate::tui::context::Ending;
use crate::tui::host::{Env, Host};
use crate::tui::keymap::Action;
use crate::tui::layout::{Focus, Switch};
use crate::tui::message::{Effect, Opener, Outcome};

/// Some entries of the history name no session.
const NO_SESSION: &str = "the history does not say which session this was";

/// May something be done that is asked about first?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assent {
    Asked,
    Given,
}

impl Prompts {
    /// Does what a key asks for with the prompt under the cursor.
    pub(super) fn act(
        &mut self,
        action: Action,
        assent: Assent,
        host: &mut Host<'_>,
    ) -> Option<Flow> {
        match action {
            Action::GoToSession => return self.choose(host),
            Action::ResumePrompt => return self.resume(assent, host),
            Action::NewSession => return self.new_session(assent, host),
            Action::CopyPrompt => {
                let whole = self.whole(action)?;
                let what = match (self.view, whole.lacking == Lacking::default()) {
                    (View::Prompts, true) => "the prompt",
                    (View::Prompts, false) => "the prompt (without images and lost pastes)",
                    (View::Deleted, true) => "its prompts",
                    (View::Deleted, false) => "its prompts (without images and lost pastes)",
                };
                let text = whole.text.clone();
                host.effect(Effect::Copy { what, text });
            }
            Action::OpenMessage | Action::EditMessage => {
                let opener = match action {
                    Action::EditMessage => Opener::Editor,
                    _ => Opener::Pager,
                };
                let text = sanitize_lines(&self.whole(action)?.text);
                host.effect(Effect::Outside { opener, text });
            }
            Action::CopyId => match &self.cursor_row()?.prompt.session {
                Some(id) => copy(std::slice::from_ref(id), 0, action, host),
                None => host.warn(NO_SESSION),
            },
            Action::CopyCommand | Action::CopyPath => {
                let row = self.session(host)?.row;
                let text = copied(host.data.row(row)?, action, host.context);
                copy(&[text], 0, action, host);
            }
            _ => {}
        }
        None
    }

    /// Enter.
    fn choose(&mut self, host: &mut Host<'_>) -> Option<Flow> {
        if self.view == View::Deleted {
            let id = self.cursor_row()?.prompt.session.clone()?;
            let query = format!("id:{id} ");
            let mut prompts = Self::new(View::Prompts, &query, Some(id), host.context);
            prompts.choice = self.choice;
            return Some(Flow::Push(Screen::Prompts(Box::new(prompts))));
        }
        if self.choice == EnterMode::Go {
            return self.go_to_session(Focus::List, host);
        }
        let whole = self.whole(Action::GoToSession)?;
        Some(Flow::Leave(Outcome::Prompt {
            text: whole.text.clone(),
            lacking: whole.lacking,
        }))
    }

    /// Shows the prompt in its session.
    pub(super) fn go_to_session(&mut self, focus: Focus, host: &mut Host<'_>) -> Option<Flow> {
        let target = self.session(host)?;
        if focus == Focus::Preview {
            host.tell("nothing was resumed: this is the conversation");
            host.context.panes.preview = Switch::On;
        }
        if let Some(other) = self.elsewhere(host.env()) {
            host.tell(format!(
                "the prompt's conversation is gone. This one has the same prompt ({other})"
            ));
        }
        let sessions = Sessions::at(target, focus, host);
        Some(Flow::Push(Screen::Sessions(Box::new(sessions))))
    }

    fn resume(&mut self, assent: Assent, host: &mut Host<'_>) -> Option<Flow> {
        if self.only_prints(host) {
            return None;
        }
        let target = self.session(host)?;
        if let (Assent::Asked, Some(other)) = (assent, self.elsewhere(host.env())) {
            return Some(confirm(
                "The conversation of this prompt is gone",
                format!("Another conversation has the same prompt ({other})."),
                "Resume the other conversation",
                Action::ResumePrompt,
            ));
        }
        let row = Arc::clone(host.data.row(target.row)?);
        let request = launch::probe(&[row], Wish::Continue, host);
        self.pending = request.map(PendingPrompt::Probe);
        None
    }

    /// Starts a new session in the prompt's project with it.
    fn new_session(&mut self, assent: Assent, host: &mut Host<'_>) -> Option<Flow> {
        if self.only_prints(host) {
            return None;
        }
        if self.view == View::Deleted {
            host.tell("Enter shows its prompts: choose the one to begin with");
            return None;
        }
        let whole = self.whole(Action::NewSession)?;
        let project = self.cursor_row()?.prompt.project.clone();
        let is_demo = host.context.setting.ending == Ending::Explain;
        let key = host.context.key(Action::CopyPrompt);
        if !whole.has_project && !is_demo {
            let place = match project.as_str() {
                "" => "its project is not known".to_owned(),
                gone => format!("{} is gone", host.context.tilde(gone)),
            };
            host.warn(format!("{place}: {key} copies the prompt"));
            return None;
        }
        if let (Assent::Asked, Some(lacking)) = (assent, whole.lacking.words()) {
            let headline = "The prompt is not complete";
            let label = "Send it as it was typed";
            return Some(confirm(headline, lacking, label, Action::NewSession));
        }
        let fresh = Fresh {
            directory: (!project.is_empty()).then(|| project.into()),
            // The root of the demo is gone when it ends.
            root: (!is_demo).then(|| whole.root.clone()),
            prompt: whole.text.clone(),
            launch: host.context.setting.launch.clone(),
        };
        if let Err(error) = fresh.check() {
            host.warn(format!("{error}: {key} copies the prompt"));
        } else if let Ending::Print(_) = host.context.setting.ending {
            host.warn("there is no session to print: copy the prompt instead");
        } else {
            self.pending = launch::begin(fresh, host).map(PendingPrompt::Probe);
        }
        None
    }

    /// The whole text of the prompt under the cursor. If it is not here yet, the action is done
    /// when it is.
    fn whole(&mut self, action: Action) -> Option<Arc<PastText>> {
        let whole = self.text().cloned();
        if whole.is_none() {
            self.pending = Some(PendingPrompt::Act(action));
        }
        whole
    }

    /// Where a prompt is printed, nothing runs: its output would be taken for the prompt.
    fn only_prints(&self, host: &mut Host<'_>) -> bool {
        let prints = self.choice == EnterMode::Print;
        if prints {
            host.warn("--print runs nothing. Enter prints the prompt");
        }
        prints
    }

    /// Project and age of the other conversation with the same prompt, if its own is gone.
    pub(super) fn elsewhere(&self, env: Env<'_>) -> Option<String> {
        let row = self.elsewhere_row()?;
        let when = row.since(env.context.millis());
        Some(match project_label(&row.prompt.project) {
            "" => when,
            project => format!("{project}, {when}"),
        })
    }

    /// The prompt in its session. Where there is none, says why, and what else can be done.
    fn session(&self, host: &mut Host<'_>) -> Option<RevealTarget> {
        let hit = self.cursor()?;
        let past = &self.row(hit.reachable)?.prompt;
        let id = past.session.as_deref();
        if let Some(row) = id.and_then(|id| host.data.find_checked(id)) {
            let whole = self.text().map(|whole| &whole.text);
            let text = whole.unwrap_or(&past.display).clone();
            let timestamp = past.timestamp;
            let prompt = PromptTarget { text, timestamp };
            return Some(RevealTarget { row, prompt });
        }
        let reason = match (hit.leads_somewhere(), host.data.is_scanned()) {
            _ if id.is_none() => NO_SESSION,
            (true, true) => "its session is not in the list",
            (true, false) => "its session has not been read yet",
            (false, _) => fate_words(hit.fate).1,
        };
        host.warn(format!(
            "{reason}: {} copies the prompt, {} starts a new session with it",
            host.context.key(Action::CopyPrompt),
            host.context.key(Action::NewSession)
        ));
        None
    }
}

/// A question before an action is done.
fn confirm(headline: &str, line: String, label: &str, action: Action) -> Flow {
    let confirm = Confirm::new(headline, "", vec![line]);
    let confirm = confirm.or(label, "", Returned::Confirmed(action));
    Flow::Push(Screen::Confirm(Box::new(confirm)))
}
