//! From a name or from Enter to `claude`, on a terminal, with everything that may be asked between.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::counter::path;
use crate::desk::{Desk, Pty, Untouched};
use crate::repositories::{add_tree, ask_branch, failing_hook};
use crate::scopes::git;
use crate::support::{assistant, conversation, id, lines, user};

/// A session whose worktree is gone, in a repository that still has its branch.
fn lost_worktree(desk: &Desk) -> std::path::PathBuf {
    let repo = desk.store.outside("repo");
    git(&repo, &["init", "-q"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let tree = repo.join(".worktrees/jwt");
    add_tree(&repo, &tree, "fix/jwt");
    fs::remove_dir_all(&tree).expect("removed");
    let left = json!({"worktreePath": path(&tree), "worktreeBranch": "fix/jwt", "originalCwd": path(&repo)});
    let content = lines(&[
        user("In a lost tree", path(&repo)),
        assistant("Yes.", path(&repo)),
        json!({"type": "worktree-state", "worktreeSession": left, "sessionId": id(7)}),
    ]);
    let folder = claude_resume::paths::project_name(path(&repo));
    desk.store.session(folder.as_str(), &id(7), 7, content);
    tree
}

#[test]
fn a_lost_worktree_is_made_again_from_the_picker() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&["--all", "lost tree"]);
    pty.wait_for("1 of 5");
    pty.type_text("\r");
    pty.wait_for("Recreate the worktree");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let recorded = desk.recorded();
    assert_eq!(recorded[0], path(&tree));
    assert_eq!(recorded[2..4], ["--resume", &id(7)]);
    assert!(tree.join(".git").exists());
}

#[test]
fn whoever_presses_enter_twice_in_a_hurry_has_not_answered_the_card() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let mut pty = desk.open(&["--all", "lost tree"]);
    pty.wait_for("1 of 5");
    pty.type_text("\r");
    pty.wait_for("Recreate the worktree");
    pty.type_at_once("\r");
    pty.settle(Duration::from_millis(500));
    assert!(pty.text().contains("Recreate the worktree"));
    pty.type_text("\x03");
    pty.end();
    assert!(!tree.exists() && !desk.record.exists());
}

#[test]
fn a_branch_that_another_tree_took_meanwhile_stays_with_it() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let mut pty = desk.open(&[&id(7)]);
    // The folder is gone and git lists it still, so it has to be forced.
    pty.wait_for("--force");
    let other = desk.store.outside("other").join("jwt");
    git(
        &desk.store.outside("repo"),
        &["worktree", "add", "-q", "--force", path(&other), "fix/jwt"],
    );
    pty.type_text("\r");
    assert_eq!(pty.end(), 2);
    pty.assert_restored();
    let said = pty.text().replace('\n', "");
    assert!(said.contains("has the branch now"), "{said}");
    assert!(said.contains("nothing was resumed"), "{said}");
    assert!(!tree.exists() && !desk.record.exists());
}

#[test]
fn what_yes_takes_in_the_picker_is_said() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&["--all", "--yes", "lost tree"]);
    pty.wait_for("1 of 5");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let said = pty.text().replace('\n', "");
    let found = "claude-resume: The session's directory is gone: ";
    assert!(said.contains(found), "{said}");
    let repo = desk.store.outside("repo");
    let taken = format!("claude-resume: --yes: Resume in {}", path(&repo));
    assert!(said.contains(&taken), "{said}");
    assert!(!tree.exists());
    assert_eq!(desk.recorded()[0], path(&repo));
}

/// Git ends with the code of the hook, and what it made is there.
#[test]
fn a_tree_that_was_made_is_not_denied_because_a_hook_failed() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    failing_hook(&desk.store.outside("repo"));
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Recreate the worktree");
    pty.type_text("\r");
    assert_eq!(pty.end(), 2);
    pty.assert_restored();
    let said = pty.text().replace('\n', "");
    assert!(said.contains("no node modules"), "{said}");
    let made = format!("fix/jwt is checked out in {} anyway", path(&tree));
    assert!(said.contains(&made), "{said}");
    assert!(tree.join(".git").exists() && !desk.record.exists());
    // So it goes there without a question.
    let mut pty = desk.open(&[&id(7)]);
    assert_eq!(pty.end(), 0, "{}", pty.text());
    assert_eq!(desk.recorded()[0], path(&tree));
}

#[test]
fn what_a_hook_says_of_its_repository_is_not_for_another() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let hooked = desk.store.outside("hooked");
    git(&hooked, &["init", "-q"]);
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.arg(id(7));
    command.env("GIT_DIR", hooked.join(".git"));
    command.env("GIT_COMMON_DIR", hooked.join(".git"));
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("Recreate the worktree");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0, "{}", pty.text());
    assert!(tree.join(".git").exists());
}

#[test]
fn a_named_session_is_resumed_without_a_screen() {
    let desk = Desk::new();
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[&id(2)]);
    assert_eq!(pty.end(), 0);
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(2)]);
    let bytes = String::from_utf8_lossy(&pty.bytes).into_owned();
    assert!(!bytes.contains("\x1b[?1049h"), "no screen was opened");
}

#[test]
fn a_named_session_opens_the_card_where_something_has_to_be_decided() {
    let desk = Desk::new();
    let tree = lost_worktree(&desk);
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Recreate the worktree");
    pty.wait_for("worktree add");
    pty.type_text("2");
    assert_eq!(pty.end(), 0);
    pty.assert_restored();
    let repo = desk.store.outside("repo");
    assert_eq!(desk.recorded()[0], path(&repo));
    assert!(!tree.exists());
}

/// The number of the choice with this label, on the card.
fn number_of(pty: &Pty, label: &str) -> String {
    let text = pty.text();
    let line = text.lines().find(|line| line.contains(label));
    let mut words = line.expect("a choice").split_whitespace();
    let number = words.find(|word| word.parse::<u8>().is_ok());
    number.expect("a number").to_owned()
}

#[test]
fn a_directory_that_is_gone_is_made_again() {
    let desk = Desk::new();
    let gone = desk.store.outside("code").join("it's gone");
    let folder = claude_resume::paths::project_name(path(&gone));
    let content = conversation("In no directory", path(&gone));
    desk.store.session(folder.as_str(), &id(7), 7, content);
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Create the directory again");
    pty.wait_for("mkdir -p");
    let number = number_of(&pty, "Create the directory again");
    pty.type_text(&number);
    assert_eq!(pty.end(), 0, "{}", pty.text());
    assert_eq!(desk.recorded()[0], path(&gone));
}

#[test]
fn a_directory_is_typed_with_completion() {
    let desk = Desk::new();
    fs::create_dir_all(desk.store.outside("home").join("projects/website")).expect("made");
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[&id(4)]);
    pty.wait_for("Choose a directory");
    let number = number_of(&pty, "Choose a directory");
    pty.type_text(&number);
    pty.wait_for("directory ❯");
    pty.type_text("~/pr\t");
    pty.wait_for("~/projects/");
    pty.type_text("nowhere\r");
    pty.wait_for("not a directory you can enter");
    pty.type_text("\x17~/projects/we\t");
    pty.wait_for("~/projects/website/");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    let website = desk.store.outside("home").join("projects/website");
    assert_eq!(desk.recorded()[0], path(&website));
}

#[test]
fn several_that_fit_are_chosen_from() {
    let desk = Desk::new();
    for n in [21, 22] {
        let name = json!({"type": "ai-title", "aiTitle": "Same title"});
        let content = conversation("Same title", path(&desk.shop));
        let content = format!("{content}{name}\n");
        desk.store.session("-shop", &id(n), u64::from(n), content);
    }
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&["same title"]);
    pty.wait_for("2 sessions");
    pty.type_text("\x1b[B\r");
    assert_eq!(pty.end(), 0);
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(21)]);
}

#[test]
fn what_changes_elsewhere_does_not_join_the_sessions_that_were_named() {
    let desk = Desk::new();
    let content = conversation("Same title", path(&desk.shop));
    let title = |text: &str| json!({"type": "custom-title", "customTitle": text}).to_string();
    let named = format!("{content}{}\n", title("Same title"));
    for n in [21, 22] {
        desk.store.session("-shop", &id(n), u64::from(n), &named);
    }
    let mut pty = desk.open(&["same title"]);
    pty.wait_for("2 sessions");
    let stranger = conversation("A stranger", path(&desk.shop));
    desk.store.session("-shop", &id(23), 23, stranger);
    // What was named is followed, and tells that the other change was seen, too.
    let renamed = format!("{named}{}\n", title("Another title"));
    desk.store.session("-shop", &id(22), 24, renamed);
    pty.wait_for("Another title");
    assert!(!pty.text().contains("A stranger"), "{}", pty.text());
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[test]
fn a_file_outside_is_read_before_it_is_resumed() {
    let desk = Desk::new();
    let file = desk
        .store
        .outside("downloads")
        .join(format!("{}.jsonl", id(31)));
    fs::write(&file, conversation("From a colleague", path(&desk.shop))).expect("written");
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[path(&file)]);
    pty.wait_for("1 session");
    pty.wait_for("From a colleague");
    pty.type_text("\r");
    pty.wait_for("Claude Code will not find this session");
    pty.type_text("\r");
    pty.wait_for("nothing was resumed");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}

/// Whether and where are two questions, each asked once.
#[test]
fn a_file_outside_whose_directory_is_gone_asks_two_things() {
    let desk = Desk::new();
    let name = format!("{}.jsonl", id(32));
    let file = desk.store.outside("downloads").join(name);
    let content = conversation("From another machine", "/no/such/machine");
    fs::write(&file, content).expect("written");
    let mut pty = desk.open(&[path(&file)]);
    pty.wait_for("From another machine");
    pty.type_text("\r");
    pty.wait_for("Claude Code will not find this session");
    pty.wait_for("asks for a directory first: The session's directory is gone");
    // No command is shown that could not be run.
    assert!(!pty.text().contains("cd /no/such"), "{}", pty.text());
    pty.type_text("2");
    pty.wait_for("/no/such/machine");
    let here = format!("Resume in {} (here)", path(&desk.shop));
    pty.wait_for(&here);
    let number = number_of(&pty, &here);
    pty.type_text(&number);
    assert_eq!(pty.end(), 0, "{}", pty.text());
    assert_eq!(desk.recorded()[0], path(&desk.shop));
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(32)]);
}

#[test]
fn a_file_outside_that_is_called_anything_is_known_by_its_lines() {
    let desk = Desk::new();
    let file = desk.store.outside("downloads").join("from-ada.jsonl");
    let mut first = user("From a colleague", path(&desk.shop));
    first["sessionId"] = json!(id(2));
    fs::write(&file, lines(&[first, assistant("Yes.", path(&desk.shop))])).expect("written");
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[path(&file)]);
    pty.wait_for("1 session");
    pty.wait_for("From a colleague");
    pty.type_text("\r");
    pty.wait_for("looks the id up in its store");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    assert_eq!(desk.recorded()[2..4], ["--resume", &id(2)]);
}

#[test]
fn without_a_screen_the_choices_are_numbered() {
    let desk = Desk::new();
    lost_worktree(&desk);
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&["--plain", &id(7)]);
    pty.wait_for("1. Recreate the worktree");
    pty.wait_for("number (1 to");
    pty.type_text("2\n");
    assert_eq!(pty.end(), 0);
    let repo = desk.store.outside("repo");
    assert_eq!(desk.recorded()[0], path(&repo));
}

#[test]
fn without_claude_the_person_is_back_in_the_list() {
    let desk = Desk::new();
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.env("CLAUDE_RESUME_COMMAND", "no-such-claude");
    let _untouched = Untouched::watch(&desk);
    let mut pty = Pty::start(command, 120, 30);
    pty.wait_for("3 sessions");
    pty.type_text("\r");
    pty.wait_for("no-such-claude was not found");
    pty.wait_for("CLAUDE_RESUME_COMMAND");
    pty.type_text("\x1b");
    pty.wait("the list", |screen| {
        !screen.contents().contains("was not found")
    });
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    pty.assert_restored();
}

#[test]
fn the_code_of_claude_is_ours() {
    let desk = Desk::new();
    let claude = desk.store.outside("bin").join("claude");
    fs::write(&claude, "#!/bin/sh\nexit 42\n").expect("written");
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&["keys"]);
    pty.wait_for("1 of 3");
    pty.type_text("\r");
    assert_eq!(pty.end(), 42);
    pty.assert_restored();
}

#[test]
fn the_demo_shows_a_card() {
    let desk = Desk::new();
    let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
    command.args(["--demo", "proration"]);
    let _untouched = Untouched::watch(&desk);
    let mut pty = Pty::start(command, 120, 40);
    pty.wait_for("1 of 12");
    pty.type_text("\r");
    pty.wait_for("The session's directory is gone");
    pty.type_text("\r");
    pty.wait_for("this is the demo; it would run: git -C");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}

/// A repository on `main` with a session that was on another branch.
fn other_branch(desk: &Desk) -> std::path::PathBuf {
    ask_branch(&desk.store);
    let repo = desk.store.outside("repo");
    git(&repo, &["init", "-q"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&repo, &["branch", "-q", "fix/jwt"]);
    let mut prompt = user("On a branch", path(&repo));
    prompt["gitBranch"] = json!("fix/jwt");
    let folder = claude_resume::paths::project_name(path(&repo));
    desk.store
        .session(folder.as_str(), &id(7), 7, lines(&[prompt]));
    repo
}

fn branch_of(repo: &Path) -> String {
    let head = fs::read_to_string(repo.join(".git/HEAD")).expect("read");
    head.trim()
        .trim_start_matches("ref: refs/heads/")
        .to_owned()
}

#[test]
fn a_branch_is_switched_on_the_way_or_left_alone() {
    for (key, expected) in [("1", "main"), ("2", "fix/jwt")] {
        let desk = Desk::new();
        let repo = other_branch(&desk);
        let _untouched = Untouched::watch(&desk);
        let mut pty = desk.open(&[&id(7)]);
        pty.wait_for("The session was on branch fix/jwt");
        pty.type_text(key);
        assert_eq!(pty.end(), 0);
        assert_eq!(branch_of(&repo), expected);
        assert_eq!(desk.recorded()[0], path(&repo));
    }
}

#[test]
fn what_git_refuses_ends_it_before_claude() {
    let desk = Desk::new();
    let repo = other_branch(&desk);
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Switch to fix/jwt first");
    // It goes away while the person thinks.
    git(&repo, &["branch", "-q", "-D", "fix/jwt"]);
    pty.type_text("2");
    assert_eq!(pty.end(), 2);
    pty.assert_restored();
    assert!(pty.text().contains("nothing was resumed"), "{}", pty.text());
    assert!(!desk.record.exists());
}

#[test]
fn what_was_changed_meanwhile_stays_on_its_branch() {
    let desk = Desk::new();
    let repo = other_branch(&desk);
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Switch to fix/jwt first");
    // Git itself would take a new file along.
    fs::write(repo.join("new.txt"), "work").expect("written");
    pty.type_text("2");
    assert_eq!(pty.end(), 2);
    pty.assert_restored();
    assert!(pty.text().contains("uncommitted"), "{}", pty.text());
    assert_eq!(branch_of(&repo), "main");
    assert!(!desk.record.exists());
}

#[test]
fn inside_another_claude_code_the_first_choice_saves() {
    let desk = Desk::new();
    let claude = desk.store.outside("bin").join("claude");
    let script = format!(
        "#!/bin/sh\necho \"saves:$CLAUDE_CODE_FORCE_SESSION_PERSISTENCE\" > '{}'\n",
        desk.record.display()
    );
    fs::write(&claude, script).expect("written");
    for (key, expected) in [("1", "saves:1"), ("2", "saves:")] {
        let mut command = desk.command(env!("CARGO_BIN_EXE_claude-resume"));
        command.env("CLAUDE_CODE_CHILD_SESSION", "1");
        command.arg(id(1));
        let _untouched = Untouched::watch(&desk);
        let mut pty = Pty::start(command, 100, 30);
        pty.wait_for("Claude Code would not save this conversation");
        pty.type_text(key);
        assert_eq!(pty.end(), 0);
        assert_eq!(desk.recorded(), [expected]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_running_session_is_forked_or_opened_with_a_second_key() {
    let desk = Desk::new();
    let pid = desk.store.running(&id(2), "idle", None);
    pid.expect("a process that can be told apart");
    let _untouched = Untouched::watch(&desk);
    let mut pty = desk.open(&[&id(2)]);
    pty.wait_for("This session is already open");
    pty.type_text("\r");
    assert_eq!(pty.end(), 0);
    assert_eq!(
        desk.recorded()[2..5],
        ["--resume", &id(2), "--fork-session"]
    );
    let mut pty = desk.open(&["--plain", &id(2)]);
    pty.wait_for("number (1 to");
    pty.type_text("2\n");
    pty.wait_for("again to confirm");
    pty.type_text("1\n");
    assert_eq!(pty.end(), 0);
    assert!(desk.recorded().contains(&"--fork-session".to_owned()));
    let mut pty = desk.open(&[&id(2)]);
    pty.wait_for("This session is already open");
    pty.type_text("2");
    pty.wait_for("Confirm: This session");
    pty.settle(Duration::from_millis(350));
    pty.type_text("1");
    assert_eq!(pty.end(), 0);
    assert!(!desk.recorded().contains(&"--fork-session".to_owned()));
}

#[test]
fn several_that_fit_are_a_query_that_can_be_changed() {
    let desk = Desk::new();
    for tail in ["a", "b"] {
        let twin = format!("aaaa111{tail}-0000-4000-8000-000000000000");
        let content = conversation("Twin", path(&desk.shop));
        desk.store.session("-twins", &twin, 1, content);
    }
    let mut pty = desk.open(&["aaaa111"]);
    pty.wait_for("id:aaaa111");
    pty.wait_for("2 of 6");
    pty.type_text("\x15");
    pty.wait_for("6 sessions");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}

#[test]
fn a_title_like_an_id_opens_the_picker_with_both() {
    let desk = Desk::new();
    let other = "8c1f0000-0000-4000-8000-00000000000a";
    let content = conversation("By its id", path(&desk.shop));
    desk.store.session("-shop", other, 21, content);
    let name = json!({"type": "ai-title", "aiTitle": "8c1f0000"});
    let content = conversation("By its title", path(&desk.shop));
    desk.store
        .session("-shop", &id(22), 22, format!("{content}{name}\n"));
    let mut pty = desk.open(&["8c1f0000"]);
    pty.wait_for("2 sessions");
    pty.wait_for("only the sessions that match '");
    pty.wait_for("By its id");
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
    assert!(!desk.record.exists());
}

#[test]
fn behind_a_card_all_sessions_are_there() {
    let desk = Desk::new();
    lost_worktree(&desk);
    let mut pty = desk.open(&[&id(7)]);
    pty.wait_for("Recreate the worktree");
    pty.type_text("\x1b");
    pty.wait("the list", |screen| {
        let text = screen.contents();
        text.contains("5 sessions") && text.contains("▌ In a lost tree")
    });
    pty.type_text("\x03");
    assert_eq!(pty.end(), 130);
}
