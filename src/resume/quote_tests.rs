use super::{Shell, printable, quoted};
use crate::resume::plan::{Change, Plan};
use crate::resume::step::PlanStep;

const NASTY: &[&str] = &[
    "",
    "plain",
    "two words",
    "it's",
    "''",
    "say \"hi\"",
    "$HOME and `id` and $(id)",
    "back\\slash\\",
    "new\nline",
    "ends in one\n",
    "tab\there",
    "bang! 100% *?[x] {a,b} ~ #c =d",
    "日本語 ü é 👩‍👩‍👧",
    "\u{1b}]0;evil\u{7}!%\\'",
    "\u{2018}typographic\u{2019} \u{201c}quotes\u{201d}",
];

#[test]
fn no_line_holds_what_moves_a_terminal() {
    for shell in [Shell::Sh, Shell::Fish, Shell::PowerShell] {
        for word in NASTY.iter().filter(|word| !word.ends_with('\n')) {
            let quoted = quoted(word, shell);
            assert!(!quoted.contains(char::is_control), "{shell:?} {quoted:?}");
        }
    }
}

/// Few machines that test this have a PowerShell (`tests/suite/shells.rs` asks it where there is
/// one), so its rules are read back by the rules themselves: inside single quotes a doubled quote is
/// one, inside double quotes a backtick takes what follows as it is and `$([char]0x1b)` is a
/// character.
#[test]
fn powershell_reads_back_what_was_quoted() {
    for word in NASTY {
        let quoted = quoted(word, Shell::PowerShell);
        assert_eq!(read_back(&quoted), **word, "{quoted}");
    }
}

fn read_back(quoted: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let push = |units: &mut Vec<u16>, c: char| units.extend(c.encode_utf16(&mut [0; 2]).iter());
    let is_single = |c: char| matches!(c, '\'' | '\u{2018}'..='\u{201b}');
    let mut rest = quoted.chars().peekable();
    match rest.next() {
        Some('\'') => {
            while let Some(c) = rest.next() {
                if is_single(c) {
                    match rest.next() {
                        Some(next) if is_single(next) => push(&mut units, c),
                        None => break,
                        Some(other) => panic!("a quote ends before {other}"),
                    }
                } else {
                    push(&mut units, c);
                }
            }
        }
        Some('"') => {
            let mut text: String = rest.collect();
            assert_eq!(text.pop(), Some('"'));
            while let Some(c) = text.chars().next() {
                text.remove(0);
                match c {
                    '`' => push(&mut units, text.remove(0)),
                    '$' => {
                        let code = text.strip_prefix("([char]0x").expect("an expression");
                        let (code, behind) = code.split_once(')').expect("closed");
                        let unit = u16::from_str_radix(code, 16).expect("a number");
                        units.push(unit);
                        text = behind.to_owned();
                    }
                    '"' | '\u{201c}'..='\u{201e}' => panic!("a bare quote"),
                    c => push(&mut units, c),
                }
            }
        }
        _ => return quoted.to_owned(),
    }
    String::from_utf16(&units).expect("characters")
}

#[test]
fn everything_of_a_plan_stands_on_the_line() {
    let word = |text: &str| text.to_owned();
    let plan = Plan {
        steps: vec![PlanStep::MakeDirectory("/tmp/a b".into())],
        command: vec![word("claude"), word("--resume"), word("x")],
        directory: Some("/tmp/a b".into()),
        environment: vec![
            Change::Set("CLAUDE_CODE_FORCE_SESSION_PERSISTENCE", "1".into()),
            Change::Remove("CLAUDE_CONFIG_DIR"),
        ],
        ..Plan::default()
    };
    assert_eq!(
        plan.line_for(Shell::Sh),
        "mkdir -p '/tmp/a b' && cd '/tmp/a b' && env -u CLAUDE_CONFIG_DIR CLAUDE_CODE_FORCE_SESSION_PERSISTENCE=1 claude --resume x"
    );
    assert_eq!(
        plan.line_for(Shell::Fish),
        "mkdir -p '/tmp/a b'; and cd '/tmp/a b'; and env -u CLAUDE_CONFIG_DIR CLAUDE_CODE_FORCE_SESSION_PERSISTENCE=1 claude --resume x"
    );
    assert_eq!(
        plan.line_for(Shell::PowerShell),
        "mkdir -p '/tmp/a b'; if ($?) { Set-Location -LiteralPath '/tmp/a b'; if ($?) { & { $was=$env:CLAUDE_CODE_FORCE_SESSION_PERSISTENCE,$env:CLAUDE_CONFIG_DIR; try { $env:CLAUDE_CODE_FORCE_SESSION_PERSISTENCE='1'; $env:CLAUDE_CONFIG_DIR=$null; claude --resume x } finally { $env:CLAUDE_CODE_FORCE_SESSION_PERSISTENCE,$env:CLAUDE_CONFIG_DIR=$was } } } }"
    );
}

#[test]
fn a_program_with_a_space_is_called_in_powershell() {
    let plan = Plan {
        command: vec!["/opt/claude code/bin".to_owned(), "--resume".to_owned()],
        ..Plan::default()
    };
    assert_eq!(
        plan.line_for(Shell::PowerShell),
        "& '/opt/claude code/bin' --resume"
    );
    assert_eq!(quoted("-v1.2", Shell::PowerShell), "'-v1.2'");
    assert_eq!(printable(&plan.command), "'/opt/claude code/bin' --resume");
}
