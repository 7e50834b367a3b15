//! What a session has cost.

use std::collections::HashMap;
use std::path::PathBuf;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::files;

/// What was counted, and by whom.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    pub usd: f64,
    pub lines_added: Option<u64>,
    pub lines_removed: Option<u64>,
    /// Milliseconds from the beginning to the end of it, as Claude Code counts them.
    pub duration: Option<u64>,
    /// Milliseconds of waiting for the API.
    pub api_duration: Option<u64>,
    /// Milliseconds of waiting for tools.
    pub tool_duration: Option<u64>,
    /// Tokens and dollars of each model, as written.
    pub model_usage: Value,
    pub source: CostSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CostSource {
    /// A line in the transcript.
    Transcript,
    /// The project's last session in `.claude.json`, which was this one.
    Config,
}

impl Cost {
    /// The cost in a `cost-state` line.
    pub(super) fn recorded(line: &Value) -> Option<Self> {
        Some(Self {
            usd: amount(&line["totalCostUSD"])?,
            lines_added: first_number(line, &["linesAdded", "totalLinesAdded"]),
            lines_removed: first_number(line, &["linesRemoved", "totalLinesRemoved"]),
            duration: first_number(line, &["duration", "totalDuration", "totalWallDuration"])
                .or_else(|| first_number(&line["durations"], &["total", "wall", "duration"])),
            api_duration: first_number(line, &["apiDuration", "totalAPIDuration"])
                .or_else(|| first_number(&line["durations"], &["api", "apiDuration"])),
            tool_duration: first_number(line, &["toolDuration", "totalToolDuration"])
                .or_else(|| first_number(&line["durations"], &["tool", "toolDuration"])),
            model_usage: line["modelUsage"].clone(),
            source: CostSource::Transcript,
        })
    }
}

/// The cost that the first of these `.claude.json` knows of a session: they name only the last one
/// of each project, so another id there means that nothing is known.
pub fn cost_in_configs(configs: &[PathBuf], cwd: &str, session_id: &str) -> Option<Cost> {
    configs.iter().find_map(|path| {
        let bytes = files::read(path, files::LARGE).ok()?;
        // It names few sessions and may be large.
        memmem::find(&bytes, session_id.as_bytes())?;
        let config: ProjectsConfig = serde_json::from_slice(&bytes).ok()?;
        let project = serde_json::from_str(config.projects.get(cwd)?.get()).ok()?;
        cost_of_project(&project, session_id)
    })
}

/// The part of `.claude.json` that is looked at. Projects stay text but for the one that is wanted.
#[derive(Deserialize)]
struct ProjectsConfig {
    projects: HashMap<String, Box<RawValue>>,
}

fn cost_of_project(project: &Value, session_id: &str) -> Option<Cost> {
    if project["lastSessionId"].as_str()? != session_id {
        return None;
    }
    Some(Cost {
        usd: amount(&project["lastCost"])?,
        lines_added: project["lastLinesAdded"].as_u64(),
        lines_removed: project["lastLinesRemoved"].as_u64(),
        duration: project["lastDuration"].as_u64(),
        api_duration: project["lastAPIDuration"].as_u64(),
        tool_duration: project["lastToolDuration"].as_u64(),
        model_usage: project["lastModelUsage"].clone(),
        source: CostSource::Config,
    })
}

fn amount(value: &Value) -> Option<f64> {
    value.as_f64().filter(|usd| usd.is_finite() && *usd >= 0.0)
}

fn first_number(value: &Value, keys: &[&str]) -> Option<u64> {
    keys.iter().find_map(|key| value[*key].as_u64())
}
