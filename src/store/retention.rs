//! How long Claude Code keeps transcripts: `cleanupPeriodDays` in `settings.json`.

use std::path::Path;

use super::small_json;

/// What Claude Code does where nothing is set.
const DEFAULT_DAYS: u32 = 30;

/// After how many days without a change a transcript under this root is deleted.
pub fn cleanup_days(root: &Path) -> u32 {
    small_json::read(&root.join("settings.json"))
        .and_then(|settings| settings.get("cleanupPeriodDays")?.as_u64())
        .map_or(DEFAULT_DAYS, |days| u32::try_from(days).unwrap_or(u32::MAX))
}
