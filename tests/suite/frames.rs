//! Which frames are drawn at once, on a clock that does not exist: what arrives is given its moment.

use std::time::{Duration, Instant};

use claude_resume::search::{MatchCounts, Reply, RowId, SearchHit, Tier};
use claude_resume::store::Session;
use claude_resume::tui::{Effect, FrameCause, Message, Pacer};

use crate::world::{World, session};

/// The nth session, older than those before it.
fn nth(n: u32) -> Session {
    let minutes = i64::from(n) * 60_000;
    session(n, "shop", minutes, "Fix the login", "go on")
}

/// The loop of the picker around a world, without a terminal.
struct Frames {
    world: World,
    pacer: Pacer,
    start: Instant,
    /// The milliseconds at which a frame was drawn.
    drawn: Vec<u64>,
}

impl Frames {
    /// The first frame is drawn at zero.
    fn new(mut world: World) -> Self {
        world.app.take_cause();
        let start = Instant::now();
        let mut pacer = Pacer::default();
        pacer.drawn(start);
        Self {
            world,
            pacer,
            start,
            drawn: Vec::new(),
        }
    }

    /// Something arrives from a thread.
    fn arrive(&mut self, at: u64, what: impl FnOnce(&mut World)) {
        what(&mut self.world);
        let cause = self.world.app.take_cause();
        self.request(at, cause);
    }

    /// A letter is typed. Returns what has to be done about it.
    fn type_letter(&mut self, at: u64, letter: char) -> Vec<Effect> {
        let effects = self.world.only_press(&letter.to_string());
        self.request(at, FrameCause::Input);
        effects
    }

    fn request(&mut self, at: u64, cause: FrameCause) {
        let now = self.start + Duration::from_millis(at);
        self.pacer.request(cause, now);
        if self.pacer.due().is_some_and(|due| due <= now) {
            self.pacer.drawn(now);
            self.drawn.push(at);
        }
    }
}

#[test]
fn the_first_rows_are_drawn_at_once_and_the_following_ones_are_paced() {
    let mut frames = Frames::new(World::new(120, 40));
    frames.arrive(1, |world| world.arrive(false));
    frames.arrive(2, |world| world.tell(Message::Listed(60)));
    frames.arrive(3, |world| world.put(vec![nth(1)]));
    for at in 4..60 {
        let n = u32::try_from(at).expect("small");
        frames.arrive(at, |world| world.put(vec![nth(n)]));
    }
    assert_eq!(frames.drawn, [3, 16, 32, 48]);
}

#[test]
fn an_answer_without_rows_waits_for_looser_matches() {
    let mut frames = Frames::new(World::full(120, 40));
    frames.type_letter(100, 'z');
    let generation = frames.world.sessions().query.generation;
    let reply = |tier, hits| Reply {
        generation,
        tier,
        hits,
        counts: MatchCounts::default(),
    };
    let (row, tier) = (RowId(0), Tier::Fuzzy);
    let nothing = reply(Tier::Substring, Vec::new());
    frames.arrive(101, |world| world.tell(Message::Found(nothing)));
    assert_eq!(frames.drawn, [100]);
    let loose = reply(tier, vec![SearchHit { row, tier }]);
    frames.arrive(102, |world| world.tell(Message::Found(loose)));
    assert_eq!(frames.drawn, [100, 102]);
}

#[test]
fn the_answer_to_a_key_is_drawn_at_once() {
    let mut frames = Frames::new(World::full(120, 40));
    let effects = frames.type_letter(100, 'k');
    frames.arrive(101, |world| {
        for effect in effects {
            world.carry_out(effect);
        }
    });
    frames.arrive(102, |world| world.put(vec![nth(90)]));
    assert_eq!(frames.drawn, [100, 101]);
}
