//! Every situation and what comes of it, as one table: `cargo insta review` shows what changed.

use std::path::{Path, PathBuf};

use super::super::{
    Answer, Answers, BranchDirectory, BranchPlace, Change, ChildSession, Consent, GitState, Gone,
    GoneTree, Guess, Launch, Location, Nested, Plan, Presence, Program, Recorded, RecordedWorktree,
    Repository, SessionFacts, Shell, Situation, Split, Topic, Wish, answer_safely,
};
use crate::store::{Live, Status};
use crate::transcript::{PromptReach, ResumeInfo};

const ID: &str = "8c1f0000-0000-4000-8000-000000000000";
const SHOP: &str = "/home/ada/code/shop";
const JWT: &str = "/home/ada/code/shop/.worktrees/jwt";
const BRANCH: &str = "fix/jwt";
const HOUR: i64 = 60 * 60 * 1000;
const NOW: i64 = 1_000 * HOUR;

/// A session in its directory, with nothing to find.
fn calm() -> Situation {
    Situation {
        session: SessionFacts {
            id: ID.to_owned(),
            transcript: PathBuf::from(format!(
                "/home/ada/.claude/projects/-home-ada-code-shop/{ID}.jsonl"
            )),
            location: store("/home/ada/.claude", "-home-ada-code-shop"),
            last_activity: NOW - 2 * HOUR,
            branch: Some("main".to_owned()),
            pr_repository: None,
            copies: Vec::new(),
        },
        launch: Launch {
            default_root: Some("/home/ada/.claude".into()),
            here: Some("/home/ada/notes".into()),
            home: Some("/home/ada".into()),
            ..Launch::default()
        },
        program: Program::Found("/usr/bin/claude".into()),
        worktree: None,
        recorded: vec![there(SHOP)],
        git: on("main", BranchPlace::Current, None),
        gone: None,
        real: Vec::new(),
        running: None,
        resume_info: ResumeInfo {
            reach: reach(10, 0),
            context: Some(20_000),
            ..ResumeInfo::default()
        },
        now: NOW,
    }
}

fn store(root: &str, folder: &str) -> Location {
    Location::Store {
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

fn reach(reachable: usize, lost: usize) -> PromptReach {
    PromptReach {
        reachable,
        lost,
        rewound: 0,
    }
}

fn repository(branch: BranchPlace, uncommitted: Option<usize>) -> Repository {
    Repository {
        top: SHOP.into(),
        head: "main".to_owned(),
        branch,
        on_branch: SHOP.into(),
        uncommitted,
        remotes: Vec::new(),
    }
}

fn on(head: &str, branch: BranchPlace, uncommitted: Option<usize>) -> GitState {
    GitState::Repository(Box::new(Repository {
        head: head.to_owned(),
        ..repository(branch, uncommitted)
    }))
}

/// The session was on another branch than its directory is now, and the person wants to be asked.
fn branch(s: &mut Situation, place: BranchPlace, uncommitted: Option<usize>) {
    s.launch.asks.branch = true;
    s.session.branch = Some(BRANCH.to_owned());
    s.git = on("main", place, uncommitted);
}

/// The same in a directory below the top, and where it would go.
fn branch_below(s: &mut Situation, place: BranchPlace, to: &str) {
    branch(s, place, Some(0));
    s.recorded = vec![there(&format!("{SHOP}/pkg"))];
    if let GitState::Repository(found) = &mut s.git {
        found.on_branch = to.into();
    }
}

fn tree() -> GoneTree {
    GoneTree {
        path: JWT.into(),
        repository: SHOP.into(),
        working_tree: Some(SHOP.into()),
        branch: Some(BRANCH.to_owned()),
        place: BranchPlace::Free,
        needs_force: false,
        lock: None,
        again: JWT.into(),
    }
}

/// The worktree that the transcript names cannot be used.
fn lose(s: &mut Situation, presence: Presence, differs: impl FnOnce(&mut GoneTree)) {
    s.worktree = Some(RecordedWorktree {
        place: recorded(JWT, presence),
        branch: Some(BRANCH.to_owned()),
        original: Some(SHOP.into()),
        original_head: None,
    });
    let mut tree = tree();
    differs(&mut tree);
    s.gone = Some(Gone {
        nearest: Some(SHOP.into()),
        nearest_in_repository: true,
        tree: Some(tree),
        ..Gone::default()
    });
}

fn lost(s: &mut Situation, differs: impl FnOnce(&mut GoneTree)) {
    lose(s, Presence::Missing, differs);
}

/// The session was started in a worktree that git still lists, in a directory of it.
fn listed(s: &mut Situation, again: &str) {
    let again = PathBuf::from(again);
    lost(s, |tree| {
        tree.needs_force = true;
        tree.again = again;
    });
    s.worktree = None;
    s.recorded = vec![gone(&format!("{JWT}/src/api"))];
    s.session.location = store(
        "/home/ada/.claude",
        "-home-ada-code-shop--worktrees-jwt-src-api",
    );
}

/// The only directory of the session is gone, and this is left.
fn left(s: &mut Situation, path: &str, nearest: &str) {
    s.recorded = vec![gone(path)];
    s.gone = Some(Gone {
        nearest: Some(nearest.into()),
        ..Gone::default()
    });
}

fn plain(s: &mut Situation) {
    left(s, SHOP, "/home/ada/code");
}

fn guess(s: &mut Situation, shares: &'static str) {
    plain(s);
    let path = "/home/ada/work/shop".into();
    let guess = Guess { path, shares };
    s.gone.get_or_insert_default().guesses.push(guess);
}

/// Another branch of the repository has the directory.
fn on_branch(s: &mut Situation, branch: &str, uncommitted: Option<usize>) {
    left(s, &format!("{SHOP}/src/old"), SHOP);
    let gone = s.gone.get_or_insert_default();
    gone.nearest_in_repository = true;
    gone.on_branch = Some(BranchDirectory {
        top: SHOP.into(),
        branch: branch.to_owned(),
        uncommitted,
        elsewhere: None,
    });
}

/// The transcript names no directory.
fn unnamed(s: &mut Situation) {
    s.recorded.clear();
    s.git = GitState::Unknown;
}

fn running(tmux: Option<&str>) -> Live {
    Live {
        pid: 4711,
        status: Status::Waiting,
        tmux: tmux.map(str::to_owned),
        updated: NOW,
    }
}

fn outside(in_store: Option<&str>) -> Location {
    Location::Outside {
        in_store: in_store.map(PathBuf::from),
    }
}

fn pull_request(s: &mut Situation, remote: &str) {
    s.session.pr_repository = Some("acme/shop".to_owned());
    if let GitState::Repository(found) = &mut s.git {
        found.remotes = vec![remote.to_owned()];
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A name, what differs from a calm session, and what was answered.
struct Case {
    name: &'static str,
    situation: Situation,
    answers: Answers,
}

fn case(name: &'static str, change: impl FnOnce(&mut Situation)) -> Case {
    let mut situation = calm();
    change(&mut situation);
    Case {
        name,
        situation,
        answers: Answers::default(),
    }
}

impl Case {
    fn given(self, topic: Topic, answer: Answer) -> Self {
        Self {
            answers: self.answers.with(topic, answer),
            ..self
        }
    }
}

/// What is run, and how Claude Code is called.
fn commands() -> Vec<Case> {
    vec![
        case("nothing to find", |_| {}),
        case("own command and arguments", |s| {
            s.launch.command = words("npx claude-code");
            s.launch.arguments = words("--model opus --add-dir ../x");
        }),
        case("fork asked for", |s| s.launch.wish = Wish::Fork),
        case("fork asked for twice", |s| {
            s.launch.wish = Wish::Fork;
            s.launch.arguments = words("--fork-session --session-id x");
        }),
        case("another root", |s| {
            s.session.location = store("/backup/claude", "-home-ada-code-shop");
        }),
        case("another root that is set", |s| {
            s.session.location = store("/backup/claude", "-home-ada-code-shop");
            s.launch.configured_root = Some("/backup/claude".into());
        }),
        case("default root, another one set", |s| {
            s.launch.configured_root = Some("/srv/claude".into());
        }),
        case("default root, set as it is", |s| {
            s.launch.configured_root = Some("/home/ada/.claude".into());
        }),
        case("a relative root is set", |s| {
            s.session.location = store("/home/ada/x/.claude", "-home-ada-code-shop");
            s.launch.configured_root = Some(".claude".into());
        }),
        case("claude missing", |s| s.program = Program::Missing),
        case("claude not executable", |s| {
            s.program = Program::NotExecutable("/usr/bin/claude".into());
        }),
        case("another command missing", |s| {
            s.launch.command = words("clod --x");
            s.program = Program::Missing;
        }),
        case("claude is a script without its interpreter", |s| {
            s.program = Program::NoInterpreter {
                script: "/home/ada/bin/claude".into(),
                interpreter: "node".to_owned(),
            };
        }),
    ]
}

/// The directory, by the rule or by a decision.
#[allow(clippy::too_many_lines)]
fn directories() -> Vec<Case> {
    use Answer::{GoOn, GoTo, MakeDirectory, Recreate, Switch};
    use Topic::{Directory, Outside};
    vec![
        case("no directory recorded", unnamed),
        case("no directory recorded, here is home", |s| {
            unnamed(s);
            s.launch.here = Some("/home/ada".into());
        }),
        case("no directory recorded, and no current one", |s| {
            unnamed(s);
            s.launch.here = None;
        }),
        case("no directory recorded, one chosen", unnamed).given(Directory, GoTo(SHOP.into())),
        case("no directory recorded, of a file outside", |s| {
            unnamed(s);
            s.session.location = outside(None);
        })
        .given(Outside, GoOn),
        case("several directories, filed under the second", |s| {
            s.recorded = vec![there("/home/ada"), there(SHOP)];
        }),
        case("moved, filed under the new directory", |s| {
            s.recorded = vec![there("/srv/shop"), there(SHOP)];
            s.session.location = store("/home/ada/.claude", "-srv-shop");
        }),
        case("filed under none of them", |s| {
            s.recorded = vec![there("/srv/a"), there("/srv/b")];
            s.git = GitState::Unknown;
        }),
        case("a folder of a long path, hashed otherwise", |s| {
            let long = format!("/home/ada/{}", "x".repeat(220));
            let folder = format!("-home-ada-{}-1g45uqqks6lu", "x".repeat(190));
            s.recorded = vec![there("/home/ada"), there(&long)];
            s.session.location = store("/home/ada/.claude", &folder);
            s.git = GitState::Unknown;
        }),
        case("worktree there, its old directory gone", |s| {
            lose(s, Presence::Directory, |_| {});
            s.gone = None;
            s.recorded = vec![gone(SHOP)];
        }),
        case("worktree gone", |s| lost(s, |_| {})),
        case("worktree gone, recreated", |s| lost(s, |_| {})).given(Directory, Recreate),
        case("worktree gone, git still lists it", |s| {
            lost(s, |tree| tree.needs_force = true);
        }),
        case("worktree gone, its path is an option", |s| {
            lost(s, |tree| tree.path = "-Bprecious".into());
        })
        .given(Directory, Recreate),
        case("worktree gone, its branch is an option", |s| {
            lost(s, |tree| tree.branch = Some("--orphan".to_owned()));
        })
        .given(Directory, Recreate),
        case("worktree gone, resumed where it was before", |s| {
            lost(s, |_| {});
        })
        .given(Directory, GoTo(SHOP.into())),
        case("worktree gone, its branch too", |s| {
            lost(s, |tree| tree.place = BranchPlace::Gone);
        }),
        case("worktree gone, its branch elsewhere", |s| {
            lost(s, |tree| {
                tree.place = BranchPlace::CheckedOutAt("/home/ada/code/jwt2/src".into());
            });
        }),
        case("worktree gone, its branch at a remote", |s| {
            lost(s, |tree| {
                tree.place = BranchPlace::Remote(vec!["origin/fix/jwt".to_owned()]);
            });
        }),
        case("worktree gone, its branch at two remotes", |s| {
            lost(s, |tree| {
                let remotes = ["fork/fix/jwt", "origin/fix/jwt"].map(str::to_owned);
                tree.place = BranchPlace::Remote(remotes.to_vec());
            });
        }),
        case("worktree gone, without a branch", |s| {
            lost(s, |tree| {
                tree.branch = None;
                tree.place = BranchPlace::NotRecorded;
            });
        }),
        case("worktree gone, locked", |s| {
            lost(s, |tree| tree.lock = Some(String::new()));
        }),
        case("worktree gone, locked with a reason, recreated", |s| {
            lost(s, |tree| tree.lock = Some("on a stick".to_owned()));
        })
        .given(Directory, Recreate),
        case("worktree is a file now", |s| {
            lose(s, Presence::NotADirectory, |_| {});
        }),
        case("worktree emptied", |s| {
            lose(s, Presence::NotAWorktree { is_empty: true }, |_| {});
        }),
        case("something else in the worktree", |s| {
            lose(s, Presence::NotAWorktree { is_empty: false }, |_| {});
        }),
        case("another repository in the worktree", |s| {
            lose(s, Presence::OtherRepository, |_| {});
        }),
        case("another repository in the worktree, gone to anyway", |s| {
            lose(s, Presence::OtherRepository, |_| {});
        })
        .given(Directory, GoTo(JWT.into())),
        case("worktree of a bare repository gone", |s| {
            lost(s, |tree| {
                tree.repository = "/home/ada/code/shop/.bare".into();
                tree.working_tree = None;
            });
            s.recorded = vec![gone(JWT)];
        }),
        case("a directory in a worktree that is gone", |s| {
            listed(s, "/home/ada/code/shop/.worktrees/jwt/src/api");
        }),
        case("a directory in a worktree that is gone, recreated", |s| {
            listed(s, "/home/ada/code/shop/.worktrees/jwt/src/api");
        })
        .given(Directory, Recreate),
        case(
            "a directory in a worktree that is gone, and the branch does not have it",
            |s| listed(s, JWT),
        ),
        case("directory gone", plain),
        case("directory gone, made again", plain).given(Directory, MakeDirectory),
        case("directory gone, nearest taken", plain)
            .given(Directory, GoTo("/home/ada/code".into())),
        case("directory gone, its name is to be quoted", |s| {
            left(s, "/home/ada/it's new", "/home/ada");
        }),
        case("directory gone, in a repository", |s| {
            left(s, &format!("{SHOP}/src"), SHOP);
            s.gone.get_or_insert_default().nearest_in_repository = true;
        }),
        case("directory gone, home is the nearest, and here", |s| {
            left(s, "/home/ada/shop", "/home/ada");
            s.launch.here = Some("/home/ada".into());
        }),
        case("directory of another machine", |s| {
            left(s, "/Users/ada/shop", "/");
            s.launch.here = Some("/home/ada".into());
        }),
        case("directory of another machine, here is a project", |s| {
            left(s, "/home/bob/shop", "/home");
        }),
        case("directory gone, one of its name and remote", |s| {
            guess(s, "remote");
        }),
        case("directory gone, one of its name and repository", |s| {
            guess(s, "repository");
        }),
        case("directory gone, another branch has it", |s| {
            on_branch(s, BRANCH, Some(0));
        }),
        case("directory gone, another branch has it, switched", |s| {
            on_branch(s, BRANCH, Some(0));
        })
        .given(Directory, Switch),
        case(
            "directory gone, a branch that is an option has it, switched",
            |s| on_branch(s, "--orphan", Some(0)),
        )
        .given(Directory, Switch),
        case(
            "directory gone, another branch has it, uncommitted files",
            |s| on_branch(s, BRANCH, Some(2)),
        ),
        case("directory gone, another tree has its branch", |s| {
            on_branch(s, BRANCH, Some(0));
            let found = s.gone.as_mut().and_then(|gone| gone.on_branch.as_mut());
            found.expect("set").elsewhere = Some(format!("{JWT}/src/old").into());
        }),
        case("directory gone, another of its own is there", |s| {
            plain(s);
            s.recorded.push(there("/srv/other"));
        }),
        case("directory is a file now", |s| {
            plain(s);
            s.recorded = vec![recorded(SHOP, Presence::NotADirectory)];
        }),
        case("directory closed, git silent", |s| {
            plain(s);
            let why = "Permission denied".to_owned();
            s.recorded = vec![recorded(SHOP, Presence::Closed(why))];
            let gone = s.gone.get_or_insert_default();
            gone.silence = Some("timed out".to_owned());
        }),
        case("nothing is left at all", |s| {
            s.recorded = vec![gone(SHOP)];
            s.launch.here = None;
        }),
        case("pull request to another remote", |s| {
            pull_request(s, "acme/blog");
        }),
        case("pull request to another remote, resumed", |s| {
            pull_request(s, "acme/blog");
        })
        .given(Directory, GoOn),
        case("pull request from a fork of it", |s| {
            pull_request(s, "ada/Shop");
        }),
    ]
}

#[allow(clippy::too_many_lines)]
fn branches() -> Vec<Case> {
    use Answer::{GoOn, GoTo, Switch};
    use Topic::{Branch, Directory};
    vec![
        case("not in a repository now", |s| {
            s.git = GitState::NoRepository;
        }),
        case("never in a repository", |s| {
            s.session.branch = Some("HEAD".to_owned());
            s.git = GitState::NoRepository;
        }),
        case("git could not be asked", |s| {
            s.git = GitState::Silent("timed out".to_owned());
        }),
        case("another branch: a note", |s| {
            branch(s, BranchPlace::Free, None);
            s.launch.asks.branch = false;
        }),
        case("another branch in another tree: a note", |s| {
            branch(s, BranchPlace::CheckedOutAt(JWT.into()), None);
            s.launch.asks.branch = false;
        }),
        case("another branch, elsewhere chosen: no note", |s| {
            branch(s, BranchPlace::Free, None);
            s.launch.asks.branch = false;
        })
        .given(Directory, GoTo("/srv".into())),
        case("another branch", |s| {
            branch(s, BranchPlace::Free, Some(0));
        }),
        case("another branch, switched", |s| {
            branch(s, BranchPlace::Free, Some(0));
        })
        .given(Branch, Switch),
        case("another branch, stayed", |s| {
            branch(s, BranchPlace::Free, Some(0));
        })
        .given(Branch, GoOn),
        case("another branch that is an option", |s| {
            branch(s, BranchPlace::Free, Some(0));
            s.session.branch = Some("--discard-changes".to_owned());
        }),
        case("another branch that is an option, switched", |s| {
            branch(s, BranchPlace::Free, Some(0));
            s.session.branch = Some("--discard-changes".to_owned());
        })
        .given(Branch, Switch),
        case("another branch, uncommitted files", |s| {
            branch(s, BranchPlace::Free, Some(3));
        }),
        case("another branch, git did not say", |s| {
            branch(s, BranchPlace::Free, None);
        }),
        case("another branch, in another tree", |s| {
            branch_below(s, BranchPlace::CheckedOutAt(JWT.into()), JWT);
        }),
        case("another branch, resumed in the other tree", |s| {
            branch_below(s, BranchPlace::CheckedOutAt(JWT.into()), JWT);
        })
        .given(Branch, GoTo(JWT.into())),
        case("another branch, which does not have the directory", |s| {
            branch_below(s, BranchPlace::Free, SHOP);
        }),
        case(
            "another branch, which does not have the directory, switched",
            |s| branch_below(s, BranchPlace::Free, SHOP),
        )
        .given(Branch, Switch),
        case("branch gone", |s| {
            branch(s, BranchPlace::Gone, None);
        }),
        case("branch at a remote", |s| {
            let remotes = vec!["origin/fix/jwt".to_owned()];
            branch(s, BranchPlace::Remote(remotes), None);
        }),
        case("detached now", |s| {
            branch(s, BranchPlace::Free, Some(0));
            if let GitState::Repository(found) = &mut s.git {
                found.head = "no branch (abc1234)".to_owned();
            }
        }),
        case("a branch that would move the terminal", |s| {
            branch(s, BranchPlace::Gone, None);
            s.session.branch = Some("a\u{1b}[2Jb".to_owned());
        }),
    ]
}

/// The session itself.
#[allow(clippy::too_many_lines)]
fn sessions() -> Vec<Case> {
    use Answer::{Fork, GoOn, GoTo, Jump, Persist};
    use Topic::{Child, Directory, Outside, Running};
    let inside: fn(&mut Situation) = |s| s.launch.child_session = ChildSession::Inherited;
    let open: fn(&mut Situation) = |s| s.running = Some(running(None));
    let in_tmux: fn(&mut Situation) = |s| s.running = Some(running(Some("work:@3.%7")));
    vec![
        case("running", open),
        case("running, forked", open).given(Running, Fork),
        case("running, resumed anyway", open).given(Running, GoOn),
        case("running, but a fork is wanted", |s| {
            s.running = Some(running(None));
            s.launch.wish = Wish::Fork;
        }),
        case("running in tmux", in_tmux),
        case("running in tmux, gone to from outside", in_tmux).given(Running, Jump),
        case(
            "running in tmux, gone to from inside: nothing else matters",
            |s| {
                s.running = Some(running(Some("work:@3.%7")));
                s.launch.nested = Nested::Tmux;
                s.program = Program::Missing;
                plain(s);
            },
        )
        .given(Running, Jump),
        case("inside another Claude Code", inside),
        case("inside another Claude Code, saved", inside).given(Child, Persist),
        case("inside another Claude Code, not saved", inside).given(Child, GoOn),
        case("damaged: a part is cut off", |s| {
            s.resume_info.health.bad = 2;
            s.resume_info.reach = reach(6, 4);
        }),
        case("damaged: bad lines only", |s| s.resume_info.health.bad = 2),
        case("damaged: no messages", |s| s.resume_info.is_empty = true),
        case("damaged: nothing but bad lines", |s| {
            s.resume_info.is_empty = true;
            s.resume_info.health.bad = 1;
        }),
        case("big and cold", |s| s.resume_info.context = Some(182_000)),
        case("big and cold, not to be asked about", |s| {
            s.launch.asks.tokens = 0;
            s.resume_info.context = Some(182_000);
        }),
        case("big and cold by another measure", |s| {
            s.launch.asks.tokens = 20_000;
        }),
        case("big and warm", |s| {
            s.resume_info.context = Some(182_000);
            s.session.last_activity = NOW - HOUR / 2;
        }),
        case("small and cold", |s| {
            s.resume_info.context = Some(99_999);
            s.session.last_activity = 0;
        }),
        case("big, cold and damaged", |s| {
            s.resume_info.context = Some(182_000);
            s.resume_info.reach = reach(9, 1);
        }),
        case("copies elsewhere", |s| {
            s.session.copies = vec!["/home/ada/.claude/projects/-old/x.jsonl".into()];
        }),
        case("a file outside, in the store too", |s| {
            s.session.location = outside(Some("/home/ada/.claude/projects/-x/y.jsonl"));
        }),
        case(
            "a file outside, in another store too, by the second directory",
            |s| {
                s.recorded = vec![there("/srv/shop"), there(SHOP)];
                let path = format!("/backup/claude/projects/-home-ada-code-shop/{ID}.jsonl");
                s.session.location = outside(Some(&path));
            },
        ),
        case("a file outside, not in the store", |s| {
            s.session.location = outside(None);
        }),
        case("a file outside, tried", |s| {
            s.session.location = outside(None);
        })
        .given(Outside, GoOn),
        case("outside, and its directory is gone", |s| {
            plain(s);
            s.session.location = outside(None);
        }),
        case("everything at once", |s| {
            s.running = Some(running(None));
            plain(s);
            s.launch.child_session = ChildSession::Inherited;
            s.resume_info.context = Some(182_000);
            s.resume_info.reach = reach(8, 2);
            s.session.location = store("/backup/claude", "-home-ada-code-shop");
        })
        .given(Running, Fork)
        .given(Directory, GoTo("/home/ada".into()))
        .given(Child, Persist),
    ]
}

fn rows() -> Vec<Case> {
    let all = [commands(), directories(), branches(), sessions()];
    all.into_iter().flatten().collect()
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
        .map(|step| format!("  first  {}", step.command().join(" ")))
        .collect();
    lines.push(format!("  argv   {}", plan.command.join(" ")));
    let cwd = plan.directory.as_deref().map_or("-".to_owned(), written);
    lines.push(format!("  cwd    {cwd}"));
    lines.extend(env);
    let notes = plan.notes.iter();
    lines.extend(notes.map(|note| format!("  note   {}: {}", note.topic.name(), note.line())));
    if let Some(finding) = situation.findings(answers).first() {
        lines.push(format!("  finds  {}", finding.line()));
        lines.extend(finding.choices.iter().map(|choice| {
            let mark = match choice.consent {
                _ if finding.safe() == Some(choice) => " (--yes)",
                Consent::Twice => " (twice)",
                _ => "",
            };
            format!("         - {}{mark}: {}", choice.label, choice.shows)
        }));
    }
    lines.join("\n").replace(ID, "ID")
}

#[test]
fn every_situation_has_its_plan() {
    let mut texts = Vec::new();
    for case in rows() {
        let described = described(&case.situation, &case.answers);
        texts.push(format!("{}\n{described}", case.name));
    }
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn every_part_of_a_plan_has_a_reason() {
    for Case {
        name, situation, ..
    } in rows()
    {
        let plan = Plan::of(&situation, &Answers::default());
        let about: Vec<&str> = plan.reasons.iter().map(|reason| reason.about).collect();
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

/// `--yes` ends in a plan that changes nothing by itself, or in a finding without a safe choice.
#[test]
fn safe_choices_run_nothing_before_claude() {
    for Case {
        name, situation, ..
    } in rows()
    {
        let safely = answer_safely(&situation, Answers::default());
        assert_eq!(Plan::of(&situation, &safely.answers).steps, [], "{name}");
    }
}

/// The line to read has no flags that only guard the switch; the line to run does.
#[test]
fn guards_are_run_and_not_shown() {
    let case = case("", |s| branch(s, BranchPlace::Free, Some(0)));
    let case = case.given(Topic::Branch, Answer::Switch);
    let plan = Plan::of(&case.situation, &case.answers);
    let begins = |line: &str, words: &str| {
        let begin = format!("git -C {SHOP} switch {words} && cd {SHOP} && ");
        assert!(line.starts_with(&begin), "{line}");
    };
    begins(&plan.command_line(), BRANCH);
    let guarded = format!("--no-guess --no-overwrite-ignore {BRANCH}");
    begins(&plan.line_for(Shell::Sh), &guarded);
}

/// Enter must not lead to a directory that holds everything.
#[test]
fn no_first_choice_is_the_root_or_a_home() {
    for nearest in ["/", "/home", "/Users", "/home/ada", "/srv"] {
        for here in [None, Some("/"), Some("/home"), Some("/home/ada")] {
            for presence in [Presence::Missing, Presence::NotADirectory] {
                let mut situation = calm();
                let path = Path::new(nearest).join("x/shop");
                left(&mut situation, &written(&path), nearest);
                situation.recorded[0].presence = presence;
                situation.launch.here = here.map(PathBuf::from);
                let findings = situation.findings(&Answers::default());
                let first = &findings[0].choices[0].answer;
                let bad =
                    ["/", "/home", "/Users", "/home/ada"].map(|path| Answer::GoTo(path.into()));
                assert!(!bad.contains(first), "{nearest} {here:?}: {first:?}");
                // A home is still offered; what is above it is not.
                let offers = |answer: Answer| {
                    let choices = &findings[0].choices;
                    choices.iter().any(|choice| choice.answer == answer)
                };
                let is_above = |path: &str| ["/", "/home", "/Users"].contains(&path);
                for offered in here.into_iter().chain([nearest]) {
                    let is_offered = offers(Answer::GoTo(offered.into()));
                    assert_eq!(is_offered, !is_above(offered), "{offered}");
                }
            }
        }
    }
}

#[test]
fn nothing_above_the_home_directory_is_offered() {
    let mut situation = calm();
    situation.launch.home = Some("/data/people/ada".into());
    left(&mut situation, "/data/people/bob/shop", "/data/people");
    situation.recorded.push(there("/data"));
    situation.launch.here = Some("/".into());
    let findings = situation.findings(&Answers::default());
    let choices = findings[0].choices.iter();
    let offered = choices.filter(|choice| matches!(choice.answer, Answer::GoTo(_)));
    assert_eq!(offered.count(), 0, "{findings:?}");
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
