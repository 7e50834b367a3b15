//! What to say where there is nothing to run.

use crate::paths::tilde;
use crate::resume::launch::Launch;
use crate::resume::situation::Program;
use crate::text::sanitize;

/// What is the matter with the program, in a few words, and why; `None` if it can be run.
pub fn no_program(program: &Program, launch: &Launch) -> Option<(String, String)> {
    let name = sanitize(launch.program());
    let shown = |path| sanitize(&tilde(path, launch.home.as_deref())).into_owned();
    let cause = match program {
        Program::Found(_) => return None,
        Program::Missing if launch.command.is_empty() => {
            "Claude Code is not on the PATH".to_owned()
        }
        Program::Missing => {
            "CLAUDE_RESUME_COMMAND or the configuration names it, and there is no such program"
                .to_owned()
        }
        Program::NoInterpreter {
            script,
            interpreter,
        } => format!(
            "{} is a script for {}, which is not there",
            shown(script),
            sanitize(interpreter)
        ),
        Program::NotExecutable(path) => {
            format!("{} is no program, or you may not run it", shown(path))
        }
    };
    let headline = match program {
        Program::Missing => format!("{name} was not found"),
        _ => format!("{name} cannot be run"),
    };
    Some((headline, cause))
}
