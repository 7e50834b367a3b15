use super::{Fresh, LONGEST_ARGUMENT};
use crate::resume::finding::{Answer, Answers, Topic};
use crate::resume::launch::{ChildSession, Launch};
use crate::resume::plan::Change;

const SHOP: &str = "/home/ada/code/shop";

fn fresh(prompt: &str) -> Fresh {
    Fresh {
        directory: Some(SHOP.into()),
        root: None,
        prompt: prompt.to_owned(),
        launch: Launch {
            default_root: Some("/home/ada/.claude".into()),
            ..Launch::default()
        },
    }
}

fn command(fresh: &Fresh) -> Vec<String> {
    fresh.plan(&Answers::default()).command
}

#[test]
fn the_prompt_is_one_argument() {
    let fresh = fresh("fix the\nlogin");
    let plan = fresh.plan(&Answers::default());
    assert_eq!(plan.command, ["claude", "fix the\nlogin"]);
    assert_eq!((plan.directory, plan.id), (Some(SHOP.into()), None));
    assert_eq!(fresh.check(), Ok(()));
    assert_eq!(fresh.findings(&Answers::default()), []);
}

#[test]
fn a_prompt_is_never_an_option_nor_a_command() {
    let mut odd = fresh("--help me");
    assert_eq!(command(&odd), ["claude", "--", "--help me"]);
    odd.launch.arguments = ["--add-dir", "../x"].map(str::to_owned).to_vec();
    assert_eq!(
        command(&odd),
        ["claude", "--add-dir", "../x", "--", "--help me"]
    );
    for name in ["update", "mcp", "doctor", "setup-token", "help"] {
        let behind = format!("{name} ");
        assert_eq!(command(&fresh(name)), ["claude", &behind]);
        odd.prompt = name.to_owned();
        assert_eq!(command(&odd).last(), Some(&behind));
    }
    assert_eq!(command(&fresh("-v")), ["claude", "--", "-v "]);
    // These mean what they say.
    for prompt in ["update the docs", "/compact", "weiter!", "日本語"] {
        assert_eq!(command(&fresh(prompt)), ["claude", prompt]);
    }
}

#[test]
fn what_cannot_be_an_argument_is_told() {
    let fault = |text: &str| fresh(text).check().expect_err("a fault").to_string();
    assert!(fault("a\0b").contains("NUL"));
    assert!(fault(" \n").contains("empty"));
    let long = "x".repeat(LONGEST_ARGUMENT);
    assert!(fault(&long).contains("too long"));
    assert_eq!(fresh(&long[1..]).check(), Ok(()));
}

#[test]
fn it_begins_in_the_config_directory_of_its_history() {
    let mut other = fresh("Go on");
    for (root, expected) in [
        ("/home/ada/.claude", None),
        (
            "/srv/claude",
            Some(Change::Set("CLAUDE_CONFIG_DIR", "/srv/claude".into())),
        ),
    ] {
        other.root = Some(root.into());
        let plan = other.plan(&Answers::default());
        assert_eq!(plan.environment.first().cloned(), expected, "{root}");
    }
    other.launch.configured_root = Some("/srv/claude".into());
    other.root = Some("/home/ada/.claude".into());
    let plan = other.plan(&Answers::default());
    assert_eq!(plan.environment, [Change::Remove("CLAUDE_CONFIG_DIR")]);
}

#[test]
fn where_nothing_would_be_saved_the_person_is_asked() {
    let mut child = fresh("Go on");
    child.launch.child_session = ChildSession::Inherited;
    let none = Answers::default();
    let finding = child.findings(&none).pop().expect("a finding");
    assert_eq!(
        finding.safe().expect("a safe choice").answer,
        Answer::Persist
    );
    let persist = "CLAUDE_CODE_FORCE_SESSION_PERSISTENCE";
    assert!(finding.choices[0].shows.contains(persist));
    assert!(!finding.choices[1].shows.contains(persist));
    for (answer, changes) in [(Answer::Persist, 1), (Answer::GoOn, 0)] {
        let answers = none.with(Topic::Child, answer);
        assert_eq!(child.findings(&answers), []);
        assert_eq!(child.plan(&answers).environment.len(), changes);
    }
}
