//! Arguments for Claude Code that a person passes on, looked at for what would go wrong.

use super::launch::Wish;

const FORK: &str = "--fork-session";

/// The arguments behind `--resume <id>`: the fork first, then what was passed on.
pub fn passed_on(arguments: &[String], wish: Wish) -> Vec<String> {
    let mut all = Vec::new();
    if wish == Wish::Fork && !has(arguments, FORK) {
        all.push(FORK.to_owned());
    }
    all.extend(arguments.iter().cloned());
    all
}

/// Do these words of a command make a copy?
pub fn forks(command: &[String]) -> bool {
    has(command, FORK)
}

/// What is wrong with them, if anything.
pub fn mistake(arguments: &[String], wish: Wish) -> Option<String> {
    let forks = wish == Wish::Fork || forks(arguments);
    let resumes = ["--resume", "-r", "--continue", "-c"];
    if let Some(twice) = resumes.into_iter().find(|name| has(arguments, name)) {
        return Some(format!(
            "{twice} would name a session a second time: leave it out, behind -- or in the configuration"
        ));
    }
    if forks {
        return None;
    }
    if has(arguments, "--session-id") {
        return Some(
            "--session-id with a resumed session works only for a fork: add --fork".to_owned(),
        );
    }
    if has(arguments, "--resume-session-at") {
        return Some(
            "--resume-session-at without a fork would cut the session itself short: add --fork"
                .to_owned(),
        );
    }
    None
}

/// Is the option there, with or without a value behind an equals sign?
fn has(arguments: &[String], name: &str) -> bool {
    arguments
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| {
            word == name
                || word
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('='))
        })
}
