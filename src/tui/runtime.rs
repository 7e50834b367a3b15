//! The loop: keys first, then messages of the workers, then a frame if one is due.
//!
//! Owns the terminal and the state. The first frame is drawn before any worker is started.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use chrono::Local;
use crossterm::event::{Event, EventStream};
use futures_core::Stream;
use tokio::sync::mpsc::{Receiver, channel};

use super::clipboard::{Clip, ClipboardEnv};
use super::guard::Guard;
use super::outside;
use super::terminal::{measure, restore};
use super::workers::{Sources, Spawner, Workers, be_nice};
use super::{
    App, Display, Effect, FrameCause, Memory, Message, Notice, Opener, Outcome, Pacer, Programs,
    Request,
};

/// Events or messages that are taken at once, before a frame gets its turn.
const BATCH: usize = 256;
/// Messages that may wait for the loop before the workers wait for it.
const PENDING_MESSAGES: usize = 64;
/// How long the picker stays when it is left while a text is on its way to the clipboard: the second
/// that its program has, and what it takes to end that.
const LAST_COPY: Duration = Duration::from_millis(1300);
/// How often it looks then whether that is over.
const COPY_POLL: Duration = Duration::from_millis(4);
/// How long signals that came while another program had the terminal may take to arrive.
const LATE_SIGNALS: Duration = Duration::from_millis(20);

/// What the picker is given.
#[derive(Debug)]
pub struct PickerStart {
    pub app: App,
    pub sources: Sources,
    pub clipboard: ClipboardEnv,
    pub programs: Programs,
    pub clock: ClockMode,
    /// A notice to show from the start.
    pub notice: Option<String>,
}

/// Whether time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockMode {
    Goes,
    /// It is always the moment of the start.
    StandsStill,
}

/// The outcome, and what to remember.
#[derive(Debug)]
pub struct Ended {
    pub outcome: Outcome,
    pub memory: Memory,
    /// What went wrong too late to be shown.
    pub unsaid: Option<String>,
}

/// Shows the picker until it is left. The terminal is restored when this returns.
pub fn run(start: PickerStart) -> io::Result<Ended> {
    let PickerStart {
        mut app,
        sources,
        clipboard,
        programs,
        clock,
        notice,
    } = start;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .on_thread_start(be_nice)
        .build()?;
    // Before the terminal is taken, so that a signal always gives it back.
    let signals = {
        let _inside = runtime.enter();
        Signals::new()?
    };
    let mut screen = Display::open(app.context.mouse)?;
    app.context.area = screen.area();
    app.status = notice.map(Notice::Trouble);
    screen.draw(&app)?;
    // Fails where no file is left to read keys with; later it would be a panic.
    crossterm::event::poll(Duration::ZERO)?;
    let (sender, inbox) = channel(PENDING_MESSAGES);
    let spawner = Spawner::new(runtime.handle().clone(), sender);
    let workers = Workers::start(sources, clipboard, spawner)?;
    let mut picker = Picker {
        app,
        screen,
        workers,
        programs,
        clock,
        outside: None,
        pacer: Pacer::default(),
        guard: Guard::default(),
        requests: Vec::new(),
        outcome: None,
        unsaid: None,
    };
    picker.pacer.drawn(Instant::now());
    let outcome = runtime.block_on(picker.run(inbox, signals));
    let (memory, unsaid) = (picker.app.memory(), picker.unsaid.take());
    // Gives the terminal back, and cancels the workers without waiting for them.
    drop(picker);
    runtime.shutdown_background();
    outcome.map(|outcome| Ended {
        outcome,
        memory,
        unsaid,
    })
}

struct Picker {
    app: App,
    screen: Display,
    workers: Workers,
    programs: Programs,
    clock: ClockMode,
    /// A text for another program to show.
    outside: Option<(Opener, String)>,
    pacer: Pacer,
    guard: Guard,
    /// Handed out after the frame: a worker that wakes up on this core would run before the
    /// frame is drawn.
    requests: Vec<Request>,
    outcome: Option<Outcome>,
    unsaid: Option<String>,
}

impl Picker {
    async fn run(
        &mut self,
        mut inbox: Receiver<Message>,
        mut signals: Signals,
    ) -> io::Result<Outcome> {
        let mut events = EventStream::new();
        // The search for the query of the command line.
        self.app.begin();
        self.carry_out()?;
        self.hand_out();
        loop {
            let due = self.pacer.due();
            let frame = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                batch = next_events(&mut events) => {
                    self.tick()?;
                    for event in batch? {
                        self.take_event(event)?;
                    }
                    self.pacer.request(FrameCause::Input, Instant::now());
                }
                signal = signals.next() => self.take_signal(signal)?,
                Some(message) = inbox.recv() => {
                    self.tick()?;
                    self.handle(message)?;
                    for _ in 0..BATCH {
                        let Ok(message) = inbox.try_recv() else { break };
                        self.handle(message)?;
                    }
                    let cause = self.app.take_cause();
                    self.pacer.request(cause, Instant::now());
                }
                () = frame => {}
            }
            if let Some(outcome) = self.outcome.take() {
                self.finish_copy(&mut inbox).await?;
                return Ok(outcome);
            }
            if let Some((opener, text)) = self.outside.take() {
                // A stream that stays would take the keys that are for the other program.
                drop(events);
                self.show_outside(opener, &text)?;
                events = EventStream::new();
                // Ctrl+C was meant for that program, and arrives only now.
                while let Ok(signal) = tokio::time::timeout(LATE_SIGNALS, signals.next()).await {
                    if signal != Signal::Leave(Outcome::Interrupted) {
                        self.take_signal(signal)?;
                    }
                }
            }
            // Not in a branch of its own: a flood of messages must not starve frames.
            let now = Instant::now();
            if self.pacer.due().is_some_and(|due| due <= now) {
                self.screen.draw(&self.app)?;
                self.pacer.drawn(Instant::now());
                self.guard.drawn(&self.app.sight(), Instant::now());
            }
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        for request in self.requests.drain(..) {
            self.workers.send(request);
        }
    }

    /// Waits until no text is on its way to the clipboard. What becomes of the process next would end
    /// the thread that hands it over, and leave a program behind that hangs.
    async fn finish_copy(&mut self, inbox: &mut Receiver<Message>) -> io::Result<()> {
        self.requests
            .retain(|request| matches!(request, Request::Copy(_)));
        self.hand_out();
        self.workers.hurry();
        let end = Instant::now() + LAST_COPY;
        while self.workers.is_copying() && Instant::now() < end {
            let message = tokio::time::timeout(COPY_POLL, inbox.recv()).await;
            if let Ok(Some(message)) = message {
                self.handle_last(message)?;
            }
        }
        while let Ok(message) = inbox.try_recv() {
            self.handle_last(message)?;
        }
        Ok(())
    }

    /// Handles a message after the last frame: what it says has to be said elsewhere.
    fn handle_last(&mut self, message: Message) -> io::Result<()> {
        if let Message::Copied(copied) = &message
            && let Notice::Trouble(text) = copied.notice()
        {
            self.unsaid = Some(text);
        }
        self.handle(message)
    }

    /// Updates the time of the state.
    fn tick(&mut self) -> io::Result<()> {
        match self.clock {
            ClockMode::Goes => self.handle(Message::Clock(Local::now().fixed_offset())),
            ClockMode::StandsStill => Ok(()),
        }
    }

    fn take_event(&mut self, event: Event) -> io::Result<()> {
        // Keys that were typed after the one that leaves are dropped.
        if self.outcome.is_some() {
            return Ok(());
        }
        let too_soon = self
            .guard
            .too_soon(&event, &self.app.sight(), Instant::now());
        if let Some(too_soon) = too_soon {
            self.app.held_back(too_soon);
            return Ok(());
        }
        match event {
            Event::Key(key) => self.handle(Message::Key(key)),
            Event::Mouse(mouse) => self.handle(Message::Mouse(mouse)),
            Event::Paste(text) => self.handle(Message::Paste(text)),
            Event::Resize(columns, rows) => self.handle(Message::Resize { columns, rows }),
            Event::FocusGained | Event::FocusLost => Ok(()),
        }
    }

    fn take_signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            Signal::Leave(outcome) => self.handle(Message::Leave(outcome)),
            Signal::Continue => self.come_back(),
        }
    }

    fn handle(&mut self, message: Message) -> io::Result<()> {
        self.app.update(message);
        self.carry_out()
    }

    /// Does what the app wants done.
    fn carry_out(&mut self) -> io::Result<()> {
        let mut effects = self.app.take_effects().into_iter();
        effects.try_for_each(|effect| self.do_one(effect))
    }

    fn do_one(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Ask(request) => self.requests.push(request),
            Effect::Copy { what, text } => {
                self.requests.push(Request::Copy(Clip::new(what, &text)));
            }
            Effect::ToTerminal { text, multiplexer } => self.screen.copy(&text, multiplexer)?,
            Effect::Outside { opener, text } => self.outside = Some((opener, text)),
            Effect::Redraw => self.screen.forget()?,
            Effect::Suspend => {
                Display::suspend()?;
                self.come_back()?;
            }
            Effect::Leave(outcome) => {
                self.outcome.get_or_insert(outcome);
            }
        }
        Ok(())
    }

    /// Lets another program have the terminal until it ends.
    fn show_outside(&mut self, opener: Opener, text: &str) -> io::Result<()> {
        restore();
        let shown = outside::show(&self.programs, opener, text);
        self.come_back()?;
        if let Err(error) = shown {
            self.app.status = Some(Notice::Trouble(error.to_string()));
        }
        Ok(())
    }

    /// Takes the terminal again: its modes, its size and its content are unknown.
    fn come_back(&mut self) -> io::Result<()> {
        self.screen.come_back()?;
        let area = measure()?;
        self.handle(Message::Resize {
            columns: area.width,
            rows: area.height,
        })?;
        self.pacer.request(FrameCause::Input, Instant::now());
        Ok(())
    }
}

/// All events that are there, at least one. Polls with the context of the task and to the end: the
/// stream keeps only the first waker that it is given.
async fn next_events(events: &mut EventStream) -> io::Result<Vec<Event>> {
    poll_fn(|context| {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            match Pin::new(&mut *events).poll_next(context) {
                Poll::Ready(Some(Ok(event))) => batch.push(event),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
                Poll::Ready(None) => {
                    return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
                }
                Poll::Pending => break,
            }
        }
        if batch.is_empty() {
            Poll::Pending
        } else {
            Poll::Ready(Ok(batch))
        }
    })
    .await
}

// Not sent on other systems, where a key or a closed window says it.
#[cfg_attr(not(unix), allow(dead_code))]
#[derive(Debug, Clone, PartialEq)]
enum Signal {
    Leave(Outcome),
    /// The process was stopped and continues now.
    Continue,
}

struct Signals {
    #[cfg(unix)]
    listening: Vec<(tokio::signal::unix::Signal, Signal)>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [
            (SIGTERM, Signal::Leave(Outcome::Terminated)),
            (SIGHUP, Signal::Leave(Outcome::Terminated)),
            (SIGINT, Signal::Leave(Outcome::Interrupted)),
            (SIGQUIT, Signal::Leave(Outcome::Terminated)),
            (SIGCONT, Signal::Continue),
        ];
        let listening =
            signals.map(|(number, meaning)| Ok((signal(SignalKind::from_raw(number))?, meaning)));
        Ok(Self {
            listening: listening.into_iter().collect::<io::Result<_>>()?,
        })
    }

    async fn next(&mut self) -> Signal {
        poll_fn(|context| {
            let mut signals = self.listening.iter_mut();
            let came = signals.find_map(|(signal, meaning)| {
                let is_ready = signal.poll_recv(context).is_ready();
                is_ready.then(|| meaning.clone())
            });
            came.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    async fn next(&mut self) -> Signal {
        std::future::pending().await
    }
}
