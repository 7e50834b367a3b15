use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::{Change, Plan};
use super::{Launch, words};
use crate::store::{FileInfo, FileState, Project, Session, SessionMeta};

const ID: &str = "8c1f0000-0000-4000-8000-000000000000";

fn session(root: &str, cwd: Option<&str>) -> Session {
    let root: Arc<Path> = Arc::from(Path::new(root));
    Session {
        file: FileInfo {
            id: ID.into(),
            project: Arc::new(Project {
                dir: root.join("projects/p"),
                root,
                name: "p".to_owned(),
            }),
            size: 1,
            modified: 0,
            state: FileState::File,
            has_folder: false,
            nanos: 0,
            inode: 0,
        },
        meta: SessionMeta {
            cwd: cwd.map(Into::into),
            ..SessionMeta::default()
        },
        hidden: None,
    }
}

fn launch() -> Launch {
    Launch {
        default_root: Some("/home/ada/.claude".into()),
        ..Launch::default()
    }
}

#[test]
fn a_session_is_resumed_by_id_in_its_directory() {
    let plan = Plan::new(
        &session("/home/ada/.claude", Some("/home/ada/code")),
        &launch(),
    );
    assert_eq!(plan.id.as_deref(), Some(ID));
    assert_eq!(plan.command, ["claude", "--resume", ID]);
    assert_eq!(plan.directory, Some("/home/ada/code".into()));
    assert_eq!(plan.environment, []);
    assert_eq!(
        plan.command_line(),
        format!("cd /home/ada/code && claude --resume {ID}")
    );
}

#[test]
fn own_command_arguments_and_another_root_are_passed_on() {
    let launch = Launch {
        command: words("npx 'claude code'").expect("words"),
        arguments: vec!["--model".to_owned(), "a b".to_owned()],
        ..launch()
    };
    let plan = Plan::new(&session("/backup/it's", Some("/tmp/a b")), &launch);
    let root = PathBuf::from("/backup/it's");
    assert_eq!(plan.environment, [Change::Set("CLAUDE_CONFIG_DIR", root)]);
    assert_eq!(
        plan.command_line(),
        format!(
            "cd '/tmp/a b' && CLAUDE_CONFIG_DIR='/backup/it'\\''s' npx 'claude code' --resume {ID} --model 'a b'"
        )
    );
}

#[test]
fn nothing_is_no_command() {
    assert_eq!(words("  "), None);
    assert_eq!(words("claude 'unclosed"), None);
}

#[test]
fn the_config_directory_is_touched_only_where_it_must_be() {
    let of = |root: &str, configured: Option<&str>| {
        let launch = Launch {
            configured_root: configured.map(PathBuf::from),
            ..launch()
        };
        Plan::new(&session(root, None), &launch).environment
    };
    let set = |root: &str| [Change::Set("CLAUDE_CONFIG_DIR", root.into())];
    let default = "/home/ada/.claude";
    assert_eq!(of(default, None), []);
    assert_eq!(of("/other", Some("/other")), []);
    let removed = [Change::Remove("CLAUDE_CONFIG_DIR")];
    assert_eq!(of(default, Some("/other")), removed);
    assert_eq!(of("/third", None), set("/third"));
    // A relative path would lead elsewhere from the session's directory.
    let relative = of("/home/ada/code/.claude", Some(".claude"));
    assert_eq!(relative, set("/home/ada/code/.claude"));
    let launch = Launch {
        configured_root: Some("/other".into()),
        ..launch()
    };
    let line = Plan::new(&session(default, None), &launch).command_line();
    assert_eq!(
        line,
        format!("env -u CLAUDE_CONFIG_DIR claude --resume {ID}")
    );
}

#[test]
fn a_name_that_is_no_id_is_never_an_argument() {
    let mut session = session("/home/ada/.claude", None);
    session.file.id = "--dangerously-skip-permissions".into();
    let plan = Plan::new(&session, &launch());
    let checked = plan.check_words(&launch());
    assert!(checked.is_err_and(|error| error.to_string().contains("not a session id")));
}

#[test]
fn a_printed_command_holds_nothing_that_moves_a_terminal() {
    let plan = Plan::new(
        &session("/home/ada/.claude", Some("/tmp/\u{1b}]0;it's\u{7}\u{202e}")),
        &launch(),
    );
    assert_eq!(
        plan.command_line(),
        format!(r#"cd "$(printf '/tmp/\033]0;it\047s\007\342\200\256')" && claude --resume {ID}"#)
    );
}
