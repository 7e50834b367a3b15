//! The list of todos at the end of the conversation.

use serde::Serialize;
use serde_json::Value;

use super::super::tools::ToolCall;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    pub text: String,
    pub status: TodoStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TodoStatus {
    Open,
    InProgress,
    Done,
}

impl TodoStatus {
    fn of(name: Option<&str>) -> Self {
        match name {
            Some("in_progress") => Self::InProgress,
            Some("completed") => Self::Done,
            _ => Self::Open,
        }
    }
}

/// Follows the calls of both tools for lists: `TodoWrite` writes the list anew each time, the
/// `Task…` tools of later versions change one task of it. The one that was used last counts.
#[derive(Debug, Default)]
pub struct Todos(Vec<(String, Todo)>);

impl Todos {
    pub fn take(&mut self, call: &ToolCall) {
        // Resuming leaves a call without a result out.
        let worked = call.result.as_ref().is_some_and(|result| !result.is_error);
        if !worked {
            return;
        }
        let list = &mut self.0;
        match call.name.as_deref() {
            Some("TodoWrite") => *list = written(&call.input),
            Some("TaskCreate") => list.extend(created(call, list.len())),
            Some("TaskUpdate") => update(list, &call.input),
            _ => {}
        }
    }

    pub fn list(self) -> Vec<Todo> {
        self.0.into_iter().map(|(_, todo)| todo).collect()
    }
}

/// These have no numbers by which a later call could mean them.
fn written(input: &Value) -> Vec<(String, Todo)> {
    let todos = input["todos"].as_array().into_iter().flatten();
    let todo = |todo: &Value| {
        let text = todo["content"].as_str()?.to_owned();
        let status = TodoStatus::of(todo["status"].as_str());
        Some((String::new(), Todo { text, status }))
    };
    todos.filter_map(todo).collect()
}

/// The result gives the task its number; without one they are numbered in order.
fn created(call: &ToolCall, known: usize) -> Option<(String, Todo)> {
    let result = call.result.as_ref();
    let given = result.and_then(|result| number(&result.detail["task"]["id"]));
    let text = call.input["subject"].as_str()?.to_owned();
    let status = TodoStatus::Open;
    let number = given.unwrap_or_else(|| (known + 1).to_string());
    Some((number, Todo { text, status }))
}

fn update(list: &mut Vec<(String, Todo)>, input: &Value) {
    let wanted = number(&input["taskId"]);
    if input["status"] == "deleted" {
        list.retain(|(number, _)| Some(number) != wanted.as_ref());
    }
    let mut tasks = list.iter_mut();
    if let Some((_, todo)) = tasks.find(|(number, _)| Some(&**number) == wanted.as_deref()) {
        if let Some(status) = input["status"].as_str() {
            todo.status = TodoStatus::of(Some(status));
        }
        if let Some(subject) = input["subject"].as_str() {
            subject.clone_into(&mut todo.text);
        }
    }
}

/// Numbers are written as texts or as numbers.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
