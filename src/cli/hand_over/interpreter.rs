//! A script whose interpreter is not there. The system says "not found" of the script, which a
//! person can see lying there.

use std::env;

use crate::resume::{Plan, Program, program};

/// What to say of a command that is a script without its interpreter; `None` if it is not.
pub fn missing(plan: &Plan) -> Option<String> {
    let name = plan.command.first()?;
    let folders = env::var_os("PATH");
    let here = env::current_dir().ok();
    match program(name, folders.as_deref(), here.as_deref()) {
        Program::NoInterpreter {
            script,
            interpreter,
        } => Some(format!(
            "{}: its interpreter {interpreter} is missing; install it, or name another command with CLAUDE_RESUME_COMMAND",
            script.display()
        )),
        Program::Found(_) | Program::NotExecutable(_) | Program::Missing => None,
    }
}
