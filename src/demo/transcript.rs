//! From a script to the lines that Claude Code would write.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use super::history::DemoPrompt;
use super::script::{Script, ScriptStep};

/// Time between two lines, in milliseconds.
const PACE: i64 = 40_000;

/// The files of one session.
pub struct DemoSession {
    pub session_id: String,
    /// Names below the project's folder, and contents.
    pub files: Vec<(String, String)>,
    pub prompts: Vec<DemoPrompt>,
    /// The time of the last change.
    pub last: i64,
}

pub fn write(script: &Script, number: usize, cwd: &str, now: i64) -> DemoSession {
    let mut writer = Writer {
        script,
        session_id: session_id(number),
        cwd,
        number,
        lines: Vec::new(),
        parent: None,
        parents: Vec::new(),
        prompts: Vec::new(),
        agents: Vec::new(),
    };
    for step in &script.steps {
        writer.step(step);
    }
    writer.facts();
    writer.finish(now - script.ago)
}

/// Ids look random and are always the same.
fn session_id(number: usize) -> String {
    let first = number * 0x1f3d_5b79 % 0xffff_ffff;
    format!("{first:08x}-de30-4000-8000-{number:012x}")
}

struct Writer<'a> {
    script: &'a Script,
    session_id: String,
    cwd: &'a str,
    number: usize,
    lines: Vec<Value>,
    parent: Option<String>,
    /// The parent of each prompt of the current branch.
    parents: Vec<Option<String>>,
    /// The prompts with the index of their line.
    prompts: Vec<(usize, String)>,
    /// Tool calls that started an agent, with what it was asked and answered.
    agents: Vec<(String, String, String)>,
}

impl Writer<'_> {
    fn step(&mut self, step: &ScriptStep) {
        match step {
            ScriptStep::You(text) => {
                self.parents.push(self.parent.clone());
                let content = if let Some(command) = text.strip_prefix("! ") {
                    format!("<bash-input>{command}</bash-input>")
                } else {
                    self.prompts.push((self.lines.len(), text.clone()));
                    text.clone()
                };
                self.entry("user", json!({"role": "user", "content": content}));
            }
            ScriptStep::Claude(text) => self.says(&json!({"type": "text", "text": text})),
            ScriptStep::Shell { command, output } => {
                let detail = json!({"stdout": output, "stderr": "", "interrupted": false});
                self.call("Bash", &json!({"command": command}), output, &detail);
            }
            ScriptStep::Read(path) => {
                let path = format!("{}/{path}", self.cwd);
                self.call("Read", &json!({"file_path": path}), "…", &json!({}));
            }
            ScriptStep::Edit { path, patch } => {
                let path = format!("{}/{path}", self.cwd);
                let hunk = json!({"oldStart": 10, "newStart": 10, "lines": patch});
                let detail = json!({"filePath": path, "structuredPatch": [hunk]});
                let input = json!({"file_path": path});
                self.call("Edit", &input, "The file has been updated.", &detail);
            }
            ScriptStep::Todos(todos) => {
                let todo = |(mark, text): &(char, String)| {
                    let status = match mark {
                        'x' => "completed",
                        '~' => "in_progress",
                        _ => "pending",
                    };
                    json!({"content": text, "status": status, "activeForm": text})
                };
                let todos: Vec<Value> = todos.iter().map(todo).collect();
                let detail = json!({"newTodos": todos});
                self.call("TodoWrite", &json!({"todos": todos}), "ok", &detail);
            }
            ScriptStep::Agent { task, answer } => {
                let input =
                    json!({"description": task, "prompt": task, "subagent_type": "Explore"});
                let detail = json!({"agentId": format!("demo{}", self.agents.len() + 1)});
                let id = self.call("Task", &input, answer, &detail);
                self.agents.push((id, task.clone(), answer.clone()));
            }
            ScriptStep::Think(text) => self.says(&json!({"type": "thinking", "thinking": text})),
            ScriptStep::Hook(text) => {
                let line = self.entry("attachment", Value::Null);
                line["attachment"] = json!({"type": "hook_success", "content": text});
            }
            ScriptStep::Compact(summary) => {
                let logical = self.parent.take();
                let line = self.entry("system", Value::Null);
                line["subtype"] = json!("compact_boundary");
                line["content"] = json!("Conversation compacted");
                line["logicalParentUuid"] = json!(logical);
                line["compactMetadata"] = json!({"trigger": "auto", "preTokens": 167_000});
                let line = self.entry("user", json!({"role": "user", "content": summary}));
                line["isCompactSummary"] = json!(true);
            }
            ScriptStep::Rewind(prompt) => {
                self.parent = self.parents.get(prompt - 1).cloned().flatten();
                self.parents.truncate(prompt - 1);
            }
        }
    }

    fn says(&mut self, block: &Value) {
        let id = format!("msg_{}_{}", self.number, self.lines.len());
        self.entry(
            "assistant",
            json!({"id": id, "role": "assistant", "model": "claude-opus-4-8", "content": [block],
                   "usage": {"input_tokens": 900, "cache_read_input_tokens": 20_000 + self.lines.len() * 3000, "output_tokens": 300}}),
        );
    }

    /// A tool call and its result. Returns the call's id.
    fn call(&mut self, name: &str, input: &Value, output: &str, detail: &Value) -> String {
        let id = format!("toolu_{}_{}", self.number, self.lines.len());
        self.says(&json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": output});
        let line = self.entry("user", json!({"role": "user", "content": [block]}));
        line["toolUseResult"] = detail.clone();
        id
    }

    /// Adds a message to the conversation. Returns its line.
    fn entry(&mut self, kind: &str, message: Value) -> &mut Value {
        let at = self.lines.len();
        let uuid = format!("{:08x}-de30-4000-9000-{at:012x}", self.number);
        let mut line = json!({
            "parentUuid": self.parent, "isSidechain": false, "userType": "external",
            "cwd": self.cwd, "sessionId": self.session_id, "version": "2.1.226",
            "gitBranch": self.script.branch, "type": kind, "uuid": uuid,
        });
        if !message.is_null() {
            line["message"] = message;
        }
        if let Some(source) = self.script.fork {
            let source = json!({"sessionId": session_id(source), "messageUuid": uuid});
            line["forkedFrom"] = source;
        }
        self.parent = Some(uuid);
        self.lines.push(line);
        &mut self.lines[at]
    }

    /// Title, tag, worktree and pull request, as their own lines.
    fn facts(&mut self) {
        let script = self.script;
        let title = script.title.as_ref();
        let title = title.map(|title| json!({"type": "ai-title", "aiTitle": title}));
        let tag = script.tag.as_ref();
        let tag = tag.map(|tag| json!({"type": "tag", "tag": tag}));
        let tree = script.worktree.as_ref().map(|name| {
            let tree = json!({"worktreePath": format!("{}/.worktrees/{name}", self.cwd),
                              "worktreeName": name, "worktreeBranch": script.branch,
                              "originalCwd": self.cwd});
            json!({"type": "worktree-state", "worktreeSession": tree})
        });
        let pr = script.pr.as_ref().map(|(repository, number)| {
            let url = format!("https://github.com/{repository}/pull/{number}");
            json!({"type": "pr-link", "prNumber": number, "prUrl": url, "prRepository": repository})
        });
        for mut line in [title, tag, tree, pr].into_iter().flatten() {
            line["sessionId"] = json!(self.session_id);
            self.lines.push(line);
        }
    }

    /// Gives every message its time and writes the files.
    fn finish(self, last: i64) -> DemoSession {
        let count = self.lines.len();
        let ago = |at: usize| i64::try_from(count - at).unwrap_or(0) * PACE;
        let prompts = self.prompts.into_iter();
        let prompts = prompts.map(|(at, text)| DemoPrompt {
            at: last - ago(at),
            text,
            project: self.cwd.to_owned(),
            session_id: self.session_id.clone(),
        });
        let prompts = prompts.collect();
        let mut text = String::new();
        for (at, mut line) in self.lines.into_iter().enumerate() {
            if line.get("uuid").is_some() {
                line["timestamp"] = json!(timestamp(last - ago(at)));
            }
            text += &line.to_string();
            text.push('\n');
        }
        let id = &self.session_id;
        let mut files = vec![(format!("{id}.jsonl"), text)];
        for (n, (call, task, answer)) in self.agents.iter().enumerate() {
            let name = format!("{id}/subagents/agent-demo{}", n + 1);
            let meta = json!({"agentType": "Explore", "toolUseId": call});
            files.push((format!("{name}.meta.json"), meta.to_string()));
            let line = |kind: &str, n: usize, text: &str| {
                let uuid = |n: usize| format!("{:08x}-de30-4000-a000-{n:012x}", self.number);
                json!({"parentUuid": n.checked_sub(1).map(uuid), "isSidechain": true,
                       "sessionId": id, "type": kind, "uuid": uuid(n), "cwd": self.cwd,
                       "message": {"role": kind, "content": [{"type": "text", "text": text}]},
                       "timestamp": timestamp(last)})
            };
            let content = format!(
                "{}\n{}\n",
                line("user", 0, task),
                line("assistant", 1, answer)
            );
            files.push((format!("{name}.jsonl"), content));
        }
        DemoSession {
            session_id: self.session_id,
            files,
            prompts,
            last,
        }
    }
}

fn timestamp(moment: i64) -> String {
    DateTime::from_timestamp_millis(moment)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}
