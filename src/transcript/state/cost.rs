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
    /// The cost in a `cost-state` line, or in a project of `.claude.json`.
    pub(super) fn of(said: &Value, source: CostSource) -> Option<Self> {
        let first = |keys: &[&str]| keys.iter().find_map(|key| said[*key].as_u64());
        let either = |one: &str, other: &str| match &said[one] {
            Value::Null => &said[other],
            value => value,
        };
        let usd = either("totalCostUSD", "lastCost").as_f64()?;
        (usd.is_finite() && usd >= 0.0).then(|| Self {
            usd,
            lines_added: first(&["linesAdded", "totalLinesAdded", "lastLinesAdded"]),
            lines_removed: first(&["linesRemoved", "totalLinesRemoved", "lastLinesRemoved"]),
            duration: first(&["duration", "totalDuration", "lastDuration"]),
            api_duration: first(&["apiDuration", "totalAPIDuration", "lastAPIDuration"]),
            tool_duration: first(&["toolDuration", "totalToolDuration", "lastToolDuration"]),
            model_usage: either("modelUsage", "lastModelUsage").clone(),
            source,
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
        let project: Value = serde_json::from_str(config.projects.get(cwd)?.get()).ok()?;
        let is_of_session = project["lastSessionId"] == session_id;
        Cost::of(&project, CostSource::Config).filter(|_| is_of_session)
    })
}

/// The part of `.claude.json` that is looked at. Projects stay text but for the one that is wanted.
#[derive(Deserialize)]
struct ProjectsConfig {
    projects: HashMap<String, Box<RawValue>>,
}
