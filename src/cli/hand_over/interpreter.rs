//! A script whose interpreter is not there. The system says "not found" of the script, which a
//! person can see lying there.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::resume::{Plan, Program, program};

/// The kernel looks no further for an interpreter.
const FIRST_LINE: u64 = 256;

/// What to say of a command that is a script without its interpreter; `None` if it is not.
pub fn missing(plan: &Plan) -> Option<String> {
    let name = plan.command.first()?;
    let folders = env::var_os("PATH");
    let here = env::current_dir().ok();
    let Program::Found(script) = program(name, folders.as_deref(), here.as_deref()) else {
        return None;
    };
    let interpreter = interpreter(&script)?;
    (!Path::new(&interpreter).exists()).then(|| {
        format!(
            "{}: cannot be started: its interpreter {interpreter} is not there; install that, or name another command with CLAUDE_RESUME_COMMAND",
            script.display()
        )
    })
}

/// What the first line of a script names.
fn interpreter(script: &Path) -> Option<String> {
    let mut beginning = Vec::new();
    let file = File::open(script).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    let line = text.lines().next()?.strip_prefix("#!")?;
    line.split_whitespace().next().map(str::to_owned)
}
