//! The card before a session is resumed: what it shows, what its keys lead to.

use claude_resume::resume::{
    Answer, Answers, BranchPlace, ChildSession, Finding, GitState, Gone, Guess, Launch, Location,
    Nested, Presence, Program, Recorded, Repository, SessionFacts, Situation, Split, Topic, Wish,
};
use claude_resume::store::{Live, Status};
use claude_resume::transcript::ResumeInfo;
use claude_resume::tui::{
    Effect, Ending, Message, Outcome, Outside, PathReply, PathRequest, Printed, Request, Screen,
};

use crate::support::id;
use crate::world::{World, calm, setting, without_worktree};

fn completed(typed: &str, offers: Vec<String>) -> Message {
    Message::Path(PathReply {
        request: PathRequest::Complete(typed.to_owned()),
        offers,
        directory: None,
    })
}

fn entered(typed: &str, directory: Option<&str>) -> Message {
    Message::Path(PathReply {
        request: PathRequest::Enter(typed.to_owned()),
        offers: Vec::new(),
        directory: directory.map(Into::into),
    })
}

const TREE: &str = "/home/ada/code/shop/.worktrees/jwt";

fn world() -> World {
    World::full(120, 30)
}

/// The lines of the only plan that the picker was left with.
fn line(world: &mut World) -> String {
    let chosen = match world.effects.pop() {
        Some(Effect::Leave(Outcome::Chosen(chosen))) => chosen,
        _ => Vec::new(),
    };
    assert_eq!(chosen.len(), 1, "{}", world.screen());
    chosen[0].plan.command_line()
}

fn opened(situation: Situation) -> World {
    let mut world = world();
    world.press("enter");
    world.probe(vec![situation]);
    world
}

#[test]
fn where_nothing_has_to_be_decided_enter_is_enter() {
    let mut world = opened(calm(1));
    assert!(!world.has_overlay());
    assert_eq!(
        line(&mut world),
        format!("cd /home/ada/code/shop && claude --resume {}", id(1))
    );
}

#[test]
fn who_goes_on_typing_has_changed_their_mind() {
    let mut world = world();
    world.press("enter");
    let request = world.effects.pop();
    world.enter("t");
    world.effects.clear();
    world.effects.extend(request);
    world.probe(vec![calm(1)]);
    assert_eq!(world.effects, []);
    assert!(!world.has_overlay());
}

/// A query and Enter in one breath: the row of the new query is meant, not the one that is still
/// under the cursor.
#[test]
fn enter_waits_for_the_rows_of_what_was_typed() {
    let mut world = world();
    let effects = world.only_press("f l a k y enter");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Ask(Request::Probe(_)))),
        "{effects:?}"
    );
    let newest = effects
        .into_iter()
        .rev()
        .find(|effect| matches!(effect, Effect::Ask(Request::Search(_))));
    world.carry_out(newest.expect("a search"));
    let Some(Effect::Ask(Request::Probe(request))) = world.effects.pop() else {
        panic!("nothing is to be resumed");
    };
    assert_eq!(request.sessions[0].0, "Why is test_refresh flaky on CI?");
}

#[test]
fn a_lost_worktree_is_made_again_by_the_first_choice() {
    let mut world = opened(without_worktree(1));
    insta::assert_snapshot!("card-lost-worktree-120", world.screen());
    world.press("enter");
    assert_eq!(
        line(&mut world),
        format!(
            "git -C /home/ada/code/shop worktree add --force {TREE} fix/jwt && cd {TREE} && claude --resume {}",
            id(1)
        )
    );
}

#[test]
fn the_card_fits_every_screen() {
    for (columns, rows) in [
        (80, 24),
        (40, 15),
        (40, 10),
        (200, 50),
        (20, 5),
        (3, 2),
        (1, 1),
    ] {
        let mut world = World::full(columns, rows);
        world.press("enter");
        world.probe(vec![without_worktree(1)]);
        let screen = world.screen();
        if (columns, rows) == (80, 24) {
            insta::assert_snapshot!("card-lost-worktree-80", screen);
        }
        if (columns, rows) == (40, 15) {
            insta::assert_snapshot!("card-lost-worktree-40", screen);
        }
        world.press("down down enter");
    }
}

#[test]
fn a_number_chooses_and_esc_goes_back_to_the_list() {
    let mut world = opened(without_worktree(1));
    world.press("esc");
    assert!(!world.has_overlay());
    assert_eq!(world.effects, []);
    world.press("enter");
    world.probe(vec![without_worktree(1)]);
    world.press("2");
    assert!(line(&mut world).starts_with("cd /home/ada/code/shop && claude"));
    world.press("9");
    assert_eq!(world.effects, [], "there is no such choice");
}

#[test]
fn to_read_is_to_stay() {
    let mut world = opened(without_worktree(1));
    world.press("end enter");
    assert!(!world.has_overlay());
    assert_eq!(world.effects, []);
    assert_eq!(world.focus(), claude_resume::tui::Focus::Preview);
}

/// A session whose directory is gone, with a guess.
fn without_directory() -> Situation {
    Situation {
        recorded: vec![Recorded {
            path: "/home/ada/code/shop".into(),
            presence: Presence::Missing,
        }],
        gone: Some(Gone {
            nearest: Some("/home/ada/code".into()),
            guesses: vec![Guess {
                path: "/home/ada/work/shop".into(),
                shares: "remote",
            }],
            ..Gone::default()
        }),
        ..calm(1)
    }
}

#[test]
fn a_directory_is_made_again_and_a_guess_is_called_one() {
    let mut world = World::full(80, 24);
    world.press("enter");
    world.probe(vec![without_directory()]);
    insta::assert_snapshot!("card-gone-directory-80", world.screen());
    world.press("2");
    let made = line(&mut world);
    assert!(
        made.starts_with("mkdir -p /home/ada/code/shop && cd"),
        "{made}"
    );
    let mut world = opened(without_directory());
    world.press("enter");
    assert!(line(&mut world).starts_with("cd /home/ada/work/shop && claude"));
}

/// A session that was on another branch.
fn on_a_branch(uncommitted: Option<usize>) -> Situation {
    let mut situation = Situation {
        session: SessionFacts {
            branch: Some("fix/jwt".to_owned()),
            ..calm(1).session
        },
        git: GitState::Repository(Box::new(Repository {
            top: "/home/ada/code/shop".into(),
            head: "main".to_owned(),
            branch: BranchPlace::Free,
            on_branch: "/home/ada/code/shop".into(),
            uncommitted,
            remotes: Vec::new(),
        })),
        ..calm(1)
    };
    situation.launch.asks.branch = true;
    situation
}

#[test]
fn another_branch_is_a_word_and_no_card() {
    let noted = || {
        let mut situation = on_a_branch(None);
        situation.launch.asks.branch = false;
        situation
    };
    let note = "the session was on branch fix/jwt; its directory is on main";
    let mut world = opened(noted());
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{}", world.screen());
    };
    let notes = chosen[0].plan.notes.iter().map(Finding::line);
    assert_eq!(notes.collect::<Vec<_>>(), [note]);
    // The card of another finding has it, too.
    let mut situation = noted();
    situation.running = running(None).running;
    let world = opened(situation);
    let screen = world.screen();
    assert!(screen.contains("already open"), "{screen}");
    assert!(screen.contains(note), "{screen}");
}

#[test]
fn a_directory_is_typed_completed_and_entered() {
    let mut world = opened(without_worktree(1));
    world.press("4");
    world.enter("~/co");
    world.press("tab");
    let typed = "~/co".to_owned();
    assert_eq!(
        world.effects.pop(),
        Some(Effect::Ask(Request::Path(PathRequest::Complete(
            typed.clone()
        ))))
    );
    let offers = vec!["~/code/".to_owned(), "~/cooking/".to_owned()];
    world.tell(completed(&typed, offers));
    insta::assert_snapshot!("card-typing-a-directory-120", world.screen());
    world.enter("de/");
    world.press("enter");
    let typed = "~/code/".to_owned();
    assert_eq!(
        world.effects.pop(),
        Some(Effect::Ask(Request::Path(PathRequest::Enter(
            typed.clone()
        ))))
    );
    world.tell(entered(&typed, None));
    assert!(world.screen().contains("not a directory you can enter"));
    world.press("ctrl-a ctrl-e enter");
    world.effects.clear();
    world.tell(entered(&typed, Some("/home/ada/code")));
    assert!(line(&mut world).starts_with("cd /home/ada/code && claude"));
}

#[test]
fn what_is_typed_is_in_sight_on_the_smallest_screen() {
    for (columns, rows) in [(40, 8), (30, 6), (24, 4)] {
        let mut world = World::full(columns, rows);
        world.press("enter");
        world.probe(vec![without_worktree(1)]);
        world.press("4");
        world.enter("/srv");
        assert!(world.screen().contains("/srv"), "{}", world.screen());
        world.press("esc");
        assert!(world.screen().contains("4 Choose"), "{}", world.screen());
    }
}

#[test]
fn the_end_of_a_long_directory_and_what_is_wrong_with_it_are_in_sight() {
    let mut world = World::full(40, 12);
    world.press("enter");
    world.probe(vec![without_worktree(1)]);
    world.press("4");
    let typed = "/srv/somewhere/far/away/below/many/folders/end";
    world.enter(typed);
    assert!(world.screen().contains("folders/end"), "{}", world.screen());
    world.press("ctrl-a");
    assert!(world.screen().contains("❯ /srv/some"), "{}", world.screen());
    world.press("ctrl-e");
    world.tell(entered(typed, None));
    assert!(
        world.screen().contains("not a directory you can enter"),
        "{}",
        world.screen()
    );
}

#[test]
fn one_answer_completes_and_a_late_one_is_void() {
    let mut world = opened(without_worktree(1));
    world.press("4");
    world.enter("/sr");
    let offers = |offers: &[&str]| {
        let offers = offers.iter().map(|&offer| offer.to_owned()).collect();
        completed("/sr", offers)
    };
    world.tell(offers(&["/srv/"]));
    assert!(world.screen().contains("directory ❯ /srv/"));
    world.tell(offers(&["/sr-other/"]));
    assert!(
        world.screen().contains("directory ❯ /srv/"),
        "the text has changed since"
    );
    world.press("esc");
    assert!(world.screen().contains("Recreate the worktree"));
}

fn running(tmux: Option<&str>) -> Situation {
    Situation {
        running: Some(Live {
            pid: 4711,
            status: Status::Busy,
            tmux: tmux.map(str::to_owned),
            updated: 0,
        }),
        ..calm(1)
    }
}

#[test]
fn a_running_session_is_forked_gone_to_or_resumed_with_a_second_key() {
    let mut world = opened(running(None));
    insta::assert_snapshot!("card-running-120", world.screen());
    world.press("enter");
    assert!(line(&mut world).ends_with("--fork-session"));

    let mut world = opened(running(Some("work:@1.%2")));
    world.press("enter");
    assert_eq!(line(&mut world), "tmux attach-session -t '%2'");

    let mut world = opened(running(None));
    world.press("2");
    assert_eq!(world.effects, [], "the first key only asks");
    let question = "Confirm: This session is already open";
    assert!(world.screen().contains(question), "{}", world.screen());
    world.press("esc");
    assert!(!world.screen().contains(question), "{}", world.screen());
    world.press("2 enter");
    assert!(line(&mut world).ends_with(&id(1)));
}

#[test]
fn the_key_for_forks_asks_nothing_of_a_running_session() {
    let mut world = world();
    world.press("alt-g");
    let Some(Effect::Ask(Request::Probe(request))) = world.effects.last() else {
        panic!("{:?}", world.effects);
    };
    let launch = request.launch.clone();
    let situation = Situation {
        launch,
        ..running(None)
    };
    world.probe(vec![situation]);
    assert!(line(&mut world).ends_with("--fork-session"));
}

#[test]
fn one_question_follows_the_other() {
    let situation = Situation {
        resume_info: ResumeInfo {
            context: Some(180_000),
            ..ResumeInfo::default()
        },
        session: SessionFacts {
            last_activity: 0,
            ..calm(1).session
        },
        ..without_worktree(1)
    };
    let mut world = opened(situation);
    assert!(world.screen().contains("1 more question follows"));
    world.press("2");
    assert!(
        world
            .screen()
            .contains("This session is large and no longer cached")
    );
    assert!(!world.screen().contains("more question"));
    world.press("enter");
    assert!(line(&mut world).starts_with("cd /home/ada/code/shop && claude"));
}

#[test]
fn a_branch_is_switched_only_where_that_is_offered() {
    let mut world = opened(on_a_branch(Some(0)));
    world.press("2");
    assert!(line(&mut world).starts_with("git -C /home/ada/code/shop switch fix/jwt && "));
    let world = opened(on_a_branch(Some(1)));
    let screen = world.screen();
    assert!(
        screen.contains("1 uncommitted file") && !screen.contains("Switch"),
        "{screen}"
    );
}

#[test]
fn without_claude_the_card_says_what_to_install() {
    let mut world = opened(Situation {
        program: Program::Missing,
        ..calm(1)
    });
    insta::assert_snapshot!("card-without-claude-120", world.screen());
    world.press("enter");
    assert_eq!(world.effects, []);
}

#[test]
fn a_click_takes_a_choice_and_one_beside_closes() {
    let mut world = opened(without_worktree(1));
    let screen = world.screen();
    let row = screen
        .lines()
        .position(|line| line.contains("Resume in ~/code/shop"));
    let row = u16::try_from(row.expect("a choice")).expect("small");
    world.click(10, row);
    assert!(line(&mut world).starts_with("cd /home/ada/code/shop && claude"));
    let mut world = opened(without_worktree(1));
    world.click(10, 28);
    assert!(!world.has_overlay());
    assert_eq!(world.effects, []);
}

#[test]
fn a_single_mark_under_the_cursor_is_what_enter_means() {
    let mut world = world();
    world.press("down alt-x");
    assert_ne!(
        world.title(),
        "Why is test_refresh flaky on CI?",
        "the cursor went on"
    );
    world.press("up enter");
    let titles = match world.effects.pop() {
        Some(Effect::Ask(Request::Probe(request))) => request
            .sessions
            .into_iter()
            .map(|(title, _)| title)
            .collect(),
        _ => Vec::new(),
    };
    assert_eq!(titles, ["Why is test_refresh flaky on CI?"]);
}

#[test]
fn several_marked_sessions_need_tmux() {
    let mut world = world();
    world.press("alt-x alt-x enter");
    assert_eq!(world.effects, []);
    assert!(world.screen().contains("start tmux first"));
}

#[test]
fn several_marked_sessions_open_each_in_a_window() {
    let mut world = inside_tmux(120, 30);
    world.press("alt-x alt-x alt-x enter");
    let gone = Situation {
        recorded: vec![Recorded {
            path: "/home/ada/gone".into(),
            presence: Presence::Missing,
        }],
        ..calm(3)
    };
    world.probe(vec![calm(1), running(None), gone]);
    assert!(matches!(world.app.screens.top(), Screen::Batch(_)));
    insta::assert_snapshot!("card-several-120", world.screen());
    world.press("enter");
    let Some(Effect::Leave(Outcome::Windows(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    let lines: Vec<String> = chosen.iter().map(|one| one.plan.command_line()).collect();
    assert_eq!(lines.len(), 2, "what needs a decision stays");
    assert!(lines[1].ends_with("--fork-session"));
}

#[test]
fn the_card_of_several_says_what_they_are_for() {
    let fork = Situation {
        launch: Launch {
            wish: Wish::Fork,
            ..calm(1).launch
        },
        ..calm(1)
    };
    let report = Ending::Print(Printed::Report);
    for (ending, situations, headline) in [
        (Ending::Resume, [calm(1), calm(2)], "Resume 2 marked"),
        (
            Ending::Resume,
            [fork.clone(), fork.clone()],
            "Fork 2 marked",
        ),
        (Ending::Resume, [calm(1), fork.clone()], "Resume 2 marked"),
        (report, [calm(1), calm(2)], "Dry run: Resume 2 marked"),
        (report, [fork.clone(), fork], "Dry run: Fork 2 marked"),
    ] {
        let mut world = inside_tmux(120, 30);
        world.app.context.setting.ending = ending;
        world.press("alt-x alt-x enter");
        world.probe(situations.to_vec());
        assert!(world.screen().contains(headline), "{}", world.screen());
    }
}

#[test]
fn a_split_that_several_sessions_cannot_share_is_mentioned() {
    for (split, expected) in [
        (Split::Window, None),
        (Split::Split, Some("--tmux split is for one session")),
        (Split::Popup, Some("--tmux popup is for one session")),
    ] {
        let mut world = inside_tmux(120, 30);
        world.app.context.setting.split = Some(split);
        world.press("alt-x alt-x enter");
        world.probe(vec![calm(1), calm(2)]);
        let screen = world.screen();
        match expected {
            Some(note) => assert!(screen.contains(note), "{screen}"),
            None => assert!(!screen.contains("--tmux"), "{screen}"),
        }
    }
}

/// A picker inside tmux.
fn inside_tmux(columns: u16, rows: u16) -> World {
    let mut inside = setting();
    inside.launch.nested = Nested::Tmux;
    let mut world = World::with(inside, "", columns, rows);
    world.arrive(true);
    world.scan(crate::world::sessions());
    world
}

#[test]
fn what_becomes_of_each_marked_session_can_be_read_to_its_end() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut world = inside_tmux(columns, rows);
        world.press("alt-x alt-x alt-x enter");
        let lost = Situation {
            program: Program::Missing,
            ..calm(3)
        };
        world.probe(vec![without_worktree(1), running(None), lost]);
        insta::assert_snapshot!(format!("card-several-{columns}"), world.screen());
        let mut seen = String::new();
        for _ in 0..40 {
            seen += &world.screen();
            world.press("down");
        }
        let spaceless: String = seen.split_whitespace().collect();
        for wanted in [
            "The session's directory is gone. Resume in ~/code/shop",
            "This session is already open. Fork: continue in a copy",
            "--fork-session",
            "claude was not found",
        ] {
            let wanted: String = wanted.split_whitespace().collect();
            assert!(spaceless.contains(&wanted), "{columns}: {wanted}\n{seen}");
        }
        world.press("home");
        assert!(world.screen().contains("Fix JWT"), "{}", world.screen());
    }
}

#[test]
fn what_cannot_be_resumed_at_all_is_left_out_with_its_reason() {
    let mut world = inside_tmux(120, 30);
    let mut empty = crate::world::session(8, "shop", 0, "A crash", "");
    empty.hidden = Some(claude_resume::store::Hidden::Empty);
    world.put(vec![empty]);
    world.press("alt-h home alt-x alt-x enter");
    world.probe(vec![calm(1)]);
    let screen = world.screen();
    assert!(
        screen.contains("Resume 1 marked session")
            && screen.contains("A crash")
            && screen.contains(": nothing to resume"),
        "{screen}"
    );
    // The one that is left goes into a window, as the card says.
    world.press("enter");
    assert!(
        matches!(world.effects.pop(), Some(Effect::Leave(Outcome::Windows(one))) if one.len() == 1)
    );
}

/// A window of tmux does not inherit our environment.
#[test]
fn a_child_session_is_no_matter_for_tmux_windows() {
    let mut world = inside_tmux(120, 30);
    world.app.context.setting.launch.child_session = ChildSession::Inherited;
    for (keys, expected) in [
        ("enter", ChildSession::Inherited),
        ("alt-x alt-x enter", ChildSession::Free),
    ] {
        world.press(keys);
        let Some(Effect::Ask(Request::Probe(request))) = world.effects.pop() else {
            panic!("{:?}", world.effects);
        };
        assert_eq!(request.launch.child_session, expected, "{keys}");
    }
}

#[test]
fn a_directory_with_none_inside_is_no_mistake() {
    let mut world = opened(without_worktree(1));
    world.press("4");
    world.enter("/srv/");
    world.tell(Message::Path(PathReply {
        request: PathRequest::Complete("/srv/".to_owned()),
        offers: Vec::new(),
        directory: Some("/srv".into()),
    }));
    let screen = world.screen();
    assert!(screen.contains("no subdirectories"), "{screen}");
    assert!(!screen.contains("no such directory"), "{screen}");
}

#[test]
fn only_the_file_that_was_named_is_outside() {
    for (path, is_it) in [(None, true), (Some("/tmp/another.jsonl"), false)] {
        let mut world = world();
        let row = world.sessions().list.cursor().expect("a row");
        let own = world.app.data.row(row).expect("known").session.file.path();
        world.app.context.setting.outside = Some(Outside {
            path: path.map_or(own, Into::into),
            ..Outside::default()
        });
        world.press("enter");
        let Some(Effect::Ask(Request::Probe(request))) = world.effects.pop() else {
            panic!("{:?}", world.effects);
        };
        let outside: Vec<bool> = request
            .sessions
            .iter()
            .map(|(_, seen)| matches!(seen.location, Location::Outside { .. }))
            .collect();
        assert_eq!(outside, [is_it]);
    }
}

/// A world that prints, with `--yes` or `--in` said on the command line.
fn printing() -> World {
    printing_only(Printed::Report)
}

fn printing_only(what: Printed) -> World {
    let mut print = setting();
    print.ending = Ending::Print(what);
    let mut world = World::with(print, "", 120, 30);
    world.arrive(true);
    world.scan(crate::world::sessions());
    world
}

#[test]
fn what_was_not_asked_is_told_with_what_is_printed() {
    let mut world = printing();
    world.press("enter");
    world.probe(vec![running(None)]);
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    let notes = &chosen[0].plan.notes;
    assert!(
        notes.iter().any(|one| one.line().contains("already open")),
        "{notes:?}"
    );
}

#[test]
fn a_dry_run_tells_what_is_still_to_decide() {
    let mut world = printing();
    world.press("enter");
    world.probe(vec![without_worktree(1)]);
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    let open: Vec<Topic> = chosen[0].open.iter().map(|one| one.topic).collect();
    assert_eq!(open, [Topic::Directory]);
}

#[test]
fn a_dry_run_of_several_leaves_out_whom_the_run_leaves_out() {
    let mut damaged = calm(2);
    damaged.resume_info.is_empty = true;
    let mut world = printing();
    world.press("alt-x alt-x enter");
    assert!(world.screen().contains("start tmux first"), "as the run");
    world.app.context.setting.launch.nested = Nested::Tmux;
    world.press("enter");
    world.probe(vec![calm(1), damaged.clone()]);
    let screen = world.screen();
    assert!(screen.contains("Resume 1 marked session"), "{screen}");
    world.press("enter");
    let Some(Effect::Leave(Outcome::Windows(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert_eq!(chosen.len(), 1);
    // An id is nothing that is run.
    let mut world = printing_only(Printed::Id);
    world.press("alt-x alt-x enter");
    world.probe(vec![calm(1), damaged]);
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert_eq!(chosen.len(), 2);
}

#[test]
fn yes_counts_for_what_is_printed() {
    let mut world = printing();
    world.app.context.setting.says_yes = true;
    world.press("enter");
    world.probe(vec![running(None)]);
    assert!(line(&mut world).ends_with("--fork-session"));
}

/// What `--yes` took is not forgotten over a question that it has no answer for.
#[test]
fn what_yes_took_comes_along_through_a_card() {
    let mut situation = running(None);
    situation.resume_info.is_empty = true;
    let mut world = world();
    world.app.context.setting.says_yes = true;
    world.press("enter");
    world.probe(vec![situation]);
    assert!(world.screen().contains("Let Claude Code try"));
    world.press("2");
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("nothing was chosen");
    };
    let decided: Vec<_> = chosen[0].decided.iter().collect();
    let [(finding, Answer::Fork)] = decided.as_slice() else {
        panic!("{decided:?}");
    };
    assert_eq!(finding.topic, Topic::Running);
}

#[test]
fn no_directory_is_told_to_be_none() {
    let mut world = opened(without_worktree(1));
    let Screen::Question(card) = world.app.screens.top() else {
        panic!("no card");
    };
    let choices = &card.finding.choices;
    let typed = choices.iter().position(|one| one.answer == Answer::AskPath);
    world.press(&(typed.expect("a choice") + 1).to_string());
    world.press("enter");
    let screen = world.screen();
    assert!(screen.contains("type a directory"), "{screen}");
}

#[test]
fn a_copied_command_goes_where_the_command_line_said() {
    let mut world = world();
    world.app.context.setting.answers =
        Answers::default().with(Topic::Directory, Answer::GoTo("/srv".into()));
    world.press("alt-c");
    let copied = format!("{:?}", world.effects);
    assert!(copied.contains("cd /srv && claude"), "{copied}");
}

#[test]
fn the_cursor_begins_on_the_session_that_the_card_was_about() {
    let mut world = World::new(120, 30);
    world.arrive(true);
    world.app.select(id(3), false);
    world.scan(crate::world::sessions());
    let at = world.sessions().cursor_row(&world.app.data);
    assert_eq!(at.map(|row| row.session.file.id.to_string()), Some(id(3)));
}

#[test]
fn a_command_that_is_printed_is_decided_on_the_card() {
    let mut world = printing_only(Printed::Command);
    world.press("enter");
    world.probe(vec![running(None)]);
    assert!(matches!(world.app.screens.top(), Screen::Question(_)));
    assert_eq!(world.effects, []);
    world.press("enter");
    assert!(line(&mut world).ends_with("--fork-session"));
}

#[test]
fn of_several_commands_none_is_printed_that_needs_a_decision() {
    let mut world = printing_only(Printed::Command);
    world.press("alt-x alt-x enter");
    world.probe(vec![calm(1), running(None)]);
    assert_eq!(world.effects, []);
    let screen = world.screen();
    assert!(screen.contains("choose it alone to decide"), "{screen}");
    world.press("enter");
    world.probe(vec![calm(1), calm(2)]);
    let Some(Effect::Leave(Outcome::Chosen(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    assert_eq!(chosen.len(), 2);
}

#[test]
fn a_fork_is_not_printed_as_the_id_of_the_session_itself() {
    let mut world = printing_only(Printed::Id);
    world.press("alt-g");
    assert_eq!(world.effects, []);
    let screen = world.screen();
    assert!(screen.contains("--print prints an id"), "{screen}");
    let mut world = printing_only(Printed::Words);
    world.press("alt-g");
    let Some(Effect::Ask(Request::Probe(request))) = world.effects.last() else {
        panic!("{:?}", world.effects);
    };
    let mut situation = calm(1);
    situation.launch = request.launch.clone();
    world.probe(vec![situation]);
    assert!(line(&mut world).ends_with("--fork-session"));
}

#[test]
fn where_the_shell_opens_one_session_no_mark_is_dropped() {
    let mut world = printing_only(Printed::Words);
    world.press("alt-x alt-x enter");
    assert_eq!(world.effects, []);
    let screen = world.screen();
    assert!(screen.contains("the shell opens one session"), "{screen}");
}

#[test]
fn a_directory_that_was_named_is_for_all_that_are_marked() {
    let mut world = inside_tmux(120, 30);
    world.app.context.setting.answers =
        Answers::default().with(Topic::Directory, Answer::GoTo("/srv".into()));
    world.press("alt-x alt-x enter");
    world.probe(vec![calm(1), without_worktree(2)]);
    world.press("enter");
    let Some(Effect::Leave(Outcome::Windows(chosen))) = world.effects.pop() else {
        panic!("{:?}", world.effects);
    };
    for one in &chosen {
        assert_eq!(one.plan.directory, Some("/srv".into()));
    }
    assert_eq!(chosen.len(), 2);
}

#[test]
fn what_is_printed_asks_nothing() {
    let mut print = setting();
    print.ending = Ending::Print(Printed::Report);
    let mut world = World::with(print, "", 120, 30);
    world.arrive(true);
    world.scan(crate::world::sessions());
    world.press("enter");
    world.probe(vec![without_worktree(1)]);
    assert!(line(&mut world).starts_with("cd /home/ada/code/shop && claude"));
}

#[test]
fn on_a_small_screen_the_headline_and_the_second_key_are_in_sight() {
    for (columns, rows) in [(40, 12), (60, 24)] {
        let mut world = opened(running(None));
        world.tell(Message::Resize { columns, rows });
        world.press("2");
        let screen = world.screen();
        assert!(screen.contains("This session is already open"), "{screen}");
        assert!(screen.contains("Confirm: "), "{screen}");
    }
}

/// The lines of the card that are in sight below its headline.
fn in_sight(world: &World) -> Vec<String> {
    let screen = world.screen();
    let plain = |line: &str| line.replacen(" ▌ ", "", 1).trim().to_owned();
    let lines = screen.lines().skip(3).map(plain);
    let is_inside = |line: &String| !line.starts_with("──") && !line.starts_with("more ");
    lines.take_while(is_inside).collect()
}

#[test]
fn every_character_of_a_command_can_be_read_before_enter() {
    for (columns, rows) in [(40, 12), (40, 9), (24, 10), (60, 9), (200, 50)] {
        let mut world = World::full(columns, rows);
        world.press("enter");
        world.probe(vec![without_worktree(1)]);
        let card = |world: &World| match world.app.screens.top() {
            Screen::Question(card) => card.card.clone(),
            _ => panic!("no card"),
        };
        for _ in 0..40 {
            world.press("up");
        }
        // What each choice shows while the cursor is on it: one more line with every key.
        let choices = card(&world).choices.len();
        let mut read = vec![String::new(); choices];
        read[0] = in_sight(&world).concat();
        loop {
            let before = card(&world);
            world.press("down");
            let now = card(&world);
            if now == before {
                break;
            }
            if now.cursor == before.cursor {
                read[now.cursor] += in_sight(&world).last().map_or("", |line| line);
            } else {
                assert_eq!(now.cursor, before.cursor + 1, "none is passed over");
                read[now.cursor] = in_sight(&world).concat();
            }
        }
        let spaceless = |text: &str| text.replace(' ', "");
        let card = card(&world);
        let what = format!("{columns}x{rows}: {read:#?}");
        for (choice, read) in card.choices.iter().zip(&read) {
            assert!(
                spaceless(read).contains(&spaceless(&choice.command)),
                "{what}"
            );
        }
        for line in &card.lines {
            assert!(spaceless(&read[0]).contains(&spaceless(line)), "{what}");
        }
    }
}

#[test]
fn what_is_left_to_read_is_told() {
    let mut world = World::full(40, 12);
    world.press("enter");
    world.probe(vec![without_worktree(1)]);
    insta::assert_snapshot!("card-lost-worktree-small", world.screen());
    world.press("pgdn");
    insta::assert_snapshot!("card-lost-worktree-small-scrolled", world.screen());
    // The end of a command is no other choice.
    world.press("enter");
    assert!(line(&mut world).contains("worktree add"));
}

#[test]
fn no_label_is_cut_on_a_narrow_screen() {
    let mut world = World::full(40, 24);
    world.press("enter");
    world.probe(vec![running(None)]);
    let screen = world.screen();
    let words: Vec<&str> = screen.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("Resume anyway (two processes can damage the transcript)"),
        "{screen}"
    );
}
