//! Questions about what the session itself is like: its size, its health, what surrounds it.

use super::{Answer, Asker, Question, Topic};
use crate::resume::launch::ChildSession;
use crate::text::age;

/// After this long nothing of it is in the cache any more, in milliseconds.
const COLD: i64 = 60 * 60 * 1000;

impl Asker<'_> {
    pub(super) fn child(&self) -> Option<Question> {
        if self.situation.launch.child_session != ChildSession::Inherited {
            return None;
        }
        let topic = Topic::Child;
        Some(Question {
            topic,
            headline: "Claude Code would save nothing of this".to_owned(),
            lines: vec![
                "CLAUDE_CODE_CHILD_SESSION is set: this shell was started by another Claude Code"
                    .to_owned(),
            ],
            choices: vec![
                self.choice(topic, Answer::Persist, "Resume and save what is said"),
                self.choice(topic, Answer::GoOn, "Resume without saving"),
                Self::read_only(),
            ],
            safe: Some(Answer::Persist),
            can_pass: false,
        })
    }

    pub(super) fn child_warning(&self) -> Option<String> {
        let inherited = self.situation.launch.child_session == ChildSession::Inherited;
        let declined = self.answers.get(Topic::Child) == Some(&Answer::GoOn);
        (inherited && declined).then(|| "nothing of what is said will be saved".to_owned())
    }

    pub(super) fn caution(&self) -> Option<Question> {
        let mut lines = Vec::new();
        let mut headlines = Vec::new();
        let damage = &self.situation.damage;
        if damage.is_empty {
            headlines.push("Nothing in this transcript can be resumed");
            lines.push(match damage.bad_lines {
                0 => "it holds no messages".to_owned(),
                bad => format!("{} cannot be read", bad_lines(bad)),
            });
        } else if damage.lost > 0 {
            headlines.push("This transcript is damaged");
            lines.push(format!(
                "Claude will see {} % of it: {} of {} prompts are cut off",
                damage.percent, damage.lost, damage.prompts
            ));
        }
        if let Some(tokens) = self.big_and_cold() {
            headlines.push("This session is big and cold");
            lines.push(format!(
                "the first request sends {} k tokens again, after {} of silence",
                tokens / 1000,
                age(self.situation.subject.last_activity, self.situation.now)
            ));
        }
        let headline = headlines.first()?;
        let topic = Topic::Caution;
        if damage.is_empty {
            return Some(Question {
                topic,
                headline: (*headline).to_owned(),
                lines,
                choices: vec![
                    Self::read_only(),
                    self.choice(topic, Answer::GoOn, "Let Claude Code try"),
                ],
                safe: None,
                can_pass: false,
            });
        }
        Some(Question {
            topic,
            headline: (*headline).to_owned(),
            lines,
            choices: vec![
                self.choice(topic, Answer::GoOn, "Resume"),
                Self::read_only(),
            ],
            safe: Some(Answer::GoOn),
            can_pass: true,
        })
    }

    fn big_and_cold(&self) -> Option<u64> {
        let is_cold = self.situation.idle() > COLD;
        let big = self.situation.launch.asks.tokens;
        self.situation
            .context
            .filter(|tokens| big > 0 && *tokens >= big && is_cold)
    }

    /// Damage that costs nothing of the conversation.
    pub(super) fn damage_warning(&self) -> Option<String> {
        let damage = &self.situation.damage;
        (damage.bad_lines > 0 && damage.lost == 0 && !damage.is_empty).then(|| {
            format!(
                "{} of the transcript cannot be read; Claude will see all messages that can",
                bad_lines(damage.bad_lines)
            )
        })
    }
}

fn bad_lines(lines: u64) -> String {
    match lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    }
}
