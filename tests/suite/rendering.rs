//! The preview of a conversation with everything in it, as recorded at four widths, and what must
//! hold of any conversation.
//!
//! `INSTA_UPDATE=always cargo test rendering` records it again; look at the diff.

use std::fs::File;
use std::path::Path;

use chrono::{DateTime, NaiveDateTime};
use claude_resume::preview::{
    Agent, AgentWork, Agents, Around, Arrival, Book, Budget, CardFacts, Coverage, Fold, Gist, Laid,
    LedgerHead, Level, Library, Manner, Options, PageLine, Painter, Scroll, Syntaxes, Tone,
    TurnWindow, Visibility, card,
};
use claude_resume::reader::{Find, GoOn, Page, PageSpec, PreviewReader, PreviewRequest};
use claude_resume::search::Generation;
use claude_resume::text::width;
use claude_resume::transcript::{
    Chain, ContentPart, Digest, LeafRule, LoadExtent, StepKind, ToolCall, ToolResult, Turn,
    TurnOpening, TurnStep, Typed, load,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::corpus;

/// Columns that the names of speakers take.
const MARGIN: usize = 10;

fn clock(at: i64) -> Option<NaiveDateTime> {
    Some(DateTime::from_timestamp_millis(at)?.naive_utc())
}

fn rich() -> Digest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/preview/rich.jsonl");
    let index = load(&path, LoadExtent::Resumed).expect("loads");
    let chain = Chain::build(&index, LeafRule::Resume);
    Digest::whole(File::open(path).expect("opens"), &index, &chain).expect("reads")
}

/// The agent that one of its calls started.
fn agents(conversation: &Digest) -> Agents {
    let calls = conversation.newest.iter().flat_map(|turn| &turn.steps);
    let task = calls.filter_map(|step| match &step.what {
        StepKind::Tool(call) if call.name.as_deref() == Some("Task") => Some(call.id.clone()),
        _ => None,
    });
    let mut agents = Agents::default();
    for call in task {
        let asked = prompt("find all callers", vec![said("There are **two** of them.")]);
        agents.put(
            call,
            Agent {
                kind: Some("Explore".to_owned()),
                work: AgentWork::Read(vec![asked].into()),
            },
        );
    }
    agents
}

struct AllHeld;

impl Library for AllHeld {
    fn stretch(&mut self, _: i64) -> Option<(i64, Vec<Turn>)> {
        None
    }

    fn agents_of(&mut self, _: i64, _: &Turn, _: &mut Agents) -> Arrival {
        Arrival::Nothing
    }
}

fn lay_out_all(book: &mut Book, manner: Manner<'_>) -> Laid {
    let window = TurnWindow {
        around: Around::End,
        turns: usize::MAX,
        budget: Budget {
            lines: usize::MAX,
            texts: usize::MAX,
            least: 0,
        },
    };
    let laid = book.lay_out(window, manner, &mut AllHeld, &|| true);
    laid.expect("goes on")
}

fn laid(turns: &[Turn], options: &Options, columns: usize, agents: Agents) -> Scroll {
    let mut book = Book::new(turns.to_vec(), LedgerHead::Compacted);
    book.agents = agents;
    let nobody = Agents::default();
    let manner = Manner {
        options,
        columns,
        clock: &clock,
        painter: None,
        agents: &nobody,
        cwd: Some("/home/ada/code/shop"),
    };
    lay_out_all(&mut book, manner).scroll
}

fn page(scroll: &Scroll) -> String {
    let row = |line: &PageLine| format!("{:>6} │ {}", line.margin, line.text());
    let rows: Vec<String> = scroll
        .iter()
        .map(|line| row(line).trim_end().to_owned())
        .collect();
    rows.join("\n")
}

fn everything() -> Options {
    Options {
        level: Level::Full,
        thinking: Visibility::Shown,
        noise: Visibility::Shown,
        ..Options::default()
    }
}

#[test]
fn everything_looks_as_recorded_at_four_widths() {
    let conversation = rich();
    for columns in [40, 80, 120, 200] {
        for (name, options) in [("summary", Options::default()), ("full", everything())] {
            let agents = agents(&conversation);
            let scroll = laid(&conversation.newest, &options, columns - MARGIN, agents);
            insta::assert_snapshot!(format!("{name}-{columns}"), page(&scroll));
        }
    }
}

#[test]
fn the_card_looks_as_recorded_at_four_widths() {
    let gist = Gist::of(&rich());
    let facts = CardFacts {
        title: "Fix JWT refresh token expiry".to_owned(),
        project: Some("~/code/shop".to_owned()),
        branch: Some("fix/jwt".to_owned()),
        times: Some("2026-03-01 09:00 – 10:12".to_owned()),
        file_size: Some("54 KB".to_owned()),
        running: Some("waiting for you".to_owned()),
        branches: 3,
        compactions: 2,
        health: claude_resume::transcript::Health {
            bad: 12,
            ..Default::default()
        },
        reach: claude_resume::transcript::PromptReach {
            reachable: 95,
            lost: 5,
            rewound: 0,
        },
        ..CardFacts::default()
    };
    for columns in [40, 80, 120, 200] {
        let lines = card(&gist, &facts, columns).lines;
        let text = |line: &Vec<_>| {
            let spans = line.iter();
            spans
                .map(|span: &claude_resume::preview::Span| span.text.as_str())
                .collect::<String>()
        };
        let lines: Vec<String> = lines.iter().map(text).collect();
        insta::assert_snapshot!(format!("card-{columns}"), lines.join("\n"));
    }
}

#[test]
fn code_of_eight_languages_has_colours_and_the_same_text() {
    let conversation = rich();
    let syntaxes = Syntaxes::load();
    let options = everything();
    let mut book = Book::new(conversation.newest.clone(), LedgerHead::Beginning);
    let nobody = Agents::default();
    let mut manner = Manner {
        options: &options,
        columns: 70,
        clock: &clock,
        painter: None,
        agents: &nobody,
        cwd: None,
    };
    let plain = lay_out_all(&mut book, manner);
    assert!(plain.wants_paint);
    manner.painter = Some(Painter {
        syntaxes: &syntaxes,
        go_on: &|| true,
    });
    let painted = lay_out_all(&mut book, manner);
    assert!(!painted.wants_paint);
    assert_eq!(page(&plain.scroll), page(&painted.scroll));
    for (word, tone) in [
        ("if", Tone::Keyword),
        ("// too early", Tone::Comment),
        ("def", Tone::Keyword),
        ("const", Tone::Keyword),
        ("42", Tone::Number),
        ("\"hi\"", Tone::Quoted),
        ("for", Tone::Keyword),
        ("SELECT", Tone::Keyword),
        ("\"0.4\"", Tone::Quoted),
        ("null", Tone::Number),
    ] {
        let mut spans = painted.scroll.iter().flat_map(|line| &line.spans);
        assert!(
            spans.any(|span| span.text.trim() == word && span.tone == tone),
            "{word} is {tone:?}"
        );
    }
}

fn said(text: &str) -> StepKind {
    StepKind::Text(text.to_owned())
}

fn prompt(text: &str, steps: Vec<StepKind>) -> Turn {
    let step = |what| TurnStep {
        uuid: String::new(),
        at: Some(1_772_359_200_000),
        what,
        mark: None,
    };
    Turn {
        opening: TurnOpening::Prompt {
            text: text.to_owned(),
            images: Vec::new(),
            typed: Typed::AtThePrompt,
        },
        uuid: text.to_owned(),
        at: Some(1_772_359_200_000),
        steps: steps.into_iter().map(step).collect(),
        noise: Vec::new(),
        mark: None,
    }
}

/// The agent that any call may have started, with a run of its own.
fn an_agent() -> Agents {
    let run = StepKind::Tool(Box::new(ToolCall {
        id: "inner".to_owned(),
        name: Some("Bash".to_owned()),
        input: json!({"command": "make"}),
        result: None,
    }));
    let work = AgentWork::Read(vec![prompt("look", vec![run, said("done")])].into());
    let mut agents = Agents::default();
    agents.put("t".to_owned(), Agent { kind: None, work });
    agents
}

/// Texts as nobody would write them, and such as people do.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~]{0,200}",
        "(\\* |- |1\\. |> |# |```rust\n|```\n|\\| a \\| b \\|\n|\\|--\\|--\\|\n|\n|\t| |日本|👩‍👩‍👧|e\u{301}|\u{202e}|\u{1b}\\[31m|\r|\u{8}|[a-z]{1,40}){0,40}",
        Just("x".repeat(10_000)),
    ]
}

fn what() -> impl Strategy<Value = StepKind> {
    let tool = (
        prop_oneof![
            Just("Bash"),
            Just("Read"),
            Just("Edit"),
            Just("Write"),
            Just("Grep"),
            Just("TodoWrite"),
            Just("Task"),
            Just("ExitPlanMode"),
            Just("WebFetch"),
            Just("WebSearch"),
            Just("TaskOutput"),
            Just("AskUserQuestion"),
            Just("SendMessage"),
            Just("TaskCreate"),
            Just("mcp__x__y"),
        ],
        text(),
        text(),
        any::<bool>(),
    );
    let tool = tool.prop_map(|(name, input, output, is_error)| {
        StepKind::Tool(Box::new(ToolCall {
            id: "t".to_owned(),
            name: Some(name.to_owned()),
            input: json!({"command": input, "file_path": input, "content": input, "plan": input,
                          "pattern": input, "description": input,
                          "to": input, "subject": input, "message": input, "query": input,
                          "questions": [{"question": input, "options": [{"label": input}]}],
                          "todos": [{"content": input, "status": "pending"}]}),
            result: Some(ToolResult {
                is_error,
                detail: json!({"structuredPatch": [{"lines": [input]}],
                               "answers": {input.clone(): output}, "status": output, "stdout": output,
                               "results": [{"content": [{"title": output, "url": input}]}, output]}),
                parts: vec![ContentPart::Text(output)],
                at: None,
                entry: None,
            }),
        }))
    });
    prop_oneof![
        text().prop_map(StepKind::Text),
        text().prop_map(StepKind::Thinking),
        text().prop_map(StepKind::Reply),
        (text(), text()).prop_map(|(text, errors)| StepKind::Output { text, errors }),
        Just(StepKind::Interrupted),
        tool,
    ]
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (text(), prop::collection::vec(what(), 0..5));
    let turn = turn.prop_map(|(text, steps)| prompt(&text, steps));
    prop::collection::vec(turn, 1..4)
}

fn options() -> impl Strategy<Value = Options> {
    let level = prop_oneof![
        Just(Level::Prompts),
        Just(Level::Summary),
        Just(Level::Full)
    ];
    (level, any::<bool>()).prop_map(|(level, thinks)| Options {
        level,
        thinking: if thinks {
            Visibility::Shown
        } else {
            Visibility::Hidden
        },
        noise: Visibility::Shown,
        ..Options::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_too_wide_and_none_has_a_control_byte(
        turns in turns(), options in options(), columns in 1_usize..160,
    ) {
        for line in laid(&turns, &options, columns, Agents::default()).iter() {
            let text = line.text();
            prop_assert!(width(&text) <= columns, "{columns}: {text:?}");
            prop_assert!(!text.chars().any(char::is_control), "{text:?}");
            let is_turned = text.contains('\u{202e}');
            prop_assert!(!is_turned);
        }
    }

    #[test]
    fn folding_and_unfolding_is_the_identity(
        turns in turns(), mut options in options(), pick in any::<prop::sample::Index>(),
    ) {
        let before = laid(&turns, &options, 60, an_agent());
        // What is said before the conversation is more each time it is opened, and the rest of a
        // text has no title once it is shown.
        let is_part = |fold: &Fold| {
            matches!(fold, Fold::Part(_) | Fold::Agent(..) | Fold::Inside(..))
        };
        let folds: Vec<Fold> = before.iter().filter_map(|line| line.fold).filter(is_part).collect();
        if !folds.is_empty() {
            let fold = folds[pick.index(folds.len())];
            options.toggle(fold);
            let other = laid(&turns, &options, 60, an_agent());
            prop_assert!(other.iter().any(|line| line.fold == Some(fold)), "its title stays");
            prop_assert_ne!(&other, &before, "it opens or closes");
            options.toggle(fold);
            prop_assert_eq!(&laid(&turns, &options, 60, an_agent()), &before);
        }
        for _ in 0..3 {
            options.next_level();
        }
        prop_assert_eq!(laid(&turns, &options, 60, an_agent()), before);
    }

    #[test]
    fn a_place_is_found_again_however_it_is_laid_out(
        turns in turns(), first in options(), second in options(),
        (narrow, wide) in (1_usize..80, 1_usize..160), pick in any::<prop::sample::Index>(),
    ) {
        let before = laid(&turns, &first, narrow, Agents::default());
        let after = laid(&turns, &second, wide, Agents::default());
        prop_assume!(!before.is_empty());
        let place = before.get(pick.index(before.len())).expect("a line").place;
        let found = after.lines_of(place);
        prop_assert!(!found.is_empty());
        let shown = after.get(found.start).expect("a line").place;
        let of_shown = |at: usize| after.get(at).is_some_and(|line| line.place == shown);
        prop_assert!(found.clone().all(of_shown), "its lines and no others");
        prop_assert!(!found.start.checked_sub(1).is_some_and(of_shown), "from its first");
        // Blank lines at the end of all are none.
        prop_assert!(found.end >= after.len() || !of_shown(found.end), "to its last");
        let is_there = after.iter().any(|line| line.place == place);
        if is_there {
            prop_assert_eq!(shown, place);
        } else {
            // Hidden now: what stands before it, and in the same turn if that is shown at all.
            prop_assert!(shown < place || found.start == 0);
            if after.iter().any(|line| line.place.turn == place.turn && line.place < place) {
                prop_assert_eq!(shown.turn, place.turn);
            }
        }
        let places: Vec<_> = after.iter().map(|line| line.place).collect();
        prop_assert!(places.is_sorted());
    }
}

/// Reads a transcript as the picker does. What is shown of a long one at first must be the end of
/// what is shown at last. Returns whether it was shown in parts.
fn read_for_the_screen(path: &Path) -> bool {
    let request = PreviewRequest {
        generation: Generation(1),
        path: path.to_owned(),
        rows: 40,
        facts: CardFacts::default(),
        spec: PageSpec {
            columns: 70,
            options: Options::default(),
            around: Around::End,
            turns: usize::MAX,
            leaf: None,
            find: Find::default(),
            target: None,
        },
    };
    let go_on = GoOn {
        reading: &|| true,
        laying_out: &|| true,
    };
    let mut pages = Vec::new();
    PreviewReader::new(Vec::new()).answer(&request, go_on, &mut |page| {
        pages.push(page.expect("a page"));
    });
    let end = |page: &Page| {
        let length = page.scroll.len();
        let last = page.scroll.from(length.saturating_sub(20)).take(20);
        last.map(PageLine::text).collect::<Vec<_>>()
    };
    let (first, last) = (&pages[0], pages.last().expect("a page"));
    let (shown, whole) = (end(first), end(last));
    let is_end = whole.ends_with(&shown) || shown.ends_with(&whole);
    assert!(is_end, "{}: {shown:#?} {whole:#?}", path.display());
    first.known == Coverage::Newest
}

/// `CLAUDE_RESUME_CORPUS=DIR cargo test corpus -- --nocapture` lays out every transcript below a
/// folder, in all levels and at four widths.
#[test]
fn a_corpus_can_be_laid_out() {
    let Some(paths) = corpus() else {
        return;
    };
    let (mut turns, mut lines, mut silent, mut in_parts) = (0, 0, 0, 0);
    for path in &paths {
        in_parts += usize::from(read_for_the_screen(path));
        let mut index = load(path, LoadExtent::Resumed).expect("loads");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("agent-") || index.links().iter().all(|link| link.is_sidechain) {
            index = index.of_subagent();
        }
        let chain = Chain::build(&index, LeafRule::Resume);
        let file = File::open(path).expect("opens");
        let conversation = Digest::whole(file, &index, &chain).expect("reads");
        turns += conversation.newest.len();
        silent += usize::from(conversation.newest.is_empty());
        for level in [Level::Prompts, Level::Summary, Level::Full] {
            for columns in [30, 70, 110, 190] {
                let options = Options {
                    level,
                    ..everything()
                };
                let scroll = laid(&conversation.newest, &options, columns, Agents::default());
                lines += scroll.len();
                let is_empty = scroll.is_empty();
                assert!(
                    !is_empty || conversation.newest.is_empty(),
                    "{}",
                    path.display()
                );
                for line in scroll.iter() {
                    let text = line.text();
                    assert!(width(&text) <= columns, "{}: {text:?}", path.display());
                    assert!(!text.chars().any(char::is_control), "{}", path.display());
                }
            }
        }
    }
    eprintln!(
        "{} transcripts, {silent} of them without a turn, {turns} turns, {lines} lines; \
         {in_parts} were shown before they were read to the end",
        paths.len()
    );
}
