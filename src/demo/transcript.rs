//! From a script to the lines that Claude Code would write.

use std::path::Path;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use super::DemoFile;
use super::script::{Script, ScriptStep};
use crate::history::content_hash;
use crate::paths::project_name;

/// Time between two lines, in milliseconds.
const PACE: i64 = 40_000;
/// The pasted text of one of the prompts.
pub const LOG: &str = include_str!("../../assets/demo/pasted.txt");
/// The reference to pasted text in a prompt.
const REFERENCE: &str = "[Pasted text #1";

/// What one session leaves on disk.
pub struct DemoSession {
    pub session_id: String,
    pub files: Vec<DemoFile>,
    /// Its lines of the prompt history.
    pub prompts: Vec<Value>,
}

pub fn write(script: &Script, number: usize, home: &str, now: i64) -> DemoSession {
    let project = script.fact("project").unwrap_or_default();
    let mut writer = Writer {
        script,
        session_id: session_id(number),
        cwd: format!("{home}/code/{project}"),
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
    writer.finish(now - script.ago())
}

/// Ids look random and are always the same.
fn session_id(number: usize) -> String {
    let first = number * 0x1f3d_5b79 % 0xffff_ffff;
    format!("{first:08x}-de30-4000-8000-{number:012x}")
}

struct Writer<'a> {
    script: &'a Script<'a>,
    session_id: String,
    cwd: String,
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
    /// Unknown steps are ignored; a test reads all sources.
    fn step(&mut self, step: &ScriptStep) {
        let (text, more) = (step.text, step.more.join("\n"));
        match step.word {
            ">" => {
                self.parents.push(self.parent.clone());
                let content = if let Some(command) = text.strip_prefix("! ") {
                    format!("<bash-input>{command}</bash-input>")
                } else {
                    self.prompts.push((self.lines.len(), step.whole()));
                    step.whole()
                };
                self.entry("user", json!({"role": "user", "content": content}));
            }
            "<" => self.says(&json!({"type": "text", "text": step.whole()})),
            "think" => self.says(&json!({"type": "thinking", "thinking": text})),
            "$" => {
                let detail = json!({"stdout": more, "stderr": "", "interrupted": false});
                self.call("Bash", &json!({"command": text}), &more, &detail);
            }
            "read" => {
                let path = format!("{}/{text}", self.cwd);
                self.call("Read", &json!({"file_path": path}), "…", &json!({}));
            }
            "edit" => {
                let path = format!("{}/{text}", self.cwd);
                let hunk = json!({"oldStart": 10, "newStart": 10, "lines": step.more});
                let detail = json!({"filePath": path, "structuredPatch": [hunk]});
                let input = json!({"file_path": path});
                self.call("Edit", &input, "The file has been updated.", &detail);
            }
            "todo" => {
                let todo = |item: &str| {
                    let (mark, text) = item.split_once(' ').unwrap_or(("", item));
                    let status = match mark {
                        "x" => "completed",
                        "~" => "in_progress",
                        _ => "pending",
                    };
                    json!({"content": text, "status": status, "activeForm": text})
                };
                let todos: Vec<Value> = text.split("; ").map(todo).collect();
                let detail = json!({"newTodos": todos});
                self.call("TodoWrite", &json!({"todos": todos}), "ok", &detail);
            }
            "agent" => {
                let input =
                    json!({"description": text, "prompt": text, "subagent_type": "Explore"});
                let detail = json!({"agentId": format!("demo{}", self.agents.len() + 1)});
                let id = self.call("Task", &input, &more, &detail);
                self.agents.push((id, text.to_owned(), more));
            }
            "hook" => {
                let line = self.entry("attachment", Value::Null);
                line["attachment"] = json!({"type": "hook_success", "content": text});
            }
            "compact" => {
                let logical = self.parent.take();
                let line = self.entry("system", Value::Null);
                line["subtype"] = json!("compact_boundary");
                line["content"] = json!("Conversation compacted");
                line["logicalParentUuid"] = json!(logical);
                line["compactMetadata"] = json!({"trigger": "auto", "preTokens": 167_000});
                let line = self.entry("user", json!({"role": "user", "content": text}));
                line["isCompactSummary"] = json!(true);
            }
            // To before this prompt, counted from one.
            "rewind" => {
                let before = text.parse::<usize>().unwrap_or(1) - 1;
                self.parent = self.parents.get(before).cloned().flatten();
                self.parents.truncate(before);
            }
            _ => {}
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
            "gitBranch": self.script.fact("branch"), "type": kind, "uuid": uuid,
        });
        if !message.is_null() {
            line["message"] = message;
        }
        let fork = self
            .script
            .fact("fork")
            .and_then(|number| number.parse().ok());
        if let Some(source) = fork {
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
        let title = script.fact("title");
        let title = title.map(|title| json!({"type": "ai-title", "aiTitle": title}));
        let tag = script.fact("tag");
        let tag = tag.map(|tag| json!({"type": "tag", "tag": tag}));
        let tree = script.fact("worktree").map(|name| {
            let tree = json!({"worktreePath": format!("{}/.worktrees/{name}", self.cwd),
                              "worktreeName": name, "worktreeBranch": script.fact("branch"),
                              "originalCwd": self.cwd});
            json!({"type": "worktree-state", "worktreeSession": tree})
        });
        let pr = script.fact("pr").and_then(|pr| pr.split_once(' '));
        let pr = pr.map(|(repository, number)| {
            let url = format!("https://github.com/{repository}/pull/{number}");
            json!({"type": "pr-link", "prNumber": number.parse::<u64>().ok(), "prUrl": url,
                   "prRepository": repository})
        });
        for mut line in [title, tag, tree, pr].into_iter().flatten() {
            line["sessionId"] = json!(self.session_id);
            self.lines.push(line);
        }
    }

    /// Gives every message its time and writes the files.
    fn finish(self, last: i64) -> DemoSession {
        let id = self.session_id;
        let time = |at: usize| last - i64::try_from(self.lines.len() - at).unwrap_or(0) * PACE;
        let prompts = self.prompts.iter().map(|(at, text)| {
            let mut pasted = json!({});
            if text.contains(REFERENCE) {
                // It is too long to be in the line itself.
                let hash = content_hash(LOG.as_bytes());
                pasted["1"] = json!({"id": 1, "type": "text", "contentHash": hash});
            }
            json!({"display": text, "pastedContents": pasted, "timestamp": time(*at),
                   "project": self.cwd, "sessionId": id})
        });
        let mut lines = self.lines.clone();
        for (at, line) in lines.iter_mut().enumerate() {
            if line.get("uuid").is_some() {
                line["timestamp"] = json!(timestamp(time(at)));
            }
        }
        let folder = Path::new("projects").join(project_name(&self.cwd).as_str());
        let file = |name: String, content: String| DemoFile {
            path: folder.join(name),
            content,
            modified: last,
        };
        let mut files = vec![file(format!("{id}.jsonl"), jsonl(&lines))];
        for (n, (call, task, answer)) in (1..).zip(&self.agents) {
            let name = format!("{id}/subagents/agent-demo{n}");
            let meta = json!({"agentType": "Explore", "toolUseId": call});
            files.push(file(format!("{name}.meta.json"), meta.to_string()));
            let line = |kind: &str, n: usize, text: &str| {
                let uuid = |n: usize| format!("{:08x}-de30-4000-a000-{n:012x}", self.number);
                json!({"parentUuid": n.checked_sub(1).map(uuid), "isSidechain": true,
                       "sessionId": id, "type": kind, "uuid": uuid(n), "cwd": self.cwd,
                       "message": {"role": kind, "content": [{"type": "text", "text": text}]},
                       "timestamp": timestamp(last)})
            };
            let lines = [line("user", 0, task), line("assistant", 1, answer)];
            files.push(file(format!("{name}.jsonl"), jsonl(&lines)));
        }
        DemoSession {
            prompts: prompts.collect(),
            session_id: id.clone(),
            files,
        }
    }
}

/// One value per line.
pub fn jsonl(lines: &[Value]) -> String {
    let lines = lines.iter().map(|line| line.to_string() + "\n");
    lines.collect()
}

fn timestamp(moment: i64) -> String {
    DateTime::from_timestamp_millis(moment)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}
