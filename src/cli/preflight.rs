//! Questions without a full screen: findings as lines on stderr, choices by number, `--yes`.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use super::{Exit, complain};
use crate::paths::normalize;
use crate::resume::{
    Answer, Answers, Consent, Decision, Finding, Plan, Presence, Program, Situation, Topic,
    answer_safely, presence,
};

/// How questions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// On a full screen.
    Screen,
    /// By number on stdin.
    Lines,
    /// `--yes`: with the safe choice.
    Yes,
    /// Not at all: only a choice that needs no consent is taken.
    NoOne,
}

/// What comes of the answers.
#[derive(Debug)]
pub enum Decided {
    Go(Box<Plan>),
    /// Ask on the full screen.
    Ask,
    /// Not resumed, and the reason was printed.
    Stop(Exit),
}

/// Answers the findings of a situation, one after the other.
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
        complain(&finding.line());
        let answer = match decider {
            Decider::Lines if finding.topic != Topic::Program => match ask(finding)? {
                Some(answer) => Some(answer),
                None => return Ok(Decided::Stop(Exit::NOTHING_FOUND)),
            },
            Decider::Yes => finding.safe().map(|choice| choice.answer.clone()),
            _ => finding.unasked().map(|choice| choice.answer.clone()),
        };
        match answer {
            Some(Answer::ReadOnly) => {
                let path = situation.session.transcript.display();
                complain(&format!("to read it: claude-resume show {path}"));
                return Ok(Decided::Stop(Exit::NOTHING_FOUND));
            }
            Some(answer) => {
                if decider == Decider::Yes {
                    say_taken(finding, &answer);
                }
                answers = answers.with(finding.topic, answer);
            }
            None => {
                // The others have to be answered too.
                for other in findings.iter().skip(1) {
                    complain(&other.line());
                }
                refuse(finding, decider);
                return Ok(Decided::Stop(code(situation, finding)));
            }
        }
    }
    let plan = Plan::of(situation, &answers);
    for note in &plan.notes {
        complain(&note.line());
    }
    Ok(Decided::Go(Box::new(plan)))
}

/// The exit code of a run that would stop at an unanswered question.
pub fn stops(situation: &Situation, answers: &Answers, decider: Decider) -> Option<Exit> {
    let finding = match decider {
        Decider::Screen | Decider::Lines => None,
        Decider::Yes => answer_safely(situation, answers.clone()).open,
        Decider::NoOne => {
            let mut open = situation.findings(answers).into_iter();
            open.find(|finding| finding.unasked().is_none())
        }
    };
    finding.map(|finding| code(situation, &finding))
}

/// The exit code for a question without an answer. Those about the program are as in a shell.
fn code(situation: &Situation, finding: &Finding) -> Exit {
    Exit(match (finding.topic, &situation.program) {
        (Topic::Program, Program::Missing | Program::NoInterpreter { .. }) => 127,
        (Topic::Program, _) => 126,
        _ => 2,
    })
}

fn say_taken(finding: &Finding, answer: &Answer) {
    complain(&format!("--yes: {}", finding.label_of(answer)));
}

/// Prints the questions that `--yes` answered in the picker.
pub fn say_decided(decided: &[Decision]) {
    for (finding, answer) in decided {
        complain(&finding.line());
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
        text = "nothing was resumed: --yes takes only safe choices, and there is none here";
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

/// Asks for one of the choices. `None` if none is taken.
fn ask(finding: &Finding) -> io::Result<Option<Answer>> {
    let mut out = io::stderr().lock();
    for (number, choice) in (1..).zip(&finding.choices) {
        writeln!(out, "{number:>3}. {}", choice.label)?;
        // Its hint is about Tab, which only the card has.
        if choice.answer != Answer::AskPath {
            writeln!(out, "     {}", choice.shows)?;
        }
    }
    let mut armed = None;
    loop {
        let number = ask_number(&mut out, finding.choices.len())?;
        match number.and_then(|at| finding.choices.get(at)) {
            Some(choice) if choice.answer == Answer::AskPath => {
                if let Some(answer) = ask_path(&mut out)? {
                    return Ok(Some(answer));
                }
            }
            Some(choice) if choice.consent == Consent::Twice && armed != number => {
                writeln!(out, "{}: enter the number again to confirm", choice.label)?;
                armed = number;
            }
            choice => return Ok(choice.map(|choice| choice.answer.clone())),
        }
    }
}

/// Asks for a number from 1 on, and returns its index. `None` for an empty line or no input.
pub fn ask_number(out: &mut dyn Write, most: usize) -> io::Result<Option<usize>> {
    loop {
        let Some(typed) = prompt(out, &format!("number (1 to {most}, Enter for none): "))? else {
            return Ok(None);
        };
        match typed.parse::<usize>() {
            Ok(number) if (1..=most).contains(&number) => return Ok(Some(number - 1)),
            _ => writeln!(out, "not a number from 1 to {most}")?,
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
    }
    Ok((!typed.is_empty()).then(|| typed.to_owned()))
}

/// A directory that was typed, if it can be entered.
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
