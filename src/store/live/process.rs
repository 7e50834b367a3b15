//! Is the process of a registry entry still the one that wrote it?

use super::RegistryEntry;
#[cfg(target_os = "linux")]
use crate::files::{SMALL, read_text};

/// On Linux the kernel's own record decides: field 22 of `/proc/<pid>/stat`.
#[cfg(target_os = "linux")]
pub fn is_running(entry: &RegistryEntry) -> bool {
    let Some(recorded) = &entry.proc_start else {
        return false;
    };
    read_text(format!("/proc/{}/stat", entry.live.pid).as_ref(), SMALL)
        .is_ok_and(|stat| start_ticks(&stat) == Some(recorded))
}

/// Elsewhere the recorded start has no form that another program could compare, so the process
/// must be at least as old as the entry: one that took over a dead session's id is younger.
/// Where there is no `ps`, nothing is known to run.
#[cfg(not(target_os = "linux"))]
pub fn is_running(entry: &RegistryEntry) -> bool {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64());
    let age = age_by_ps(entry.live.pid);
    matches!((age, entry.started_at), (Some(age), Some(started)) if older(age, started, now))
}

/// The 22nd field of a process that lives. The second is the command in parentheses and may hold
/// anything, so fields are counted from the last parenthesis.
#[cfg(target_os = "linux")]
fn start_ticks(stat: &str) -> Option<&str> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    // A zombie still has its start time, but does not run.
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    fields.nth(18)
}

/// Did a process of this age (seconds) exist when the entry was written (milliseconds)?
#[cfg(any(test, not(target_os = "linux")))]
fn older(age: f64, started_at: f64, now: f64) -> bool {
    /// `ps` counts whole seconds, and a process needs a moment to register itself.
    const SLACK: f64 = 5.0;
    now - age <= started_at / 1000.0 + SLACK
}

#[cfg(any(test, not(target_os = "linux")))]
fn age_by_ps(pid: u32) -> Option<f64> {
    let output = std::process::Command::new("ps")
        .args(["-o", "etime=", "-p", &pid.to_string()])
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    parse_elapsed(std::str::from_utf8(&output.stdout).ok()?.trim())
}

/// `[[days-]hours:]minutes:seconds`, as `ps` prints an elapsed time.
#[cfg(any(test, not(target_os = "linux")))]
fn parse_elapsed(text: &str) -> Option<f64> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (days.parse::<f64>().ok()?, clock),
        None => (0.0, text),
    };
    let seconds = clock.split(':').try_fold(0.0, |sum, part| {
        part.parse::<u32>()
            .ok()
            .map(|part| sum * 60.0 + f64::from(part))
    })?;
    Some(days * 86_400.0 + seconds)
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
