//! The format of the demo scripts: facts, a blank line, then the steps of the session.

/// A sample session.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub project: String,
    pub branch: String,
    pub title: Option<String>,
    pub tag: Option<String>,
    /// The last worktree of the session, which is gone.
    pub worktree: Option<String>,
    /// Repository and number.
    pub pr: Option<(String, u64)>,
    /// The number of the script that this one is a fork of.
    pub fork: Option<usize>,
    /// How long ago it ended, in milliseconds.
    pub ago: i64,
    /// The status, if it is running.
    pub status: Option<String>,
    pub steps: Vec<ScriptStep>,
}

/// A step of a session.
#[derive(Debug, PartialEq, Eq)]
pub enum ScriptStep {
    You(String),
    Claude(String),
    Shell {
        command: String,
        output: String,
    },
    Read(String),
    Edit {
        path: String,
        patch: Vec<String>,
    },
    /// Marks and texts.
    Todos(Vec<(char, String)>),
    Agent {
        task: String,
        answer: String,
    },
    /// Thinking.
    Think(String),
    /// The output of a hook.
    Hook(String),
    Compact(String),
    /// A rewind to before this prompt, counted from one.
    Rewind(usize),
}

impl Script {
    /// Reads a source. Unknown lines are ignored; a test reads all sources.
    pub fn parse(source: &str) -> Self {
        let (facts, body) = source.split_once("\n\n").unwrap_or((source, ""));
        let mut script = Self::default();
        for fact in facts.lines() {
            let Some((key, value)) = fact.split_once(": ") else {
                continue;
            };
            match key {
                "project" => value.clone_into(&mut script.project),
                "branch" => value.clone_into(&mut script.branch),
                "title" => script.title = Some(value.to_owned()),
                "worktree" => script.worktree = Some(value.to_owned()),
                "tag" => script.tag = Some(value.to_owned()),
                "status" => script.status = Some(value.to_owned()),
                "fork" => script.fork = value.parse().ok(),
                "ago" => script.ago = span(value),
                "pr" => {
                    let (repository, number) = value.split_once(' ').unwrap_or((value, ""));
                    script.pr = number.parse().ok().map(|n| (repository.to_owned(), n));
                }
                _ => {}
            }
        }
        for line in body.lines() {
            script.take(line);
        }
        script
    }

    fn take(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let text = || rest.to_owned();
        let step = match word {
            ">" => ScriptStep::You(text()),
            "<" => ScriptStep::Claude(text()),
            "$" => ScriptStep::Shell {
                command: text(),
                output: String::new(),
            },
            "read" => ScriptStep::Read(text()),
            "edit" => ScriptStep::Edit {
                path: text(),
                patch: Vec::new(),
            },
            "todo" => ScriptStep::Todos(rest.split("; ").filter_map(todo).collect()),
            "agent" => ScriptStep::Agent {
                task: text(),
                answer: String::new(),
            },
            "think" => ScriptStep::Think(text()),
            "hook" => ScriptStep::Hook(text()),
            "compact" => ScriptStep::Compact(text()),
            "rewind" => ScriptStep::Rewind(rest.parse().unwrap_or(1)),
            "|" => return self.append(rest),
            // Two spaces continue a text.
            "" => return self.append(line.strip_prefix("  ").unwrap_or_default()),
            _ => return,
        };
        self.steps.push(step);
    }

    /// A further line of the last step.
    fn append(&mut self, line: &str) {
        match self.steps.last_mut() {
            Some(ScriptStep::You(text) | ScriptStep::Claude(text)) => {
                text.push('\n');
                text.push_str(line);
            }
            Some(
                ScriptStep::Shell { output: text, .. } | ScriptStep::Agent { answer: text, .. },
            ) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
            Some(ScriptStep::Edit { patch, .. }) => patch.push(line.to_owned()),
            _ => {}
        }
    }
}

fn todo(item: &str) -> Option<(char, String)> {
    let (mark, text) = item.split_once(' ')?;
    Some((mark.chars().next()?, text.to_owned()))
}

/// `3m`, `5h` or `12d`.
fn span(text: &str) -> i64 {
    let minutes = match text.chars().last() {
        Some('h') => 60,
        Some('d') => 24 * 60,
        _ => 1,
    };
    let count: i64 = text
        .trim_end_matches(char::is_alphabetic)
        .parse()
        .unwrap_or(0);
    count * minutes * 60_000
}
