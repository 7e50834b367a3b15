//! What can be done with a prompt: go to its session, resume that, start a new one, copy it.

use std::sync::Arc;

use super::super::confirm::{Confirm, Consequence};
use super::super::launch;
use super::super::sessions::{RevealTarget, Sessions, copied, copy};
use super::super::{Flow, Screen};
use super::{EnterMode, PastText, PendingPrompt, Prompts, fate_words};
use crate::resume::{Fresh, Wish};
use crate::search::{View, project_label};
use crate::text::sanitize_lines;
use crate::tui::context::Ending;
use crate::tui::host::{Env, Host};
use crate::tui::keymap::Action;
use crate::tui::layout::{Focus, Switch};
use crate::tui::message::{Effect, Opener, Outcome};

impl Prompts {
    /// Enter.
    pub(super) fn choose(&mut self, host: &mut Host<'_>) -> Flow {
        if self.view == View::Deleted {
            let row = self.cursor_row();
            let Some(id) = row.and_then(|row| row.prompt.session.clone()) else {
                return Flow::Stay;
            };
            let query = format!("id:{id} ");
            let mut prompts = Self::new(View::Prompts, &query, Some(id), host.context);
            prompts.choice = self.choice;
            return Flow::Push(Screen::Prompts(Box::new(prompts)));
        }
        match self.choice {
            EnterMode::Go => self.go_to_session(Focus::List, host),
            EnterMode::Print => match self.whole(Action::GoToSession) {
                Some(whole) => Flow::Leave(Outcome::Prompt {
                    text: whole.text.clone(),
                    lacking: whole.lacking,
                }),
                None => Flow::Stay,
            },
        }
    }

    /// Shows the prompt in its session.
    pub(super) fn go_to_session(&mut self, focus: Focus, host: &mut Host<'_>) -> Flow {
        let Some(target) = self.session(host) else {
            return Flow::Stay;
        };
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
        Flow::Push(Screen::Sessions(Box::new(sessions)))
    }

    pub(super) fn resume(&mut self, is_confirmed: bool, host: &mut Host<'_>) -> Flow {
        if self.only_prints(host) {
            return Flow::Stay;
        }
        let Some(target) = self.session(host) else {
            return Flow::Stay;
        };
        if let (false, Some(other)) = (is_confirmed, self.elsewhere(host.env())) {
            let lines = vec![format!(
                "Another conversation has the same prompt ({other})."
            )];
            let confirm = Confirm::new("The conversation of this prompt is gone", "", lines).or(
                "Resume the other conversation",
                "",
                Consequence::Do(Action::ResumePrompt),
            );
            return Flow::Push(Screen::Confirm(Box::new(confirm)));
        }
        if let Some(row) = host.data.row(target.row).map(Arc::clone) {
            let request = launch::probe(&[row], Wish::Continue, host);
            self.pending = request.map(PendingPrompt::Probe);
        }
        Flow::Stay
    }

    /// Starts a new session in the prompt's project with it.
    pub(super) fn new_session(&mut self, is_confirmed: bool, host: &mut Host<'_>) -> Flow {
        if self.only_prints(host) {
            return Flow::Stay;
        }
        if self.view == View::Deleted {
            host.tell("Enter shows its prompts: choose the one to begin with");
            return Flow::Stay;
        }
        let Some(whole) = self.whole(Action::NewSession) else {
            return Flow::Stay;
        };
        let row = self.cursor_row();
        let project = row.map_or(String::new(), |row| row.prompt.project.clone());
        let is_demo = host.context.setting.ending == Ending::Explain;
        if !whole.has_project && !is_demo {
            let place = match project.as_str() {
                "" => "its project is not known".to_owned(),
                gone => format!("{} is gone", host.context.tilde(gone)),
            };
            let key = host.context.key(Action::CopyPrompt);
            host.warn(format!("{place}: {key} copies the prompt"));
            return Flow::Stay;
        }
        if let (false, Some(lacking)) = (is_confirmed, whole.lacking.words()) {
            let confirm = Confirm::new("The prompt is not complete", "", vec![lacking]).or(
                "Send it as it was typed",
                "",
                Consequence::Do(Action::NewSession),
            );
            return Flow::Push(Screen::Confirm(Box::new(confirm)));
        }
        let fresh = Fresh {
            directory: (!project.is_empty()).then(|| project.into()),
            // The root of the demo is gone when it ends.
            root: (!is_demo).then(|| whole.root.clone()),
            prompt: whole.text.clone(),
            launch: host.context.setting.launch.clone(),
        };
        if let Err(error) = fresh.check() {
            let key = host.context.key(Action::CopyPrompt);
            host.warn(format!("{error}: {key} copies the prompt"));
        } else if let Ending::Print(_) = host.context.setting.ending {
            host.warn("there is no session to print: copy the prompt instead");
        } else {
            self.pending = launch::begin(fresh, host).map(PendingPrompt::Probe);
        }
        Flow::Stay
    }

    pub(super) fn copy_prompt(&mut self, host: &mut Host<'_>) {
        let Some(whole) = self.whole(Action::CopyPrompt) else {
            return;
        };
        let what = match (self.view, whole.lacking.pastes, whole.lacking.images) {
            (View::Deleted, 0, 0) => "its prompts",
            (View::Deleted, ..) => "its prompts (without what is lost)",
            (_, 0, 0) => "the prompt",
            (_, 0, _) => "the prompt (without its images)",
            (_, _, 0) => "the prompt (without lost pastes)",
            (..) => "the prompt (without its images and lost pastes)",
        };
        let text = whole.text.clone();
        host.effect(Effect::Copy { what, text });
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

    pub(super) fn copy_id(&self, host: &mut Host<'_>) {
        let row = self.cursor_row();
        match row.and_then(|row| row.prompt.session.clone()) {
            Some(id) => copy(&[id], Action::CopyId, host),
            None => host.warn("the history does not say which session this was"),
        }
    }

    /// Copies the command that resumes its session, or the path of that.
    pub(super) fn copy_of_session(&self, action: Action, host: &mut Host<'_>) {
        let target = self.session(host);
        let row = target.and_then(|target| host.data.row(target.row));
        if let Some(row) = row {
            let text = copied(row, action, host.context);
            copy(&[text], action, host);
        }
    }

    /// Shows the prompt in another program.
    pub(super) fn open(&mut self, action: Action, host: &mut Host<'_>) {
        let opener = match action {
            Action::EditMessage => Opener::Editor,
            _ => Opener::Pager,
        };
        if let Some(whole) = self.whole(action) {
            let text = sanitize_lines(&whole.text);
            host.effect(Effect::Outside { opener, text });
        }
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
        let past = self.row(hit.reachable)?;
        let instead = format!(
            "{} copies the prompt, {} starts a new session with it",
            host.context.key(Action::CopyPrompt),
            host.context.key(Action::NewSession)
        );
        let reason = match &past.prompt.session {
            None => "the history does not say which session this was",
            Some(id) => {
                if let Some(row) = host.data.find(id) {
                    let whole = self.text().map(|whole| &whole.text);
                    let text = whole.unwrap_or(&past.prompt.display).clone();
                    return Some(RevealTarget::new(row, text, past.prompt.timestamp));
                }
                match (hit.leads_somewhere(), host.data.is_scanned()) {
                    (true, true) => "its session is not in the list",
                    (true, false) => "its session has not been read yet",
                    (false, _) => fate_words(hit.fate).1,
                }
            }
        };
        host.warn(format!("{reason}: {instead}"));
        None
    }
}
