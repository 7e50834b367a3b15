//! Directories that are there and are not what they were: another repository stands in the place of
//! a worktree, something is left of one, its `.git` file is lost, its history was begun anew, a link
//! leads elsewhere. And worktrees that somebody moved, which are there although git says otherwise.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::counter::{Counter, path};
use crate::repositories::{
    about, add_tree, command_of, commit, labels, paste, plan, repository, session,
};
use crate::scopes::git;
use crate::support::{assistant, id, lines, user};

const BRANCH: &str = "fix/jwt";
const TAKEN: &str = "The directory of this session holds another repository now";

fn headline(plan: &Value) -> &str {
    plan["questions"][0]["headline"].as_str().unwrap_or("")
}

/// What is noted of a session without asking.
fn notes(counter: &Counter, n: u32) -> String {
    let shown = plan(counter, &counter.store.outside("elsewhere"), n);
    assert_eq!(shown["questions"], json!([]), "{shown}");
    shown["warnings"].to_string()
}

/// The commit that is checked out.
fn head(repo: &Path) -> String {
    let output = Command::new("git")
        .current_dir(repo)
        .args(["rev-parse", "HEAD"])
        .output();
    String::from_utf8(output.expect("git starts").stdout)
        .expect("a name")
        .trim()
        .to_owned()
}

/// A session in a worktree, with what its transcript says of that.
fn session_in(counter: &Counter, n: u32, repo: &Path, tree: &Path, commit: &str) {
    let mut prompt = user("Go on", path(tree));
    prompt["gitBranch"] = json!(BRANCH);
    let state = json!({"type": "worktree-state", "sessionId": id(n), "worktreeSession": {
        "worktreePath": path(tree), "worktreeBranch": BRANCH,
        "originalCwd": path(repo), "originalHeadCommit": commit,
    }});
    let answer = assistant("Yes.", path(tree));
    counter.file(n, tree, lines(&[prompt, answer, state]));
}

/// A shop with a worktree, which has a file of its own that no commit has.
fn shop(counter: &Counter, layout: &str) -> (PathBuf, PathBuf) {
    let repo = repository(counter, "code/shop");
    commit(&repo, "a.txt");
    let tree = counter.store.outside("code").join(layout);
    add_tree(&repo, &tree, BRANCH);
    (repo, tree)
}

#[test]
fn another_repository_in_the_place_of_a_worktree_is_told() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    let first = head(&repo);
    session_in(&counter, 1, &repo, &tree, &first);
    let elsewhere = counter.store.outside("elsewhere");
    let all_agrees = plan(&counter, &elsewhere, 1);
    assert_eq!(all_agrees["questions"], json!([]), "{all_agrees}");
    git(&repo, &["worktree", "remove", path(&tree)]);
    // Also one that has a branch of that name, another's worktree, and a link to one.
    let blog = repository(&counter, "blog");
    commit(&blog, "b.txt");
    git(&blog, &["branch", "-q", BRANCH]);
    for kind in ["own", "linked", "link"] {
        match kind {
            "own" => git(&blog, &["clone", "-q", path(&blog), path(&tree)]),
            "linked" => git(&blog, &["worktree", "add", "-q", path(&tree), BRANCH]),
            _ => symlink(&blog, &tree).expect("linked"),
        }
        let shown = plan(&counter, &elsewhere, 1);
        assert_eq!(headline(&shown), TAKEN, "{kind}: {shown}");
        let said = about(&shown);
        assert!(
            said.contains(&format!("worktree of {}", path(&repo))),
            "{said}"
        );
        assert!(!said.contains("gone"), "{said}");
        let offered = labels(&shown);
        let main = format!("Resume in {} (same repository", path(&repo));
        assert!(offered[0].starts_with(&main), "{kind}: {offered:?}");
        let as_it_is = format!("Resume in {} (as it is)", path(&tree));
        assert!(offered.contains(&as_it_is), "{kind}: {offered:?}");
        assert!(!offered.join("\n").contains("Recreate"), "{offered:?}");
        let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
        assert_eq!(ran.code, Some(7), "{}", ran.err);
        assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
        match kind {
            "own" => fs::remove_dir_all(&tree).expect("removed"),
            "linked" => git(&blog, &["worktree", "remove", path(&tree)]),
            _ => fs::remove_file(&tree).expect("removed"),
        }
    }
}

/// Some make a worktree by cloning: it has what the session began with.
#[test]
fn a_clone_in_the_place_of_a_worktree_is_no_other_repository() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    session_in(&counter, 1, &repo, &tree, &head(&repo));
    git(&repo, &["worktree", "remove", path(&tree)]);
    git(&repo, &["clone", "-q", path(&repo), path(&tree)]);
    git(&tree, &["switch", "-q", BRANCH]);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(shown["questions"], json!([]), "{shown}");
}

/// Without a word in the transcript it takes a list of git's own; else it is said what is known.
#[test]
fn a_branch_that_a_neighbour_has_is_not_called_gone() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    session(&counter, 1, &tree, BRANCH, None);
    fs::remove_dir_all(&tree).expect("removed");
    repository(&counter, "code/shop-jwt");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(headline(&shown), TAKEN, "git lists it: {shown}");
    // Git forgets a tree only when nothing stands there.
    fs::remove_dir_all(repo.join(".git/worktrees")).expect("removed");
    let said = notes(&counter, 1);
    let known = format!(
        "which this repository does not have, and {} has",
        path(&repo)
    );
    assert!(said.contains(&known), "{said}");
    git(&repo, &["branch", "-q", "-D", BRANCH]);
    let said = notes(&counter, 1);
    assert!(said.contains("which is gone; this is main"), "{said}");
}

#[test]
fn what_is_left_where_a_worktree_was_is_not_taken_for_one() {
    for is_said in [false, true] {
        let counter = Counter::new();
        let (repo, tree) = shop(&counter, "shop/.claude/worktrees/f");
        if is_said {
            session_in(&counter, 1, &repo, &tree, &head(&repo));
        } else {
            session(&counter, 1, &tree, BRANCH, None);
        }
        git(&repo, &["worktree", "remove", path(&tree)]);
        fs::create_dir_all(tree.join("node_modules")).expect("made");
        let elsewhere = counter.store.outside("elsewhere");
        let shown = plan(&counter, &elsewhere, 1);
        assert_eq!(headline(&shown), "The worktree of this session is gone");
        let said = about(&shown);
        assert!(
            said.contains("something is left there, so the worktree can"),
            "{said}"
        );
        let offered = labels(&shown).join("\n");
        assert!(
            !offered.contains("Switch") && !offered.contains("Recreate"),
            "{offered}"
        );
        let ran = counter.run(&elsewhere, &["--yes", &id(1)]);
        assert_eq!(ran.code, Some(7), "{}", ran.err);
        assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
    }
}

/// A directory of the repository that is called like those in which worktrees are kept.
#[test]
fn a_part_of_the_repository_is_no_leftover() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    commit(&repo, "trees/oak/a.txt");
    git(&repo, &["branch", "-q", BRANCH]);
    let oak = repo.join("trees/oak");
    session(&counter, 1, &oak, BRANCH, None);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(
        headline(&shown),
        format!("The session was on branch {BRANCH}")
    );
    // One that no commit has, on the branch of the session.
    let own = counter.store.outside("shop/trees/elm");
    fs::write(own.join("a.txt"), "a").expect("written");
    session(&counter, 2, &own, "main", None);
    assert_eq!(notes(&counter, 2), "[]");
}

#[test]
fn leftovers_outside_of_any_repository_name_the_one_that_fits() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    session(&counter, 1, &tree, BRANCH, None);
    git(&repo, &["worktree", "remove", path(&tree)]);
    fs::create_dir_all(tree.join("target")).expect("made");
    let said = notes(&counter, 1);
    let known = format!("probably a worktree of {}, which has", path(&repo));
    assert!(said.contains(&known), "{said}");
}

#[test]
fn a_worktree_without_its_git_file_can_be_mended() {
    for layout in ["shop/.claude/worktrees/f", "shop-jwt"] {
        let counter = Counter::new();
        let (_, tree) = shop(&counter, layout);
        session(&counter, 1, &tree, BRANCH, None);
        fs::remove_file(tree.join(".git")).expect("removed");
        let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
        assert_eq!(shown["questions"], json!([]), "{layout}: {shown}");
        assert_eq!(shown["cwd"], json!(path(&tree)), "{layout}");
        let said = shown["warnings"][0]["text"].as_str().expect("a word");
        let (what, line) = said.split_once("this mends it: ").expect("a command");
        assert!(what.contains("whose .git file is gone"), "{what}");
        paste(&counter, &format!("{line} && claude --resume x"));
        assert_eq!(notes(&counter, 1), "[]", "{layout}");
    }
}

/// The files are gone with it: only something else is left, and git still lists the tree.
#[test]
fn what_is_left_of_a_listed_tree_is_no_tree() {
    let counter = Counter::new();
    let (_, tree) = shop(&counter, "shop-jwt");
    session(&counter, 1, &tree, BRANCH, None);
    fs::remove_dir_all(&tree).expect("removed");
    fs::create_dir_all(tree.join("target")).expect("made");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(headline(&shown), "The worktree of this session is gone");
}

/// It is made again by the picker itself, which looks once more whether the branch is free.
#[test]
fn an_emptied_worktree_that_git_still_lists_is_made_again() {
    let counter = Counter::new();
    let (repo, tree) = shop(&counter, "shop-jwt");
    fs::remove_dir_all(&tree).expect("removed");
    fs::create_dir(&tree).expect("made");
    let step = claude_resume::resume::Step {
        command: [
            "git",
            "-C",
            path(&repo),
            "worktree",
            "add",
            "--force",
            path(&tree),
            BRANCH,
        ]
        .map(str::to_owned)
        .to_vec(),
        needs: claude_resume::resume::Needs::FreeBranch {
            top: repo.clone(),
            branch: BRANCH.to_owned(),
        },
        brings: Some((tree.clone(), BRANCH.to_owned())),
    };
    let plan = claude_resume::resume::Plan {
        steps: vec![step],
        command: vec!["/no/such/claude".to_owned()],
        ..Default::default()
    };
    // What the step did is told by whatever fails after it.
    let failed = plan.start().expect_err("there is no such program");
    assert!(tree.join("a.txt").exists(), "{failed}");
    let done = format!("but {BRANCH} is checked out in {} now", path(&tree));
    assert!(failed.message.contains(&done), "{failed}");
    // Now it is there, and the same step is refused.
    let failed = plan.start().expect_err("refused");
    assert!(failed.message.contains("has the branch by now"), "{failed}");
}

/// `mv shop store`, with a worktree in it that has work of its own.
#[test]
fn a_worktree_that_was_moved_with_its_repository_is_gone_to() {
    for layout in ["shop/.claude/worktrees/f", "shop-jwt"] {
        let counter = Counter::new();
        let (repo, tree) = shop(&counter, layout);
        session_in(&counter, 1, &repo, &tree, &head(&repo));
        session(&counter, 2, &tree, BRANCH, None);
        fs::write(tree.join("b.txt"), "work").expect("written");
        git(&tree, &["add", "b.txt"]);
        // One is moved alone, one with the folder around it.
        let code = counter.store.outside("code");
        let (repo, tree) = if layout.starts_with("shop/") {
            let store = code.join("store");
            fs::rename(&repo, &store).expect("moved");
            (store.clone(), store.join(".claude/worktrees/f"))
        } else {
            let work = code.with_file_name("work");
            fs::rename(&code, &work).expect("moved");
            session(&counter, 3, &work.join("shop"), "main", None);
            (work.join("shop"), work.join("shop-jwt"))
        };
        for n in [1, 2] {
            let shown = plan(&counter, &counter.store.outside("elsewhere"), n);
            let label = format!("Resume in {} (it was moved there)", path(&tree));
            assert_eq!(labels(&shown)[0], label, "{layout} {n}: {shown}");
            assert!(!shown.to_string().contains("worktree add"), "{shown}");
            let said = shown["questions"][0]["lines"][1].as_str().expect("a line");
            let (_, line) = said.split_once("this mends it: ").expect("a command");
            assert!(
                line.starts_with(&format!("git -C {} ", path(&repo))),
                "{line}"
            );
            if n == 2 {
                paste(&counter, &format!("{line} && claude --resume x"));
                git(
                    &tree,
                    &["diff", "--cached", "--quiet", "HEAD", "--", "a.txt"],
                );
                assert!(tree.join("b.txt").exists());
            }
        }
    }
}

/// A repository that was deleted beside another that has worktrees and the same branch.
#[test]
fn a_deleted_project_is_no_worktree_of_its_neighbour() {
    let counter = Counter::new();
    let alpha = repository(&counter, "code/alpha");
    let code = counter.store.outside("code");
    add_tree(&alpha, &code.join("alpha-w1"), "w1");
    git(&alpha, &["branch", "-q", "develop"]);
    session(&counter, 1, &code.join("billing"), "develop", None);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(!shown.to_string().contains("alpha"), "{shown}");
    // Its name speaks for it: helpful, and a guess.
    session(&counter, 2, &code.join("alpha-develop"), "develop", None);
    let shown = plan(&counter, &elsewhere, 2);
    let first = format!("Resume in {} (probably its repository)", path(&alpha));
    assert_eq!(labels(&shown)[0], first, "{shown}");
    assert!(labels(&shown).contains(&"Recreate the worktree, if it was one".to_owned()));
}

/// The transcript names the repository, and that is gone: no other is claimed.
#[test]
fn a_repository_that_is_named_and_gone_is_no_other() {
    let counter = Counter::new();
    let alpha = repository(&counter, "code/alpha");
    git(&alpha, &["branch", "-q", BRANCH]);
    let gone = counter.store.outside("code").join("shop");
    session_in(&counter, 1, &gone, &gone.join(".claude/worktrees/jwt"), "");
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(!shown.to_string().contains("alpha"), "{shown}");
}

#[test]
fn a_submodule_that_is_not_checked_out_is_told() {
    let counter = Counter::new();
    let library = repository(&counter, "library");
    let outer = repository(&counter, "outer");
    git(&outer, &["submodule", "add", "-q", path(&library), "sub"]);
    git(&outer, &["commit", "-q", "-m", "a submodule"]);
    let inner = outer.join("sub");
    session(&counter, 1, &inner, "main", None);
    git(&outer, &["submodule", "deinit", "-q", "-f", "sub"]);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert_eq!(
        headline(&shown),
        "The directory of this session is empty now"
    );
    let brings_back = format!("git -C {} submodule update --init -- sub", path(&outer));
    assert!(about(&shown).contains(&brings_back), "{shown}");
    assert!(
        !shown.to_string().contains("may have been moved"),
        "{shown}"
    );
}

/// A session that is left now.
fn session_now(counter: &Counter, n: u32, cwd: &Path, branch: &str) {
    let now: DateTime<Utc> = SystemTime::now().into();
    let all = [user("Go on", path(cwd)), assistant("Yes.", path(cwd))].map(|mut entry| {
        entry["gitBranch"] = json!(branch);
        entry["timestamp"] = json!(now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
        entry
    });
    let file = counter.file(n, cwd, lines(&all));
    let file = fs::File::options().append(true).open(file).expect("there");
    file.set_modified(SystemTime::now()).expect("set");
    // What comes next is later, also by the millisecond.
    thread::sleep(Duration::from_millis(20));
}

/// A repository all of whose commits are from a time that is yet to come.
fn begin(directory: &Path) {
    git(directory, &["init", "-q"]);
    let made = Command::new("git")
        .current_dir(directory)
        .env("GIT_COMMITTER_DATE", "2090-01-01T00:00:00Z")
        .env("HOME", directory)
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(["commit", "-q", "--allow-empty", "-m", "first"])
        .status();
    assert!(made.expect("git starts").success());
}

/// "HEAD" is also what is written where there is no repository.
#[test]
fn a_repository_that_was_begun_later_is_the_first_one() {
    let counter = Counter::new();
    for (n, branch) in [(1, "HEAD"), (2, ""), (3, ".invalid")] {
        let shop = counter.store.outside(&format!("shop-{n}"));
        session_now(&counter, n, &shop, branch);
        begin(&shop);
        assert_eq!(notes(&counter, n), "[]", "{branch}");
    }
    // Nor was it ever on a branch of that name.
    let plain = counter.store.outside("plain");
    session_now(&counter, 4, &plain, "HEAD");
    assert_eq!(notes(&counter, 4), "[]");
}

/// `rm -r .git; git init`: the directory is the same.
#[test]
fn a_history_that_was_begun_anew_is_told_and_stops_nobody() {
    let counter = Counter::new();
    let shop = counter.store.outside("shop");
    if shop.metadata().expect("there").created().is_err() {
        crate::support::skip("the disk does not tell when a directory was made");
        return;
    }
    thread::sleep(Duration::from_millis(20));
    session_now(&counter, 1, &shop, "main");
    begin(&shop);
    let said = notes(&counter, 1);
    let told = format!("the repository in {} was begun after", path(&shop));
    assert!(said.contains(&told), "{said}");
    // Another directory of that name is another matter.
    fs::remove_dir_all(&shop).expect("removed");
    fs::create_dir(&shop).expect("made");
    begin(&shop);
    let shown = plan(&counter, &counter.store.outside("elsewhere"), 1);
    assert!(
        headline(&shown).contains("may hold another repository"),
        "{shown}"
    );
}

#[test]
fn a_link_that_leads_elsewhere_by_now_is_told() {
    let counter = Counter::new();
    let (old, new) = (counter.store.outside("old"), counter.store.outside("new"));
    let link = counter.store.outside("code").join("current");
    symlink(&old, &link).expect("linked");
    let all = [user("Go on", path(&link)), assistant("Yes.", path(&link))];
    let real = old.canonicalize().expect("there");
    counter.file(1, &real, lines(&all));
    let silent = notes(&counter, 1);
    assert!(!silent.contains("leads to"), "{silent}");
    fs::remove_file(&link).expect("removed");
    symlink(&new, &link).expect("linked");
    let said = notes(&counter, 1);
    let told = format!("{} leads to {} now", path(&link), path(&new));
    assert!(said.contains(&told), "{said}");
}

/// Folders of the same name lie in many others.
#[test]
fn a_folder_of_the_same_name_in_another_project_is_no_move() {
    let counter = Counter::new();
    let library = repository(&counter, "library");
    let outer = repository(&counter, "code/outer");
    git(&outer, &["submodule", "add", "-q", path(&library), "sub"]);
    let gone = counter.store.outside("code").join("gone");
    let elsewhere = counter.store.outside("elsewhere");
    for (n, below) in [(1, "sub/deep"), (2, "sub")] {
        session(&counter, n, &gone.join(below), "main", None);
        let offered = labels(&plan(&counter, &elsewhere, n)).join("\n");
        assert!(
            !offered.contains("may have been moved"),
            "{below}: {offered}"
        );
    }
    // The folder around it was renamed: all of it is there.
    let shop = repository(&counter, "code/new/shop");
    commit(&shop, "src/a.txt");
    for (n, below) in [(3, "shop/src"), (4, "shop")] {
        session(&counter, n, &gone.join(below), "main", None);
        let offered = labels(&plan(&counter, &elsewhere, n)).join("\n");
        assert!(
            offered.contains("may have been moved"),
            "{below}: {offered}"
        );
    }
}

/// The branch to switch to does not have the session's directory.
#[test]
fn a_switch_that_takes_the_directory_away_goes_to_the_top() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    commit(&repo, "a.txt");
    git(&repo, &["branch", "-q", BRANCH]);
    commit(&repo, "pkg/a.txt");
    commit(&repo, ".gitignore");
    let inside = repo.join("pkg");
    session(&counter, 1, &inside, BRANCH, None);
    let elsewhere = counter.store.outside("elsewhere");
    let shown = plan(&counter, &elsewhere, 1);
    assert!(
        about(&shown).contains("branch fix/jwt has no pkg"),
        "{shown}"
    );
    let label = format!("Switch to {BRANCH} first and resume in {}", path(&repo));
    paste(&counter, &command_of(&shown, &label));
    assert_eq!(counter.resumed(), Some((id(1), path(&repo).to_owned())));
    git(&repo, &["switch", "-q", "main"]);
    // Another tree has the branch; and then it has the directory, too.
    let tree = counter.store.outside("trees").join("jwt");
    git(&repo, &["worktree", "add", "-q", path(&tree), BRANCH]);
    for below in ["", "/pkg"] {
        let place = format!("{}{below}", path(&tree));
        let shown = plan(&counter, &elsewhere, 1);
        let label = format!("Resume in {place}, on {BRANCH}");
        assert!(labels(&shown).contains(&label), "{shown}");
        fs::create_dir_all(tree.join("pkg")).expect("made");
    }
}

/// What no commit has stays where it is when the branch is switched.
#[test]
fn a_directory_that_git_does_not_know_survives_a_switch() {
    let counter = Counter::new();
    let repo = repository(&counter, "shop");
    fs::write(repo.join(".git/info/exclude"), "build\n").expect("written");
    git(&repo, &["branch", "-q", BRANCH]);
    let build = counter.store.outside("shop/build");
    fs::write(build.join("a.o"), "a").expect("written");
    session(&counter, 1, &build, BRANCH, None);
    let shown = plan(&counter, &repo, 1);
    paste(&counter, &command_of(&shown, "Switch to fix/jwt first"));
    assert_eq!(counter.resumed(), Some((id(1), path(&build).to_owned())));
}
