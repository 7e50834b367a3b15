//! Scopes on real git repositories: this directory, this repository, everything.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use claude_resume::list::Scope;
use claude_resume::store::{trees_on_disk, worktrees};
use claude_resume::tui::{Here, HereKind, Message};

use crate::support::{Store, assistant, conversation, id, lines};
use crate::world::{World, session};

/// Runs git far away from anybody's configuration.
pub fn git(dir: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args([
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.com",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .expect("git starts");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn repository(store: &Store, name: &str) -> std::path::PathBuf {
    let repo = store.outside(name);
    git(&repo, &["init", "-q"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "first"]);
    repo
}

/// Writes one session per directory and returns the ids that `list --repo` shows from `here`.
fn listed_from(store: &Store, here: &Path, cwds: &[&Path]) -> Vec<u32> {
    for (n, cwd) in (1..).zip(cwds) {
        let cwd = cwd.to_str().expect("UTF-8");
        store.session(&format!("-p{n}"), &id(n), 0, conversation("Hello", cwd));
    }
    let ran = store.run_in(here, &["list", "--repo"]);
    let mut numbers: Vec<u32> = ran
        .ids()
        .iter()
        .map(|id| u32::from_str_radix(id, 16).expect("hex"))
        .collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_repository_is_all_its_worktrees_even_those_that_are_gone() {
    let store = Store::new();
    let repo = repository(&store, "shop");
    let parent = repo.parent().expect("inside").to_owned();
    git(
        &repo,
        &["worktree", "add", "-q", "../shop-fix", "-b", "fix"],
    );
    git(
        &repo,
        &["worktree", "add", "-q", "../shop-gone", "-b", "gone"],
    );
    fs::remove_dir_all(parent.join("shop-gone")).expect("removed");
    let (fix, gone, below) = (
        parent.join("shop-fix"),
        parent.join("shop-gone"),
        repo.join("src/deep"),
    );
    // `shop-fixed` only begins like a worktree.
    let stranger = parent.join("shop-fixed");
    let cwds = [&*repo, &fix, &gone, &below, &stranger];
    assert_eq!(listed_from(&store, &repo, &cwds), [1, 2, 3, 4]);
    // From inside a worktree, whose `.git` is a file, the answer is the same.
    assert_eq!(listed_from(&store, &fix, &cwds), [1, 2, 3, 4]);
    // The files of the repository name the same trees.
    fs::create_dir_all(&below).expect("made");
    for here in [&repo, &fix, &below] {
        assert_eq!(trees_on_disk(here), worktrees(here));
    }
    assert!(trees_on_disk(&parent).is_empty());
}

#[test]
fn relative_worktree_paths_are_resolved() {
    let store = Store::new();
    let repo = repository(&store, "shop");
    let parent = repo.parent().expect("inside").to_owned();
    git(&repo, &["worktree", "add", "-q", "../wt", "-b", "wt"]);
    let wt = parent.join("wt");
    fs::write(
        repo.join(".git/worktrees/wt/gitdir"),
        "../../../../wt/.git\n",
    )
    .expect("written");
    fs::write(wt.join(".git"), "gitdir: ../shop/.git/worktrees/wt\n").expect("written");
    for here in [&repo, &wt] {
        assert_eq!(worktrees(here), [repo.clone(), wt.clone()]);
        assert_eq!(trees_on_disk(here), worktrees(here));
    }
}

#[test]
fn a_bare_repository_with_worktrees() {
    let store = Store::new();
    let origin = repository(&store, "origin");
    let project = store.outside("project");
    git(
        &project,
        &[
            "clone",
            "-q",
            "--bare",
            origin.to_str().expect("UTF-8"),
            ".bare",
        ],
    );
    fs::write(project.join(".git"), "gitdir: ./.bare\n").expect("written");
    git(
        &project,
        &["worktree", "add", "-q", "feature", "-b", "feature"],
    );
    let feature = project.join("feature");
    let bare = project.join(".bare");
    assert_eq!(worktrees(&feature), [&*project, &*bare, &*feature]);
    // No file of the worktree names the folder around: git says it.
    assert_eq!(trees_on_disk(&feature), [&*feature]);
    assert_eq!(trees_on_disk(&project), [&*project, &*feature]);
    // The folder around the worktrees belongs to it from wherever one looks.
    for here in [&feature, &project] {
        let places = [&*feature, &*project, &*bare, &*origin];
        assert_eq!(listed_from(&store, here, &places), [1, 2, 3]);
    }
    // One that serves nothing but its worktrees has no such folder.
    let served = store.outside("served");
    fs::remove_file(project.join(".git")).expect("removed");
    git(
        &bare,
        &["worktree", "add", "-q", served.to_str().expect("UTF-8")],
    );
    assert!(!worktrees(&served).contains(&project));
    assert!(worktrees(&served).contains(&bare));
}

#[test]
fn a_submodule_is_its_own_repository() {
    let store = Store::new();
    let library = repository(&store, "library");
    let shop = repository(&store, "shop");
    git(
        &shop,
        &[
            "submodule",
            "add",
            "-q",
            library.to_str().expect("UTF-8"),
            "lib",
        ],
    );
    let submodule = shop.join("lib");
    git(
        &submodule,
        &["worktree", "add", "-q", "../../lib-fix", "-b", "fix"],
    );
    let fix = shop.parent().expect("inside").join("lib-fix");
    let mut expected = [submodule.clone(), fix.clone()];
    expected.sort();
    assert_eq!(worktrees(&submodule), expected);
    assert_eq!(worktrees(&fix), expected);
    assert_eq!(trees_on_disk(&submodule), expected);
    // Only the configuration of the repository names the tree of the submodule: git reads it.
    assert_eq!(trees_on_disk(&fix), [&*fix]);
    assert_eq!(
        listed_from(&store, &submodule, &[&submodule, &fix, &shop]),
        [1, 2]
    );
}

#[test]
fn a_path_with_a_newline_is_one_path() {
    let store = Store::new();
    let repo = repository(&store, "two\nlines");
    assert_eq!(worktrees(&repo), [&*repo]);
}

#[test]
fn without_a_repository_the_directory_is_the_scope() {
    let store = Store::new();
    let plain = store.outside("plain");
    assert!(worktrees(&plain).is_empty());
    // What is called `.git` and is no repository is passed over.
    for text in ["gitdir: /no/such/folder\n", "nonsense", ""] {
        fs::write(plain.join(".git"), text).expect("written");
        assert!(trees_on_disk(&plain).is_empty(), "{text}");
    }
    fs::remove_file(plain.join(".git")).expect("removed");
    let below = plain.join("below");
    assert_eq!(listed_from(&store, &plain, &[&plain, &below]), [1]);
}

#[test]
fn without_git_the_directory_is_the_scope() {
    let store = Store::new();
    let repo = repository(&store, "shop");
    let below = repo.join("src");
    listed_from(&store, &repo, &[&repo, &below]);
    let nowhere = store.outside("empty-path");
    let output = store
        .command(&repo)
        .env("PATH", nowhere)
        .args(["list", "--repo"])
        .output()
        .expect("runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(out.lines().count(), 1, "{out}");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        err,
        "shown 1 of 1 in this directory (1 elsewhere (--all lists them))\n"
    );
}

#[test]
fn a_variable_from_a_hook_does_not_answer_for_another_repository() {
    let store = Store::new();
    let (shop, other) = (repository(&store, "shop"), repository(&store, "other"));
    listed_from(&store, &shop, &[&shop, &other]);
    let output = store
        .command(&shop)
        .env("GIT_DIR", other.join(".git"))
        .env("GIT_WORK_TREE", &other)
        .args(["list", "--repo"])
        .output()
        .expect("runs");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("00000001"));
}

#[test]
fn the_default_is_the_repository_if_anything_happened_there() {
    let store = Store::new();
    let (used, unused) = (repository(&store, "used"), repository(&store, "unused"));
    let elsewhere = store.outside("elsewhere");
    listed_from(&store, &used, &[&used, &elsewhere]);
    let from = |dir: &Path| store.run_in(dir, &["list"]);
    assert_eq!(from(&used).ids(), ["00000001"]);
    assert_eq!(
        from(&used).err,
        "shown 1 of 1 in this repository (1 elsewhere (--all lists them))\n"
    );
    assert_eq!(from(&unused).ids(), ["00000002", "00000001"]);
    assert_eq!(from(&unused).err, "shown 2 of 2\n");
}

#[test]
fn membership_is_what_was_recorded_and_not_the_folder() {
    let store = Store::new();
    // Three directories that share one project folder.
    for (n, cwd) in [(1, "/w/a_b"), (2, "/w/a-b"), (3, "/w/a.b")] {
        store.session("-w-a-b", &id(n), 0, conversation("Hello", cwd));
    }
    // Nothing recorded: the folder's name is all there is.
    let bare = r#"{"type":"user","message":{"role":"user","content":"Hello"}}"#;
    store.session("-w-a-b", &id(4), 0, bare);
    let ids = |dir: &str| {
        let ran = store.run(&["list", "--dir", dir, "--sort", "title"]);
        ran.ids().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ids("/w/a-b"), ["00000004", "00000002"]);
    assert_eq!(ids("/w/x/../a_b/"), ["00000004", "00000001"]);
    assert_eq!(ids("/w/other"), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_directory_reached_by_a_link_is_the_real_one() {
    let store = Store::new();
    let real = store.outside("real");
    let link = store.outside("links").join("shop");
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    store.session(
        "-p",
        &id(1),
        0,
        conversation("Hello", real.to_str().expect("UTF-8")),
    );
    let ran = store.run(&["list", "--dir", link.to_str().expect("UTF-8")]);
    assert_eq!(ran.ids(), ["00000001"]);
}

#[test]
fn a_session_that_worked_here_at_last_belongs_here_and_is_marked() {
    let store = Store::new();
    let repo = repository(&store, "shop");
    let parent = repo.parent().expect("inside").to_owned();
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (above, below, beside) = (
        text(&parent),
        text(&repo.join("src")),
        text(&parent.join("shop-2")),
    );
    let moved = [
        (1, &above, &below),
        (2, &below, &above),
        (3, &above, &beside),
        (4, &beside, &above),
    ];
    for (n, first, last) in moved {
        let mut answer = assistant("Done.", last);
        answer["timestamp"] = "2026-03-01T10:00:06.000Z".into();
        let prompt = format!("Prompt {n}");
        let content = conversation(&prompt, first) + &lines(&[answer]);
        store.session(&format!("-p{n}"), &id(n), 0, content);
    }
    let listed = |arguments: &[&str]| {
        let ran = store.run_in(&repo, &[&["list", "--repo"], arguments].concat());
        let mut ids: Vec<String> = ran.ids().iter().map(|id| (*id).to_owned()).collect();
        ids.sort_unstable();
        ids
    };
    let short = |n: u32| id(n)[..8].to_owned();
    assert_eq!(listed(&[]), [short(1), short(2)]);
    // The second time it comes from the cache.
    assert_eq!(listed(&[]), [short(1), short(2)]);
    let ran = store.run_in(&repo, &["list", "--repo", "--json"]);
    let objects = ran.json();
    let first = objects.iter().find(|it| it["sessionId"] == id(1));
    let first = first.expect("listed");
    assert_eq!(
        (&first["cwd"], &first["lastCwd"]),
        (&above.into(), &below.into())
    );
    let found = store.run_in(&repo, &["search", "-l", "prompt"]).out;
    assert!(found.contains(&id(1)) && !found.contains(&id(3)), "{found}");
}

#[test]
fn the_picker_says_where_a_session_began_that_is_here_for_its_end() {
    let mut world = World::new(100, 30);
    world.tell(Message::Here(Here {
        kind: HereKind::Repository,
        inhabited: true,
        several_trees: false,
        scope: Arc::new(Scope::directory("/home/ada/code/shop".into())),
    }));
    let (mut moved, mut own) = (
        session(1, "till", 1000, "Move the till", "go"),
        session(2, "shop", 2000, "Paint the shop", "go"),
    );
    moved.meta.last_cwd = Some("/home/ada/code/shop/src".into());
    own.meta.last_cwd = Some("/home/ada/code/till".into());
    world.scan(vec![moved, own]);
    let screen = world.screen();
    assert_eq!(screen.matches("began in till").count(), 1, "{screen}");
    assert_eq!(screen.matches("began in").count(), 1, "{screen}");
}
