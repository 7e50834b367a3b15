//! Repositories and the sessions that were in them, and what is offered for those: what the tests of
//! resuming on git share.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::scopes::git;
use crate::support::{Store, assistant, id, lines, user};

/// A repository with one commit on `main`, older than any session here.
pub fn repository(counter: &Counter, name: &str) -> PathBuf {
    let repo = counter.store.outside(name);
    git(&repo, &["init", "-q"]);
    let made = Command::new("git")
        .current_dir(&repo)
        .env("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
        .env("HOME", &repo)
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(["commit", "-q", "--allow-empty", "-m", "first"])
        .status();
    assert!(made.expect("git starts").success());
    repo
}

/// A session that was last on this branch, and in this worktree if there is one.
pub fn session(
    counter: &Counter,
    n: u32,
    cwd: &Path,
    branch: &str,
    worktree: Option<(&Path, &str)>,
) {
    let mut prompt = user("Go on", path(cwd));
    prompt["gitBranch"] = json!(branch);
    let mut answer = assistant("Yes.", path(cwd));
    answer["gitBranch"] = json!(branch);
    let mut all = vec![prompt, answer];
    if let Some((tree, branch)) = worktree {
        let left =
            json!({"worktreePath": path(tree), "worktreeBranch": branch, "originalCwd": path(cwd)});
        all.push(json!({"type": "worktree-state", "worktreeSession": left, "sessionId": id(n)}));
    }
    counter.file(n, cwd, lines(&all));
}

/// The plan as `--dry-run --json` tells it.
pub fn plan(counter: &Counter, here: &Path, n: u32) -> Value {
    let ran = counter.run(here, &["--dry-run", "--json", &id(n)]);
    // With 2 a run would stop.
    assert!(matches!(ran.code, Some(0 | 2)), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("an object")
}

pub fn labels(plan: &Value) -> Vec<String> {
    let choices = plan["questions"][0]["choices"].as_array().cloned();
    let label = |choice: &Value| choice["label"].as_str().expect("a label").to_owned();
    choices.unwrap_or_default().iter().map(label).collect()
}

pub fn command_of(plan: &Value, beginning: &str) -> String {
    let choices = plan["questions"][0]["choices"].as_array().expect("choices");
    let fits = |choice: &&Value| {
        choice["label"]
            .as_str()
            .is_some_and(|label| label.starts_with(beginning))
    };
    let choice = choices.iter().find(fits).expect(beginning);
    choice["command"].as_str().expect("a command").to_owned()
}

/// What is said above the choices.
pub fn about(plan: &Value) -> String {
    plan["questions"][0]["lines"].to_string()
}

/// A worktree on a branch that is made for it.
pub fn add_tree(repo: &Path, tree: &Path, branch: &str) {
    let add = ["worktree", "add", "-q", "-b", branch, path(tree)];
    git(repo, &add);
}

/// Commits a file to what is checked out.
pub fn commit(repo: &Path, file: &str) {
    let file = repo.join(file);
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(&file, "committed").expect("written");
    git(repo, &["add", "-f", path(&file)]);
    git(repo, &["commit", "-q", "-m", "a file"]);
}

/// A hook that runs after every checkout, and fails.
pub fn failing_hook(repo: &Path) {
    let hook = repo.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().expect("a folder")).expect("made");
    fs::write(&hook, "#!/bin/sh\necho no node modules >&2\nexit 1\n").expect("written");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("set");
}

/// Puts a `git` before the real one.
pub fn git_that(counter: &Counter, does: &str) {
    let program = counter.store.outside("bin").join("git");
    fs::write(&program, format!("#!/bin/sh\n{does}\n")).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
}

/// Configures the question about the branch.
pub fn ask_branch(store: &Store) {
    let folder = store.outside("home/.config/claude-resume");
    fs::write(folder.join("config.toml"), "[ask]\nbranch = true\n").expect("written");
}

/// Runs a line that was shown, in a shell that stands elsewhere.
pub fn paste(counter: &Counter, line: &str) {
    let bin = counter.store.outside("bin");
    let search = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("/bin/sh");
    shell.env("PATH", format!("{}:{search}", bin.display()));
    shell.current_dir("/").args(["-c", line]);
    let ran = counter.run_command(&mut shell);
    assert_eq!(ran.code, Some(7), "{line}\n{}", ran.err);
}
