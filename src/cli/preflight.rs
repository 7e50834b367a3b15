//! Deciding without a full screen: findings as lines on stderr, choices by number, `--yes`.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use super::complain;
use crate::paths::normalize;
use crate::resume::{
    Answer, Answers, Consent, Decision, Finding, Plan, Presence, Program, Situation, Topic,
    answer_safely, presence,
};

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// The person, on a full screen.
    Screen,
    /// The person, line by line.
    Lines,
    /// `--yes`: the safe choice.
    Yes,
    /// Nobody: only a choice that needs no consent is taken.
    Nobody,
}

/// How it was decided.
#[derive(Debug)]
pub enum Decided {
    Go(Box<Plan>),
    /// A screen has to ask.
    Ask,
    /// The person wants to read it.
    Read,
    /// Not resumed, and the reason was printed.
    Refused(u8),
    Nothing,
}

/// Goes through the findings of a situation.
pub fn decide(
    situation: &Situation,
    mut answers: Answers,
    decider: Decider,
) -> anyhow::Result<Decided> {
    loop {
        let findings = situation.findings(&answers);
        let Some(finding) = findings.first() else {
            break;
        };
        if decider == Decider::Screen {
            return Ok(Decided::Ask);
        }
        say(finding);
        let answer = match decider {
            Decider::Lines if finding.topic != Topic::Program => match ask(finding)? {
                Some(answer) => Some(answer),
                None => return Ok(Decided::Nothing),
            },
            Decider::Yes => finding.safe().map(|choice| choice.answer.clone()),
            _ => finding.unasked().map(|choice| choice.answer.clone()),
        };
        match answer {
            Some(Answer::ReadOnly) => return Ok(Decided::Read),
            Some(answer) => {
                if decider == Decider::Yes {
                    say_taken(finding, &answer);
                }
                answers = answers.with(finding.topic, answer);
            }
            None => {
                // The others matter too once this one is solved.
                findings.iter().skip(1).for_each(say);
                refuse(finding, decider);
                return Ok(Decided::Refused(code(situation, finding)));
            }
        }
    }
    let plan = Plan::of(situation, &answers);
    for note in &plan.notes {
        complain(&note.line());
    }
    Ok(Decided::Go(Box::new(plan)))
}

/// The exit code if it would stop before anything is run, because no person is there to answer.
pub fn stops(situation: &Situation, answers: &Answers, decider: Decider) -> Option<u8> {
    let finding = match decider {
        Decider::Screen | Decider::Lines => None,
        Decider::Yes => answer_safely(situation, answers.clone()).open,
        Decider::Nobody => {
            let mut open = situation.findings(answers).into_iter();
            open.find(|finding| finding.unasked().is_none())
        }
    };
    finding.map(|finding| code(situation, &finding))
}

/// The code of a shell for a command that is not there or cannot be run.
fn code(situation: &Situation, finding: &Finding) -> u8 {
    match (finding.topic, &situation.program) {
        (Topic::Program, Program::Missing | Program::NoInterpreter { .. }) => 127,
        (Topic::Program, _) => 126,
        _ => 2,
    }
}

fn say(finding: &Finding) {
    complain(&finding.line());
}

fn say_taken(finding: &Finding, answer: &Answer) {
    complain(&format!("--yes: {}", finding.label_of(answer)));
}

/// What `--yes` found and took in the picker.
pub fn say_decided(decided: &[Decision]) {
    for (finding, answer) in decided {
        say(finding);
        say_taken(finding, answer);
    }
}

fn refuse(finding: &Finding, decider: Decider) {
    if finding.topic == Topic::Program {
        return;
    }
    let mut ways = vec!["run it in a terminal to choose"];
    let mut text = "nothing was resumed";
    if decider == Decider::Yes {
        text = "nothing was resumed: --yes only takes safe choices, and none of these is";
    } else if finding.safe().is_some() {
        ways.push("add --yes for the safe choice");
    }
    if finding.topic == Topic::Directory {
        ways.push("name a directory with --in");
    }
    complain(&format!("{text}; {}", ways.join(", or ")));
    for choice in &finding.choices {
        if !matches!(choice.answer, Answer::AskPath | Answer::ReadOnly) {
            complain(&format!("  {}: {}", choice.label, choice.shows));
        }
    }
}

/// Asks for a number. `None` if none is given.
fn ask(finding: &Finding) -> io::Result<Option<Answer>> {
    let mut out = io::stderr().lock();
    for (number, choice) in (1..).zip(&finding.choices) {
        writeln!(out, "{number:>3}. {}", choice.label)?;
        // Tab completes only on the card.
        if choice.answer != Answer::AskPath {
            writeln!(out, "     {}", choice.shows)?;
        }
    }
    let most = finding.choices.len();
    let mut armed = None;
    loop {
        let Some(typed) = prompt(&mut out, &format!("number (1 to {most}, Enter for none): "))?
        else {
            return Ok(None);
        };
        let number = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        match number.and_then(|at| finding.choices.get(at)) {
            Some(choice) if choice.answer == Answer::AskPath => {
                if let Some(answer) = ask_path(&mut out)? {
                    return Ok(Some(answer));
                }
            }
            Some(choice) if choice.consent == Consent::Twice && armed != number => {
                writeln!(out, "{}: the same number again to confirm", choice.label)?;
                armed = number;
            }
            Some(choice) => return Ok(Some(choice.answer.clone())),
            None => writeln!(out, "not a number from 1 to {most}")?,
        }
    }
}

fn ask_path(out: &mut dyn Write) -> io::Result<Option<Answer>> {
    let Some(typed) = prompt(out, "directory: ")? else {
        return Ok(None);
    };
    let path = directory(&typed);
    if path.is_none() {
        writeln!(out, "not a directory you can enter")?;
    }
    Ok(path.map(Answer::GoTo))
}

/// A trimmed line. `None` if it is empty or missing.
fn prompt(out: &mut dyn Write, text: &str) -> io::Result<Option<String>> {
    write!(out, "{text}")?;
    out.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let typed = line.trim();
    if typed.is_empty() {
        writeln!(out)?;
        return Ok(None);
    }
    Ok(Some(typed.to_owned()))
}

/// A directory that a person typed, if it can be entered.
pub fn directory(typed: &str) -> Option<PathBuf> {
    let home = directories::BaseDirs::new();
    let path = match (typed.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.home_dir().join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(typed),
    };
    let path = normalize(&std::path::absolute(path).ok()?);
    (presence(&path) == Presence::Directory).then_some(path)
}
