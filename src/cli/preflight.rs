//! Deciding without a full screen: findings as lines on stderr, questions by number, `--yes`.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use super::complain;
use crate::paths::normalize;
use crate::resume::{
    Answer, Answers, Decision, Gravity, Plan, Presence, Question, Situation, Topic, answer_safely,
    next_question, open_questions, presence, safe_answer,
};

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// The person, on a full screen.
    Screen,
    /// The person, line by line.
    Lines,
    /// `--yes`: the choice that harms nothing.
    Yes,
    /// Nobody: what can pass with a word passes.
    Nobody,
}

/// How it was decided.
#[derive(Debug)]
pub enum Decided {
    Go(Box<Plan>),
    /// A question that only a screen can ask.
    Ask,
    /// The person wants to read it.
    Read,
    /// Not resumed, and why has been said.
    Refused(u8),
    Nothing,
}

/// Goes through the questions of a situation.
pub fn decide(
    situation: &Situation,
    mut answers: Answers,
    decider: Decider,
) -> anyhow::Result<Decided> {
    while let Some(question) = next_question(situation, &answers) {
        if decider == Decider::Screen {
            return Ok(Decided::Ask);
        }
        say(&question);
        let answer = match decider {
            Decider::Yes => {
                let answer = safe_answer(&question);
                if let Some(answer) = answer {
                    say_taken(&question, answer);
                }
                answer.cloned()
            }
            Decider::Lines if question.topic != Topic::Program => match ask(&question)? {
                Some(answer) => Some(answer),
                None => return Ok(Decided::Nothing),
            },
            _ if question.can_pass => Some(Answer::GoOn),
            _ => None,
        };
        match answer {
            Some(Answer::ReadOnly) => return Ok(Decided::Read),
            Some(answer) => answers = answers.with(question.topic, answer),
            None => {
                // Whoever mends this one wants to know of the others.
                let rest = answers.with(question.topic, Answer::GoOn);
                open_questions(situation, rest).iter().for_each(say);
                refuse(&question, decider);
                return Ok(Decided::Refused(code(situation, &question)));
            }
        }
    }
    let plan = Plan::of(situation, &answers);
    for warning in &plan.warnings {
        complain(&warning.text);
    }
    Ok(Decided::Go(Box::new(plan)))
}

/// The code with which it would end before anything is run, where no person is there to answer.
pub fn stops(situation: &Situation, answers: &Answers, decider: Decider) -> Option<u8> {
    let question = match decider {
        Decider::Screen | Decider::Lines => None,
        Decider::Yes => answer_safely(situation, answers.clone()).open,
        Decider::Nobody => {
            let open = open_questions(situation, answers.clone());
            open.into_iter().find(|question| !question.can_pass)
        }
    };
    question.map(|question| code(situation, &question))
}

/// As a shell says of a command that is not there or cannot be run.
fn code(situation: &Situation, question: &Question) -> u8 {
    match (question.topic, &situation.program) {
        (Topic::Program, crate::resume::Program::Missing) => 127,
        (Topic::Program, _) => 126,
        _ => 2,
    }
}

fn say(question: &Question) {
    complain(&question.finding());
}

fn say_taken(question: &Question, answer: &Answer) {
    complain(&format!("--yes: {}", question.label_of(answer)));
}

/// What `--yes` found and took on the screen, in the words of the command line.
pub fn say_decided(decided: &[Decision]) {
    for (question, answer) in decided {
        say(question);
        say_taken(question, answer);
    }
}

fn refuse(question: &Question, decider: Decider) {
    if question.topic == Topic::Program {
        return;
    }
    let choices = question
        .choices
        .iter()
        .filter(|choice| !matches!(choice.answer, Answer::AskPath | Answer::ReadOnly));
    let mut ways = vec!["run it on a terminal to choose"];
    let mut text = "nothing was resumed";
    if decider == Decider::Yes {
        text = "nothing was resumed: of these choices --yes takes none, as none is sure to be harmless";
    } else if safe_answer(question).is_some() {
        ways.push("add --yes for the choice that harms nothing");
    }
    if question.topic == Topic::Directory {
        ways.push("name a directory with --in");
    }
    complain(&format!("{text}; {}", ways.join(", or ")));
    for choice in choices {
        complain(&format!("  {}: {}", choice.label, choice.shows));
    }
}

/// Asks for a number. `None` if none is given.
fn ask(question: &Question) -> io::Result<Option<Answer>> {
    let mut out = io::stderr().lock();
    for (number, choice) in (1..).zip(&question.choices) {
        writeln!(out, "{number:>3}. {}", choice.label)?;
        // What the card says of it is about a key that only the card has.
        if choice.answer != Answer::AskPath {
            writeln!(out, "     {}", choice.shows)?;
        }
    }
    let most = question.choices.len();
    let mut armed = None;
    loop {
        let Some(typed) = prompt(&mut out, &format!("number (1 to {most}, Enter for none): "))?
        else {
            return Ok(None);
        };
        let number = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        match number.and_then(|at| question.choices.get(at)) {
            Some(choice) if choice.answer == Answer::AskPath => {
                if let Some(answer) = ask_path(&mut out)? {
                    return Ok(Some(answer));
                }
            }
            // As on the card: what may harm takes a second word.
            Some(choice) if choice.gravity == Gravity::Heavy && armed != number => {
                writeln!(out, "{}: the same number once more to do it", choice.label)?;
                armed = number;
            }
            Some(choice) => return Ok(Some(choice.answer.clone())),
            None => writeln!(out, "that is no number from 1 to {most}")?,
        }
    }
}

fn ask_path(out: &mut dyn Write) -> io::Result<Option<Answer>> {
    let Some(typed) = prompt(out, "directory: ")? else {
        return Ok(None);
    };
    let path = directory(&typed);
    if path.is_none() {
        writeln!(out, "that is no directory")?;
    }
    Ok(path.map(Answer::GoTo))
}

/// A line, without its ends. `None` if it is empty or there is none.
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
