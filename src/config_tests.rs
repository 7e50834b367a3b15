use super::{Config, ConfigError, effective, remembered};
use crate::list::Sort;
use crate::tui::{Action, Density, Memory, Panes, Reach, Switch};

fn error(text: &str) -> ConfigError {
    Config::parse(text).expect_err("a mistake")
}

#[test]
fn an_empty_file_is_the_defaults() {
    let config = Config::parse("").expect("good");
    assert_eq!(config, Config::default());
    assert_eq!(config.over(&Config::default()), Memory::default());
}

#[test]
fn the_file_counts_more_than_what_is_remembered() {
    let config = Config::parse("sort = \"size\"\n[layout]\nside = 30").expect("good");
    let memory = Memory {
        reach: Reach::All,
        order: Sort::Title,
        panes: Panes {
            preview: Switch::Off,
            side: 60,
            stacked: 40,
            reading: 30,
            density: Density::One,
        },
    };
    let state = Config::parse(&remembered(&memory)).expect("what we write we read");
    assert_eq!(Config::default().over(&state), memory);
    assert_eq!(
        config.over(&state),
        Memory {
            order: Sort::Size,
            panes: Panes {
                side: 30,
                ..memory.panes
            },
            ..memory
        }
    );
}

#[test]
fn what_config_prints_is_a_configuration_with_the_same_meaning() {
    let config = Config::parse(
        "scope = \"all\"\nmouse = false\n[theme]\nyou = \"bright-blue\"\ncolour = \"never\"\n\
         [claude]\ncommand = \"npx claude\"\narguments = [\"--model\", \"opus\"]\n\
         [ask]\nbranch = false\ntokens = 50000\n\
         [keys]\nscope = [\"alt-a\", \"f9\"]\nsort = \"alt-minus\"",
    )
    .expect("good");
    let memory = config.over(&Config::default());
    let printed = effective(&config, &memory);
    let again = Config::parse(&printed).expect("it can be read back");
    assert_eq!(again.over(&Config::default()), memory);
    assert_eq!(effective(&again, &memory), printed);
    assert_eq!(again.keymap().name(Action::Scope).as_deref(), Some("Alt+A"));
    assert_eq!(again.accents(), config.accents());
    assert_eq!(again.command(), ["npx", "claude"]);
    assert_eq!((again.asks().branch, again.asks().tokens), (false, 50_000));
}

#[test]
fn the_clipboard_has_a_command_of_its_own() {
    let unset = Config::parse("[clipboard]\n").expect("good");
    assert_eq!(unset.clipboard.command, None);
    let printed = effective(&unset, &Memory::default());
    let again = Config::parse(&printed).expect("it can be read back");
    assert_eq!(again.clipboard, unset.clipboard);
    for words in ["", "\"my-copy\", \"a b\""] {
        let line = format!("command = [{words}]");
        let config = Config::parse(&format!("[clipboard]\n{line}\n")).expect("good");
        assert!(config.clipboard.command.is_some());
        assert_eq!(config.command(), Vec::<String>::new(), "not that of Claude");
        let printed = effective(&config, &Memory::default());
        assert!(
            printed.contains(&format!("[clipboard]\n{line}\n")),
            "{printed}"
        );
        let again = Config::parse(&printed).expect("it can be read back");
        assert_eq!(again.clipboard, config.clipboard);
    }
}

#[test]
fn a_mistake_in_the_command_of_the_clipboard_has_its_own_line() {
    for (text, line, words) in [
        ("[clipboard]\ncommand = [\"\"]\n", 2, "names no program"),
        (
            "[clipboard]\ncommand = [\" \", \"-i\"]\n",
            2,
            "names no program",
        ),
        (
            "[clipboard]\ncommand = \"xclip\"\n",
            2,
            "clipboard.command: write [\"program\", \"argument\"], or [] for the terminal alone",
        ),
        (
            "[clipboard]\ncommand = [3]\n",
            2,
            "clipboard.command: write [\"program\", \"argument\"]",
        ),
        ("[clipboard]\narguments = []\n", 2, "`arguments`"),
    ] {
        let mistake = error(text);
        assert_eq!(mistake.line, line, "{text}");
        assert!(mistake.message.contains(words), "{mistake}");
        assert!(
            mistake.claude.is_some(),
            "the command of Claude is certain: {text}"
        );
    }
    // Nor does its command hide the line of another one.
    let good = "[clipboard]\ncommand = [\"xclip\"]\n";
    let claude = error(&format!("{good}[claude]\ncommand = \"'\"\n"));
    assert_eq!((claude.line, claude.claude), (4, None));
    let keys = error(&format!("{good}[keys]\ncopy-id = \"hyper-x\"\n"));
    assert_eq!(keys.line, 4);
    assert!(keys.claude.is_some());
}

#[test]
fn a_value_of_another_type_is_told_in_plain_words() {
    for (text, words) in [
        ("scope = 3\n", "scope: write a text in quotes, not 3"),
        (
            "mouse = \"yes\"\n",
            "mouse: write true or false, not \"yes\"",
        ),
        ("mouse = [1]\n", "mouse: write true or false, not a list"),
        (
            "[layout]\nside = \"x\"\n",
            "side: write a number from 20 to 80, not \"x\"",
        ),
        (
            "[ask]\ntokens = -1\n",
            "tokens: write a number that is not negative, not -1",
        ),
        (
            "[keys]\ncopy-id = 3\n",
            "copy-id: write a key, or a list of keys such as [\"alt-x\", \"f10\"]",
        ),
        (
            "[claude]\narguments = \"x y\"\n",
            "arguments: write a list, such as [\"one\", \"two\"], not \"x y\"",
        ),
        ("clipboard = 3\n", "clipboard: write a section, not 3"),
        ("keys = \"x\"\n", "keys: write a section, not \"x\""),
    ] {
        assert_eq!(error(text).message, words, "{text}");
    }
}

#[test]
fn mistakes_are_told_with_line_and_key() {
    let unknown = error("scope = \"all\"\ncolour = 3\n");
    assert_eq!(unknown.line, 2);
    assert!(unknown.message.contains("colour"), "{unknown}");
    let value = error("\n\nsort = \"sise\"\n");
    assert_eq!(value.line, 3);
    assert!(
        value.message.contains("sort") && value.message.contains("sise"),
        "{value}"
    );
    let range = error("[layout]\nside = 95\n");
    assert_eq!(range.line, 2);
    assert!(
        range.message.contains("side") && range.message.contains("95"),
        "{range}"
    );
    let key = error("[keys]\nup = \"up\"\nscope = \"hyper-x\"\n");
    assert_eq!(key.line, 3);
    assert!(
        key.message.contains("scope") && key.message.contains("hyper-x"),
        "{key}"
    );
    let action = error("[keys]\nfly = \"f9\"\n");
    assert!(action.message.contains("fly"), "{action}");
    let command = error("[claude]\ncommand = \"'\"\n");
    assert_eq!((command.line, command.claude), (2, None));
    assert!(key.claude.is_some());
    // A key that does not exist hides no command that cannot be understood.
    let both = error("[keys]\nfly = \"f9\"\n[claude]\ncommand = \"'\"\n");
    assert_eq!((both.line, both.claude), (4, None));
    assert_eq!(error("= =").line, 1);
    assert!(!error("scope = [\n1,\n2").message.contains('\n'));
}

#[test]
fn a_mistake_elsewhere_leaves_the_command_as_it_is() {
    let claude = "[claude]\ncommand = \"work-claude --x\"\narguments = [\"--model\", \"opus\"]\n";
    for elsewhere in [
        "[layout]\nside = 95\n",
        "[keys]\nfly = \"f9\"\n",
        "[keys]\ncopy-command = \"hyper-x\"\n",
        "[cloud]\n",
    ] {
        let mistake = error(&format!("{elsewhere}{claude}"));
        let claude = mistake.claude.expect(elsewhere);
        assert_eq!(claude.command.as_deref(), Some("work-claude --x"));
        assert_eq!(claude.arguments.map_or(0, |all| all.len()), 2);
    }
}

#[test]
fn a_command_that_nobody_finds_is_not_passed_over() {
    for text in [
        "sort = \n[claude]\ncommand = \"work-claude\"\n",
        "[claude]\ncommand = work-claude\n",
        "[claude]\ncomand = \"work-claude\"\n",
        "[claude]\ncommand = 3\n",
        "[cluade]\ncommand = \"work-claude\"\n",
        "command = \"work-claude\"\n",
        "claude = \"work-claude\"\n",
        "claude.arguments = [\"--model\"\n",
        // Nobody knows what a text says that is no TOML.
        "sort = \n",
        "[keys]\ncopy-command = [\n",
        "cla ude.comm and\n",
    ] {
        assert_eq!(error(text).claude, None, "{text}");
    }
    let text = "sort = 3\n# command = \"claude\"\n[claude]\n";
    assert!(error(text).claude.is_some(), "{text}");
}
