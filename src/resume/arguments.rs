//! Arguments that are passed on to Claude Code, checked for mistakes.

use super::launch::Wish;

const FORK: &str = "--fork-session";

/// The arguments after `--resume <id>`: the fork first, then those that are passed on.
pub fn passed_on(arguments: &[String], wish: Wish) -> Vec<String> {
    let mut all = Vec::new();
    if wish == Wish::Fork && !has(arguments, FORK) {
        all.push(FORK.to_owned());
    }
    all.extend(arguments.iter().cloned());
    all
}

/// Whether a command makes a copy.
pub fn forks(command: &[String]) -> bool {
    has(command, FORK)
}

/// What is wrong with the arguments, if anything.
pub fn mistake(arguments: &[String], wish: Wish) -> Option<String> {
    let resumes = ["--resume", "-r", "--continue", "-c"];
    if let Some(twice) = resumes.into_iter().find(|name| has(arguments, name)) {
        return Some(format!(
            "{twice} would name a second session: remove it from the arguments after -- or in the configuration"
        ));
    }
    let mistake = if wish == Wish::Fork || forks(arguments) {
        return None;
    } else if has(arguments, "--session-id") {
        "--session-id needs a fork: add --fork"
    } else if has(arguments, "--resume-session-at") {
        "--resume-session-at would cut the session itself short: add --fork"
    } else {
        return None;
    };
    Some(mistake.to_owned())
}

/// Whether an option is there, with or without a value after an equals sign.
fn has(arguments: &[String], name: &str) -> bool {
    let mut options = arguments.iter().take_while(|word| *word != "--");
    options.any(|word| {
        word.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}
