use std::path::Path;
use std::sync::Arc;

use super::{Distance, Document, RowContext, SessionFlag, SessionFlags};
use crate::list::Row;
use crate::store::{
    FileInfo, FileState, ForkOrigin, Hidden, LastState, Live, PrLink, Project, Session,
    SessionMeta, Status,
};

fn row(meta: SessionMeta) -> Row {
    let project = Project {
        root: Arc::from(Path::new("/c")),
        dir: Path::new("/c/projects/-code-my-shop").to_owned(),
        name: "-code-my-shop".to_owned(),
    };
    let file = FileInfo {
        id: "8c1f".into(),
        project: Arc::new(project),
        size: 7,
        modified: 5000,
        state: FileState::File,
        has_folder: false,
        nanos: 0,
        inode: 0,
    };
    let hidden = Some(Hidden::Archived);
    Row {
        session: Session { file, meta, hidden },
        copies: Vec::new(),
    }
}

#[test]
fn a_document_has_the_texts_of_the_screen() {
    let meta = SessionMeta {
        custom_title: Some("Fix \u{1b}[31mJWT\u{202e}".into()),
        ai_title: Some("not shown".into()),
        recorded_prompt: Some("older".into()),
        later_prompt: Some("open\na PR".into()),
        first_prompt: Some("why?".into()),
        tag: Some("auth".into()),
        git_branch: Some("fix/jwt".into()),
        cwd: Some("/code/my shop/".into()),
        created: Some(1000),
        last_message: Some(4000),
        pr: Some(Box::new(PrLink {
            number: 412,
            url: None,
            repository: Some("acme/shop".into()),
        })),
        origin: ForkOrigin {
            forked_from: Some("another".into()),
            ..ForkOrigin::default()
        },
        model: Some("opus".into()),
        left: Some(LastState::Asked),
        torn_end: true,
        ..SessionMeta::default()
    };
    let live = Live {
        pid: 1,
        status: Status::Waiting,
        tmux: None,
        updated: 0,
    };
    let context = RowContext {
        place: Distance::Repository,
        live: Some(&live),
    };
    assert_eq!(
        Document::of(&row(meta), context),
        Document {
            title: "Fix JWT".to_owned(),
            project: "my shop".to_owned(),
            directory: "/code/my shop/".to_owned(),
            branch: "fix/jwt".to_owned(),
            tag: "#auth".to_owned(),
            model: "opus".to_owned(),
            id: "8c1f".to_owned(),
            pr: "acme/shop#412".to_owned(),
            first_prompt: "why?".to_owned(),
            last_prompt: "open a PR".to_owned(),
            activity: 4000,
            created: Some(1000),
            size: 7,
            flags: SessionFlags::default()
                .with(SessionFlag::Forked)
                .with(SessionFlag::Damaged)
                .with(SessionFlag::Running)
                .with(SessionFlag::Waiting)
                .with(SessionFlag::Named),
            place: Distance::Repository,
            hidden: Some(Hidden::Archived),
        }
    );
}

#[test]
fn what_a_title_leaves_out_is_among_the_prompts() {
    let prompt = "# Plan: Fix it";
    let document = |later: Option<&str>| {
        let meta = SessionMeta {
            recorded_prompt: Some(prompt.into()),
            later_prompt: later.map(Into::into),
            first_prompt: Some("why?".into()),
            ..SessionMeta::default()
        };
        Document::of(&row(meta), RowContext::default())
    };
    for (later, last) in [
        (None, prompt),
        (Some(prompt), prompt),
        (Some("go on"), "# Plan: Fix it go on"),
    ] {
        let document = document(later);
        assert_eq!(document.title, "Fix it");
        assert_eq!(document.first_prompt, "why?");
        assert_eq!(document.last_prompt, last);
    }
}

#[test]
fn what_is_not_known_is_empty() {
    assert_eq!(
        Document::of(&row(SessionMeta::default()), RowContext::default()),
        Document {
            project: "-code-my-shop".to_owned(),
            directory: "-code-my-shop".to_owned(),
            id: "8c1f".to_owned(),
            activity: 5000,
            size: 7,
            hidden: Some(Hidden::Archived),
            ..Document::default()
        }
    );
}

#[test]
fn a_running_session_is_marked_by_what_it_does() {
    let flags =
        |status| SessionFlag::ALL.map(|(flag, ..)| SessionFlags::of_status(status).has(flag));
    let running = |waiting, busy, idle| [true, waiting, busy, idle, false, false, false, false];
    assert_eq!(flags(Status::Busy), running(false, true, false));
    assert_eq!(flags(Status::Shell), running(false, true, false));
    assert_eq!(flags(Status::Waiting), running(true, false, false));
    assert_eq!(flags(Status::Idle), running(false, false, true));
    assert_eq!(flags(Status::Unknown), running(false, false, false));
}

#[test]
fn a_session_that_was_cut_off_is_marked_unless_it_runs() {
    let flags = |left| {
        let meta = SessionMeta {
            left: Some(left),
            ..SessionMeta::default()
        };
        Document::of(&row(meta), RowContext::default()).flags
    };
    assert!(flags(LastState::Asked).has(SessionFlag::Interrupted));
    assert!(flags(LastState::AtWork).has(SessionFlag::Interrupted));
    assert!(!flags(LastState::Answered).has(SessionFlag::Interrupted));
}

#[test]
fn hints_of_flags_name_what_sets_them() {
    let hint = |wanted| {
        let mut all = SessionFlag::ALL.into_iter();
        all.find(|(flag, ..)| *flag == wanted)
            .map(|(_, _, hint)| hint)
    };
    assert_eq!(
        hint(SessionFlag::Forked),
        Some("forked from another session")
    );
    assert_eq!(hint(SessionFlag::Damaged), Some("the last line is cut off"));
}
