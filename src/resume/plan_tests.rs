//! Every situation and what comes of it, as one table: `cargo insta review` shows what changed.

use std::path::{Path, PathBuf};

use super::super::{
    Answer, Answers, Below, BranchPlace, Change, ChildSession, Choice, Clue, Damage, Force,
    Gravity, Ground, Head, Home, Inferred, Launch, Lost, LostBranch, LostRepository, Nested, Part,
    PartOf, Past, Plan, Presence, Program, Recorded, Repository, Running, Severed, Situation,
    Split, Subject, Topic, Tree, Where, Why, Wish, Worktree, next_question,
};
use crate::store::Status;

const ID: &str = "8c1f0000-0000-4000-8000-000000000000";
const SHOP: &str = "/home/ada/code/shop";
const JWT: &str = "/home/ada/code/shop/.worktrees/jwt";
const HOUR: i64 = 60 * 60 * 1000;
const NOW: i64 = 1_000 * HOUR;

/// A session in its directory, with nothing to say against it.
fn calm() -> Situation {
    Situation {
        subject: Subject {
            id: ID.to_owned(),
            transcript: PathBuf::from(format!(
                "/home/ada/.claude/projects/-home-ada-code-shop/{ID}.jsonl"
            )),
            home: store("/home/ada/.claude", "-home-ada-code-shop"),
            last_activity: NOW - 2 * HOUR,
            branch: Some("main".to_owned()),
            pr_repository: None,
            copies: Vec::new(),
        },
        launch: Launch {
            default_root: Some("/home/ada/.claude".into()),
            here: Some("/home/ada".into()),
            home: Some("/home/ada".into()),
            ..Launch::default()
        },
        program: Program::Found("/usr/bin/claude".into()),
        worktree: None,
        recorded: vec![there(SHOP)],
        inferred: Inferred::Nothing,
        ground: on("main", BranchPlace::Free, Tree::Unknown),
        lost: None,
        running: None,
        damage: Damage {
            prompts: 10,
            percent: 100,
            ..Damage::default()
        },
        context: Some(20_000),
        now: NOW,
    }
}

fn store(root: &str, folder: &str) -> Home {
    Home::Store {
        root: root.into(),
        folder: folder.to_owned(),
    }
}

fn recorded(path: &str, presence: Presence) -> Recorded {
    Recorded {
        path: path.into(),
        presence,
    }
}

fn there(path: &str) -> Recorded {
    recorded(path, Presence::Directory)
}

fn gone(path: &str) -> Recorded {
    recorded(path, Presence::Missing)
}

fn repository(head: Head, session_branch: BranchPlace, tree: Tree) -> Repository {
    Repository {
        top: SHOP.into(),
        head,
        tree,
        session_branch,
        remotes: Vec::new(),
        past: Past::Possible,
    }
}

fn on(branch: &str, place: BranchPlace, tree: Tree) -> Ground {
    let head = Head::Branch(branch.to_owned());
    Ground::Repository(Box::new(repository(head, place, tree)))
}

fn worktree(presence: Presence) -> Worktree {
    Worktree {
        path: JWT.into(),
        presence,
        branch: Some("fix/jwt".to_owned()),
        original: Some(SHOP.into()),
    }
}

fn lost_tree() -> Lost {
    Lost {
        parent: Some(SHOP.into()),
        repository: Some(LostRepository {
            top: SHOP.into(),
            tree: JWT.into(),
            clue: Clue::Said,
            branch: LostBranch::Free("fix/jwt".to_owned()),
            force: Force::Once,
            below: Below::Nothing,
            has_below: Vec::new(),
            has_here: false,
            working_tree: Some(SHOP.into()),
        }),
        ..Lost::default()
    }
}

fn lost_plain() -> Lost {
    Lost {
        parent: Some("/home/ada/code".into()),
        ..Lost::default()
    }
}

/// The transcript names no directory, and something else speaks for this one.
fn infer(s: &mut Situation, why: Why, presence: Presence) {
    s.recorded.clear();
    s.inferred = Inferred::One(Where {
        path: SHOP.into(),
        presence,
        why,
    });
}

/// The session was started in a worktree that is gone.
fn lose(s: &mut Situation, clue: Clue, differs: impl FnOnce(&mut LostRepository)) {
    s.recorded = vec![gone(JWT)];
    s.subject.home = store("/home/ada/.claude", "-home-ada-code-shop--worktrees-jwt");
    let mut lost = lost_tree();
    if let Some(r) = &mut lost.repository {
        r.clue = clue;
        differs(r);
    }
    s.lost = Some(lost);
}

/// The session was in a directory that its repository has, and that is not there.
fn part(s: &mut Situation, of: PartOf) {
    s.recorded = vec![gone(&format!("{SHOP}/src/old"))];
    s.subject.home = store("/home/ada/.claude", "-home-ada-code-shop-src-old");
    s.lost = Some(Lost {
        parent: Some(SHOP.into()),
        part: Some(Part {
            top: SHOP.into(),
            below: "src/old".into(),
            of,
        }),
        ..Lost::default()
    });
}

/// The same in a directory of it.
fn lose_below(s: &mut Situation, differs: impl FnOnce(&mut LostRepository)) {
    lose(s, Clue::Listed, |r| {
        r.below = Below::There("src/api".into());
        differs(r);
    });
    s.recorded = vec![gone(&format!("{JWT}/src/api"))];
    let folder = "-home-ada-code-shop--worktrees-jwt-src-api";
    s.subject.home = store("/home/ada/.claude", folder);
}

fn running(tmux: Option<&str>) -> Running {
    Running {
        pid: 4711,
        status: Status::Waiting,
        tmux: tmux.map(str::to_owned),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A name, what is different from a calm session, and what was answered.
type Case = (&'static str, fn(&mut Situation), Vec<(Topic, Answer)>);

#[allow(clippy::too_many_lines)]
fn rows() -> Vec<Case> {
    use Answer::{Fork, GoOn, GoTo, Jump, Persist, Recreate, Switch};
    use Topic::{Branch, Child, Directory};
    let shop = || GoTo(SHOP.into());
    vec![
        ("nothing to say", |_| {}, vec![]),
        ("no branch recorded", |s| s.subject.branch = None, vec![]),
        (
            "no repository, none before",
            |s| {
                s.subject.branch = None;
                s.ground = Ground::NoRepository;
            },
            vec![],
        ),
        (
            "git does not answer",
            |s| s.ground = Ground::Unknown,
            vec![],
        ),
        (
            "own command",
            |s| s.launch.command = words("npx claude-code"),
            vec![],
        ),
        (
            "arguments passed on",
            |s| s.launch.arguments = words("--model opus --add-dir ../x"),
            vec![],
        ),
        (
            "own command and arguments",
            |s| {
                s.launch.command = words("/opt/claude");
                s.launch.arguments = words("--ide");
            },
            vec![],
        ),
        ("fork asked for", |s| s.launch.wish = Wish::Fork, vec![]),
        (
            "fork asked for twice",
            |s| {
                s.launch.wish = Wish::Fork;
                s.launch.arguments = words("--fork-session --session-id x");
            },
            vec![],
        ),
        (
            "another root",
            |s| s.subject.home = store("/backup/claude", "-home-ada-code-shop"),
            vec![],
        ),
        (
            "another root that is set",
            |s| {
                s.subject.home = store("/backup/claude", "-home-ada-code-shop");
                s.launch.configured_root = Some("/backup/claude".into());
            },
            vec![],
        ),
        (
            "default root, another one set",
            |s| s.launch.configured_root = Some("/work/claude".into()),
            vec![],
        ),
        (
            "default root, set as it is",
            |s| s.launch.configured_root = Some("/home/ada/.claude".into()),
            vec![],
        ),
        (
            "two other roots",
            |s| {
                s.subject.home = store("/backup/claude", "-home-ada-code-shop");
                s.launch.configured_root = Some("/work/claude".into());
            },
            vec![],
        ),
        (
            "a relative root is set",
            |s| {
                s.subject.home = store("/home/ada/x/.claude", "-home-ada-code-shop");
                s.launch.configured_root = Some(".claude".into());
            },
            vec![],
        ),
        (
            "no directory recorded",
            |s| {
                s.recorded.clear();
                s.ground = Ground::Unknown;
            },
            vec![],
        ),
        (
            "no directory recorded, and one stands nowhere",
            |s| {
                s.recorded.clear();
                s.ground = Ground::Unknown;
                s.launch.here = None;
            },
            vec![],
        ),
        (
            "no directory recorded, and several fit",
            |s| {
                s.recorded.clear();
                s.ground = Ground::Unknown;
                s.inferred = Inferred::Several(vec![SHOP.into(), "/home/ada/code-shop".into()]);
            },
            vec![],
        ),
        (
            "no directory recorded, one chosen",
            |s| {
                s.recorded.clear();
                s.ground = Ground::Unknown;
            },
            vec![(Directory, shop())],
        ),
        (
            "no directory recorded, of a file outside",
            |s| {
                s.recorded.clear();
                s.ground = Ground::Unknown;
                s.subject.home = Home::Outside { in_store: None };
            },
            vec![(Topic::Outside, GoOn)],
        ),
        (
            "no directory recorded, but one stands in it",
            |s| infer(s, Why::Here, Presence::Directory),
            vec![],
        ),
        (
            "no directory recorded, but others of the folder name it",
            |s| infer(s, Why::Neighbours, Presence::Directory),
            vec![],
        ),
        (
            "no directory recorded, others of the folder name one that is gone",
            |s| {
                infer(s, Why::Neighbours, Presence::Missing);
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "no directory recorded, but there is only one of the name",
            |s| infer(s, Why::Name, Presence::Directory),
            vec![],
        ),
        (
            "no directory recorded, only one of the name, another chosen",
            |s| infer(s, Why::Name, Presence::Directory),
            vec![(Directory, GoTo("/srv".into()))],
        ),
        (
            "several directories, the second is filed under",
            |s| s.recorded = vec![there("/home/ada"), there(SHOP)],
            vec![],
        ),
        (
            "moved: the new directory is filed under",
            |s| {
                s.recorded = vec![there("/srv/shop"), there(SHOP)];
                s.subject.home = store("/home/ada/.claude", "-srv-shop");
            },
            vec![],
        ),
        (
            "moved, but filed under the old one",
            |s| s.recorded = vec![there("/srv/shop"), there(SHOP)],
            vec![],
        ),
        (
            "none is filed under",
            |s| {
                s.recorded = vec![there("/srv/a"), there("/srv/b")];
                s.ground = Ground::Unknown;
            },
            vec![],
        ),
        (
            "a folder of a long path, hashed otherwise",
            |s| {
                let long = format!("/home/ada/{}", "x".repeat(220));
                let folder = format!("-home-ada-{}-1g45uqqks6lu", "x".repeat(190));
                s.recorded = vec![there("/home/ada"), there(&long)];
                s.subject.home = store("/home/ada/.claude", &folder);
                s.ground = Ground::Unknown;
            },
            vec![],
        ),
        (
            "worktree there",
            |s| {
                s.worktree = Some(worktree(Presence::Directory));
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("fix/jwt", BranchPlace::Free, Tree::Unknown);
            },
            vec![],
        ),
        (
            "worktree there, its old directory gone",
            |s| {
                s.worktree = Some(worktree(Presence::Directory));
                s.recorded = vec![gone(SHOP)];
                s.ground = Ground::Unknown;
            },
            vec![],
        ),
        (
            "worktree gone",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                s.lost = Some(lost_tree());
            },
            vec![],
        ),
        (
            "worktree gone, made again",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                s.lost = Some(lost_tree());
            },
            vec![(Directory, Recreate)],
        ),
        (
            "worktree gone and forgotten by git, made again",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.force = Force::No;
                }
                s.lost = Some(lost);
            },
            vec![(Directory, Recreate)],
        ),
        (
            "worktree gone, its path is an option",
            |s| {
                let mut tree = worktree(Presence::Missing);
                tree.path = "-Bprecious".into();
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.tree.clone_from(&tree.path);
                }
                s.worktree = Some(tree);
                s.lost = Some(lost);
            },
            vec![(Directory, Recreate)],
        ),
        (
            "worktree gone, its branch is an option",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.branch = LostBranch::Free("--orphan".to_owned());
                }
                s.lost = Some(lost);
            },
            vec![(Directory, Recreate)],
        ),
        (
            "worktree gone, resumed where it was before",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                s.lost = Some(lost_tree());
            },
            vec![(Directory, shop())],
        ),
        (
            "worktree gone, its branch too",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.branch = LostBranch::Gone("fix/jwt".to_owned());
                }
                s.lost = Some(lost);
            },
            vec![],
        ),
        (
            "worktree gone, its branch elsewhere",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    let tree = "/home/ada/code/jwt2".into();
                    r.branch = LostBranch::TakenBy("fix/jwt".to_owned(), tree);
                }
                s.lost = Some(lost);
            },
            vec![],
        ),
        (
            "worktree is a file now",
            |s| {
                s.worktree = Some(worktree(Presence::NotADirectory));
                s.lost = Some(lost_tree());
            },
            vec![],
        ),
        (
            "worktree of a bare repository gone",
            |s| {
                s.worktree = Some(worktree(Presence::Missing));
                s.recorded = vec![gone(JWT)];
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.top = "/home/ada/code/shop/.bare".into();
                    r.working_tree = None;
                }
                s.lost = Some(lost);
            },
            vec![(Directory, Recreate)],
        ),
        (
            "lost worktree without a record, listed",
            |s| lose(s, Clue::Listed, |_| {}),
            vec![],
        ),
        (
            "lost worktree without a record, it lay inside",
            |s| lose(s, Clue::Inside, |r| r.force = Force::No),
            vec![],
        ),
        (
            "lost worktree without a record, others lie beside it",
            |s| lose(s, Clue::Beside, |r| r.force = Force::No),
            vec![],
        ),
        (
            "lost worktree without a record, by its name",
            |s| {
                lose(s, Clue::Named, |r| {
                    r.force = Force::No;
                    r.has_here = true;
                });
                s.launch.here = Some("/home/ada/code/shop/src".into());
            },
            vec![],
        ),
        (
            "lost worktree without a record, made again",
            |s| lose(s, Clue::Listed, |_| {}),
            vec![(Directory, Recreate)],
        ),
        (
            "lost worktree without a record, the main directory taken",
            |s| lose(s, Clue::Named, |_| {}),
            vec![(Directory, shop())],
        ),
        (
            "lost worktree without a record, its branch is gone, too",
            |s| {
                lose(s, Clue::Enclosed, |r| {
                    r.branch = LostBranch::Gone("fix/jwt".to_owned());
                });
            },
            vec![],
        ),
        (
            "lost worktree, its branch at a remote, made again",
            |s| {
                lose(s, Clue::Inside, |r| {
                    let remotes = vec!["origin/fix/jwt".to_owned()];
                    r.branch = LostBranch::Remote("fix/jwt".to_owned(), remotes);
                    r.force = Force::No;
                });
            },
            vec![(Directory, Recreate)],
        ),
        (
            "lost worktree, its branch at two remotes",
            |s| {
                lose(s, Clue::Inside, |r| {
                    let remotes = ["fork/fix/jwt", "origin/fix/jwt"].map(str::to_owned);
                    r.branch = LostBranch::Remote("fix/jwt".to_owned(), remotes.to_vec());
                });
            },
            vec![],
        ),
        (
            "lost worktree, its branch at a remote that is an option",
            |s| {
                lose(s, Clue::Inside, |r| {
                    let remotes = vec!["-f/fix/jwt".to_owned()];
                    r.branch = LostBranch::Remote("fix/jwt".to_owned(), remotes);
                });
            },
            vec![(Directory, Recreate)],
        ),
        (
            "lost worktree without a record, on no branch",
            |s| lose(s, Clue::Listed, |r| r.branch = LostBranch::Unknown),
            vec![],
        ),
        (
            "lost worktree, locked, made again",
            |s| lose(s, Clue::Listed, |r| r.force = Force::Twice),
            vec![(Directory, Recreate)],
        ),
        (
            "a directory in a lost worktree",
            |s| lose_below(s, |_| {}),
            vec![],
        ),
        (
            "a directory in a lost worktree, made again",
            |s| lose_below(s, |_| {}),
            vec![(Directory, Recreate)],
        ),
        (
            "a directory in a lost worktree that the branch does not have",
            |s| lose_below(s, |r| r.below = Below::NotThere("src/api".into())),
            vec![],
        ),
        (
            "a directory in a lost worktree that the branch does not have, made again",
            |s| lose_below(s, |r| r.below = Below::NotThere("src/api".into())),
            vec![(Directory, Recreate)],
        ),
        (
            "a directory in a lost worktree that was moved by hand",
            |s| {
                lose_below(s, |r| {
                    let tree = "/home/ada/code/login".into();
                    r.branch = LostBranch::TakenBy("fix/jwt".to_owned(), tree);
                });
            },
            vec![],
        ),
        (
            "directory gone",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "worktree gone, one stands in another of the same repository",
            |s| {
                s.recorded = vec![gone(JWT)];
                s.subject.home = store("/home/ada/.claude", "-home-ada-code-shop--worktrees-jwt");
                s.launch.here = Some("/home/ada/code/shop2".into());
                let mut lost = lost_tree();
                if let Some(r) = &mut lost.repository {
                    r.clue = Clue::Listed;
                    r.has_here = true;
                }
                s.lost = Some(lost);
            },
            vec![],
        ),
        (
            "directory gone, one of its name elsewhere",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(Lost {
                    moved_to: vec!["/home/ada/work/shop".into()],
                    ..lost_plain()
                });
            },
            vec![],
        ),
        (
            "directory gone, another branch has it",
            |s| part(s, PartOf::Branch("fix/jwt".to_owned(), Tree::Clean)),
            vec![],
        ),
        (
            "directory gone, another branch has it, switched",
            |s| part(s, PartOf::Branch("fix/jwt".to_owned(), Tree::Clean)),
            vec![(Directory, Switch)],
        ),
        (
            "directory gone, a branch that is an option has it",
            |s| part(s, PartOf::Branch("--orphan".to_owned(), Tree::Clean)),
            vec![],
        ),
        (
            "directory is a file now, another branch has it",
            |s| {
                part(s, PartOf::Branch("fix/jwt".to_owned(), Tree::Clean));
                s.recorded = vec![recorded(
                    &format!("{SHOP}/src/old"),
                    Presence::NotADirectory,
                )];
            },
            vec![],
        ),
        (
            "directory gone, a branch that is an option has it, switched",
            |s| part(s, PartOf::Branch("--orphan".to_owned(), Tree::Clean)),
            vec![(Directory, Switch)],
        ),
        (
            "directory gone, another branch has it, dirty",
            |s| part(s, PartOf::Branch("fix/jwt".to_owned(), Tree::Dirty(2))),
            vec![],
        ),
        (
            "directory gone, another tree has its branch",
            |s| {
                let there = format!("{JWT}/src/old");
                part(s, PartOf::BranchAt("fix/jwt".to_owned(), there.into()));
            },
            vec![],
        ),
        (
            "directory gone, deleted from the tree",
            |s| part(s, PartOf::Deleted),
            vec![],
        ),
        (
            "directory gone, a submodule",
            |s| part(s, PartOf::Submodule),
            vec![],
        ),
        (
            "a worktree whose repository was moved",
            |s| {
                s.ground = Ground::Severed(Severed {
                    tree: SHOP.into(),
                    repository: Some("/home/ada/my code".into()),
                });
            },
            vec![],
        ),
        (
            "a worktree whose repository is gone",
            |s| {
                s.ground = Ground::Severed(Severed {
                    tree: SHOP.into(),
                    repository: None,
                });
            },
            vec![],
        ),
        (
            "a worktree whose repository is gone, another directory chosen",
            |s| {
                s.ground = Ground::Severed(Severed {
                    tree: SHOP.into(),
                    repository: None,
                });
            },
            vec![(Directory, GoTo("/srv".into()))],
        ),
        (
            "directory gone, nearest taken",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(lost_plain());
            },
            vec![(Directory, GoTo("/home/ada/code".into()))],
        ),
        (
            "directory gone, this one taken",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(lost_plain());
            },
            vec![(Directory, GoTo("/home/ada".into()))],
        ),
        (
            "directory gone, another of its own is there",
            |s| {
                s.recorded = vec![gone(SHOP), there("/srv/other")];
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "directory gone, and here too",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.launch.here = None;
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "directory is a file now",
            |s| {
                s.recorded = vec![recorded(SHOP, Presence::NotADirectory)];
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "directory closed",
            |s| {
                s.recorded = vec![recorded(
                    SHOP,
                    Presence::Closed("Permission denied".to_owned()),
                )];
                s.lost = Some(lost_plain());
            },
            vec![],
        ),
        (
            "nothing is left at all",
            |s| {
                s.recorded = vec![gone(SHOP)];
                s.lost = None;
                s.launch.here = None;
            },
            vec![],
        ),
        (
            "no repository any more",
            |s| s.ground = Ground::NoRepository,
            vec![],
        ),
        (
            "no repository any more, resumed",
            |s| s.ground = Ground::NoRepository,
            vec![(Directory, GoOn)],
        ),
        (
            "pull request to another remote",
            |s| {
                s.subject.pr_repository = Some("acme/shop".to_owned());
                if let Ground::Repository(r) = &mut s.ground {
                    r.remotes = vec!["acme/blog".to_owned()];
                }
            },
            vec![],
        ),
        (
            "pull request from a fork of it",
            |s| {
                s.subject.pr_repository = Some("acme/shop".to_owned());
                if let Ground::Repository(r) = &mut s.ground {
                    r.remotes = vec!["ada/Shop".to_owned()];
                }
            },
            vec![],
        ),
        (
            "pull request, no remotes",
            |s| s.subject.pr_repository = Some("acme/shop".to_owned()),
            vec![],
        ),
        (
            "a younger repository without the branch",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Gone, Tree::Unknown);
                if let Ground::Repository(r) = &mut s.ground {
                    r.past = Past::Younger;
                }
            },
            vec![],
        ),
        (
            "a younger repository, on main",
            |s| {
                if let Ground::Repository(r) = &mut s.ground {
                    r.past = Past::Younger;
                }
            },
            vec![],
        ),
        (
            "a younger repository, on main, resumed",
            |s| {
                if let Ground::Repository(r) = &mut s.ground {
                    r.past = Past::Younger;
                }
            },
            vec![(Directory, GoOn)],
        ),
        (
            "branch gone",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Gone, Tree::Unknown);
            },
            vec![],
        ),
        (
            "another branch, clean",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![],
        ),
        (
            "another branch, switched",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![(Branch, Switch)],
        ),
        (
            "another branch that is an option",
            |s| {
                s.subject.branch = Some("--discard-changes".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![],
        ),
        (
            "another branch that is an option, switched",
            |s| {
                s.subject.branch = Some("--discard-changes".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![(Branch, Switch)],
        ),
        (
            "another branch, stayed",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![(Branch, GoOn)],
        ),
        (
            "another branch, not to be asked about",
            |s| {
                s.launch.asks.branch = false;
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![],
        ),
        (
            "big and cold, not to be asked about",
            |s| {
                s.launch.asks.tokens = 0;
                s.context = Some(182_000);
            },
            vec![],
        ),
        (
            "big and cold by another measure",
            |s| {
                s.launch.asks.tokens = 20_000;
            },
            vec![],
        ),
        (
            "another branch, dirty",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Dirty(3));
            },
            vec![],
        ),
        (
            "another branch, git did not say",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Unknown);
            },
            vec![],
        ),
        (
            "another branch, in another tree",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::CheckedOutAt(JWT.into()), Tree::Clean);
            },
            vec![],
        ),
        (
            "another branch, resumed in the other tree",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::CheckedOutAt(JWT.into()), Tree::Clean);
            },
            vec![(Branch, GoTo(JWT.into()))],
        ),
        (
            "detached, clean",
            |s| {
                let r = repository(
                    Head::Detached("abc1234".to_owned()),
                    BranchPlace::Free,
                    Tree::Clean,
                );
                s.ground = Ground::Repository(Box::new(r));
            },
            vec![],
        ),
        (
            "was detached",
            |s| {
                s.subject.branch = Some("HEAD".to_owned());
                s.ground = on("main", BranchPlace::NotRecorded, Tree::Unknown);
            },
            vec![],
        ),
        (
            "another directory chosen: no word on the branch",
            |s| {
                s.subject.branch = Some("fix/jwt".to_owned());
                s.ground = on("main", BranchPlace::Free, Tree::Clean);
            },
            vec![(Directory, GoTo("/srv".into()))],
        ),
        ("running", |s| s.running = Some(running(None)), vec![]),
        (
            "running, but a fork is wanted anyway",
            |s| {
                s.running = Some(running(None));
                s.launch.wish = Wish::Fork;
            },
            vec![],
        ),
        ("damaged: no messages", |s| s.damage.is_empty = true, vec![]),
        (
            "running, forked",
            |s| s.running = Some(running(None)),
            vec![(Topic::Running, Fork)],
        ),
        (
            "running, resumed anyway",
            |s| s.running = Some(running(None)),
            vec![(Topic::Running, GoOn)],
        ),
        (
            "running in tmux",
            |s| s.running = Some(running(Some("work:@3.%7"))),
            vec![],
        ),
        (
            "running in tmux, gone to from inside",
            |s| {
                s.running = Some(running(Some("work:@3.%7")));
                s.launch.nested = Nested::Tmux;
            },
            vec![(Topic::Running, Jump)],
        ),
        (
            "running in tmux, gone to from outside",
            |s| s.running = Some(running(Some("work:@3.%7"))),
            vec![(Topic::Running, Jump)],
        ),
        (
            "running and its directory gone",
            |s| {
                s.running = Some(running(None));
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(lost_plain());
            },
            vec![(Topic::Running, Fork)],
        ),
        (
            "running, directory gone, jumped: nothing else matters",
            |s| {
                s.running = Some(running(Some("w:@1.%1")));
                s.recorded = vec![gone(SHOP)];
                s.program = Program::Missing;
                s.lost = Some(lost_plain());
            },
            vec![(Topic::Running, Jump)],
        ),
        (
            "inside another Claude Code",
            |s| s.launch.child_session = ChildSession::Inherited,
            vec![],
        ),
        (
            "inside another Claude Code, saved",
            |s| s.launch.child_session = ChildSession::Inherited,
            vec![(Child, Persist)],
        ),
        (
            "inside another Claude Code, not saved",
            |s| s.launch.child_session = ChildSession::Inherited,
            vec![(Child, GoOn)],
        ),
        (
            "damaged: a part is cut off",
            |s| {
                s.damage = Damage {
                    bad_lines: 2,
                    lost: 4,
                    prompts: 10,
                    percent: 60,
                    is_empty: false,
                }
            },
            vec![],
        ),
        (
            "damaged: bad lines only",
            |s| s.damage.bad_lines = 2,
            vec![],
        ),
        (
            "damaged: nothing to resume",
            |s| {
                s.damage = Damage {
                    bad_lines: 1,
                    is_empty: true,
                    ..Damage::default()
                }
            },
            vec![],
        ),
        ("big and cold", |s| s.context = Some(182_000), vec![]),
        (
            "big and warm",
            |s| {
                s.context = Some(182_000);
                s.subject.last_activity = NOW - HOUR / 2;
            },
            vec![],
        ),
        (
            "small and cold",
            |s| {
                s.context = Some(99_999);
                s.subject.last_activity = NOW - 500 * HOUR;
            },
            vec![],
        ),
        (
            "no tokens known",
            |s| {
                s.context = None;
                s.subject.last_activity = 0;
            },
            vec![],
        ),
        (
            "from the future",
            |s| {
                s.context = Some(182_000);
                s.subject.last_activity = NOW + HOUR;
            },
            vec![],
        ),
        (
            "big, cold and damaged",
            |s| {
                s.context = Some(182_000);
                s.damage.lost = 1;
                s.damage.percent = 90;
            },
            vec![],
        ),
        (
            "claude is not there",
            |s| s.program = Program::Missing,
            vec![],
        ),
        (
            "claude cannot be run",
            |s| s.program = Program::NotExecutable("/usr/bin/claude".into()),
            vec![],
        ),
        (
            "another command is not there",
            |s| {
                s.launch.command = words("clod --x");
                s.program = Program::Missing;
            },
            vec![],
        ),
        (
            "copies elsewhere",
            |s| s.subject.copies = vec!["/home/ada/.claude/projects/-old/x.jsonl".into()],
            vec![],
        ),
        (
            "a file outside, in the store too",
            |s| {
                s.subject.home = Home::Outside {
                    in_store: Some("/home/ada/.claude/projects/-x/y.jsonl".into()),
                }
            },
            vec![],
        ),
        (
            "a file outside, in another store too, by the second directory",
            |s| {
                s.recorded = vec![there("/srv/shop"), there(SHOP)];
                let id = &s.subject.id;
                let path = format!("/backup/claude/projects/-home-ada-code-shop/{id}.jsonl");
                s.subject.home = Home::Outside {
                    in_store: Some(path.into()),
                }
            },
            vec![],
        ),
        (
            "a file outside, not in the store",
            |s| s.subject.home = Home::Outside { in_store: None },
            vec![],
        ),
        (
            "a file outside, tried",
            |s| s.subject.home = Home::Outside { in_store: None },
            vec![(Topic::Outside, GoOn)],
        ),
        (
            "a branch that would move the terminal",
            |s| {
                s.subject.branch = Some("a\u{1b}[2Jb".to_owned());
                s.ground = on("main", BranchPlace::Gone, Tree::Unknown);
            },
            vec![],
        ),
        (
            "everything at once",
            |s| {
                s.running = Some(running(None));
                s.recorded = vec![gone(SHOP)];
                s.lost = Some(lost_plain());
                s.launch.child_session = ChildSession::Inherited;
                s.context = Some(182_000);
                s.damage.lost = 2;
                s.damage.percent = 80;
                s.subject.home = store("/backup/claude", "-home-ada-code-shop");
                s.launch.wish = Wish::Fork;
            },
            vec![
                (Topic::Running, Fork),
                (Directory, GoTo("/home/ada".into())),
                (Child, Persist),
            ],
        ),
    ]
}

fn written(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn described(situation: &Situation, answers: &Answers) -> String {
    let plan = Plan::of(situation, answers);
    let env = plan.environment.iter().map(|change| match change {
        Change::Set(name, value) => format!("  env    {name}={}", written(value)),
        Change::Remove(name) => format!("  env    -{name}"),
    });
    let steps = plan.steps.iter();
    let mut lines: Vec<String> = steps
        .map(|step| format!("  first  {}", step.command.join(" ")))
        .collect();
    lines.push(format!("  argv   {}", plan.command.join(" ")));
    let cwd = plan.directory.as_deref().map_or("-".to_owned(), written);
    lines.push(format!("  cwd    {cwd}"));
    lines.extend(env);
    let warnings = plan.warnings.iter();
    lines.extend(
        warnings.map(|warning| format!("  warns  {}: {}", warning.topic.name(), warning.text)),
    );
    if let Some(question) = next_question(situation, answers) {
        let about = question.lines.join("; ");
        lines.push(format!("  asks   {}: {about}", question.headline));
        lines.extend(question.choices.iter().map(|choice| {
            let safe = question.safe.as_ref() == Some(&choice.answer);
            let mark = if safe { " (--yes)" } else { "" };
            format!("         - {}{mark}: {}", choice.label, choice.shows)
        }));
    }
    lines.join("\n").replace(ID, "ID")
}

#[test]
fn every_situation_has_its_plan() {
    let rows = rows();
    assert!(rows.len() >= 60, "{} situations", rows.len());
    let mut texts = Vec::new();
    for (name, change, given) in rows {
        let mut situation = calm();
        change(&mut situation);
        let answers = given
            .into_iter()
            .fold(Answers::default(), |all, (topic, answer)| {
                all.with(topic, answer)
            });
        texts.push(format!("{name}\n{}", described(&situation, &answers)));
    }
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn every_part_of_a_plan_has_a_reason() {
    for (name, change, _) in rows() {
        let mut situation = calm();
        change(&mut situation);
        let plan = Plan::of(&situation, &Answers::default());
        let about: Vec<&str> = plan
            .reasons
            .iter()
            .map(|reason| reason.about.name())
            .collect();
        assert!(
            about.contains(&"arguments") && about.contains(&"directory"),
            "{name}: {about:?}"
        );
        assert_eq!(
            plan.environment.is_empty(),
            !about.contains(&"environment"),
            "{name}"
        );
    }
}

/// Whoever says yes to everything that is safe ends in a plan that changes nothing by itself, or
/// in a refusal.
#[test]
fn what_is_safe_never_runs_git() {
    for (name, change, _) in rows() {
        let mut situation = calm();
        change(&mut situation);
        let mut answers = Answers::default();
        while let Some(question) = next_question(&situation, &answers) {
            let Some(answer) = question.safe.clone() else {
                break;
            };
            assert!(
                question
                    .choices
                    .iter()
                    .any(|choice| choice.answer == answer),
                "{name}: the safe answer is one of the choices"
            );
            answers = answers.with(question.topic, answer);
        }
        assert_eq!(Plan::of(&situation, &answers).steps, [], "{name}");
    }
}

/// Somebody locked it lest git forget it, so it is neither the first choice nor one key away.
#[test]
fn a_locked_tree_takes_a_second_key() {
    let mut situation = calm();
    for (force, at_first, gravity) in [
        (Force::Once, true, Gravity::Light),
        (Force::Twice, false, Gravity::Heavy),
    ] {
        lose(&mut situation, Clue::Listed, |r| r.force = force);
        let question = next_question(&situation, &Answers::default()).expect("a question");
        let is_it = |choice: &Choice| choice.answer == Answer::Recreate;
        let at = question.choices.iter().position(is_it).expect("offered");
        assert_eq!((at == 0, question.choices[at].gravity), (at_first, gravity));
    }
}

#[test]
fn arguments_that_would_go_wrong_are_refused() {
    for (arguments, wish, good) in [
        ("--model opus", Wish::Continue, true),
        ("--session-id x", Wish::Continue, false),
        ("--session-id=x", Wish::Continue, false),
        ("--session-id x", Wish::Fork, true),
        ("--session-id x --fork-session", Wish::Continue, true),
        ("--resume-session-at x", Wish::Continue, false),
        ("--resume-session-at x", Wish::Fork, true),
        ("--resume x", Wish::Continue, false),
        ("-c", Wish::Fork, false),
        ("-- --resume", Wish::Continue, true),
    ] {
        let mut situation = calm();
        situation.launch.arguments = words(arguments);
        situation.launch.wish = wish;
        let plan = Plan::of(&situation, &Answers::default());
        assert_eq!(
            plan.check_words(&situation.launch).is_ok(),
            good,
            "{arguments}"
        );
    }
}

#[test]
fn in_tmux_everything_is_an_argument_of_its_own() {
    let mut situation = calm();
    situation.launch.nested = Nested::Tmux;
    situation.launch.configured_root = Some("/work/claude".into());
    situation.launch.arguments = ["--model", "a; b", "c;", "d\\;"].map(str::to_owned).into();
    let plan = Plan::of(&situation, &Answers::default());
    let window = plan.in_tmux(Split::Window, "#(x): a.b\u{1b};", &situation.launch);
    let expected = [
        "tmux",
        "new-window",
        "-P",
        "-F",
        "#{pane_id}",
        "-n",
        "(x)  a b \\;",
        "-c",
        SHOP,
        "--",
        "env",
        "-u",
        "CLAUDE_CODE_CHILD_SESSION",
        "-u",
        "CLAUDE_CONFIG_DIR",
        "claude",
        "--resume",
        ID,
        "--model",
        "a; b",
        // A last semicolon would end tmux's own command.
        "c\\;",
        "d\\\\;",
    ];
    assert_eq!(window.command, expected);
    assert_eq!((window.directory, window.environment), (None, vec![]));
    // Where nothing is set here, what the server has must not count.
    situation.launch.configured_root = None;
    let plan = Plan::of(&situation, &Answers::default());
    let split = plan.in_tmux(Split::Split, "x", &situation.launch);
    let unset = ["-u", "CLAUDE_CONFIG_DIR", "claude"];
    assert!(
        split.command.windows(3).any(|words| words == unset),
        "{split:?}"
    );
    situation.running = Some(running(Some("work:@3.%7")));
    let answers = Answers::default().with(Topic::Running, Answer::Jump);
    let jump = Plan::of(&situation, &answers);
    assert_eq!(jump.in_tmux(Split::Window, "x", &situation.launch), jump);
}
