//! The loop: keys first, then what the threads found, then a frame when one is due.
//!
//! Owns the terminal and the state. The first frame is drawn before any thread is started.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use chrono::Local;
use crossterm::event::{Event, EventStream};
use futures_core::Stream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::app::App;
use super::memory::Memory;
use super::message::{Effect, Message, Notice, Opener, Outcome};
use super::outside::{self, Programs};
use super::pacer::{Cause, Pacer};
use super::request::Request;
use super::terminal::{Multiplexer, Screen, measure};
use super::unread::Unread;
use super::update::{begin, update};
use super::workers::{Sources, Workers};
use crate::text::{beginning, pasteable};

/// Events or messages that are taken at once, before a frame gets its turn.
const BATCH: usize = 256;

/// Bytes that terminals take for their clipboard: xterm's limit, which others took over.
const CLIPBOARD: usize = 74_000;
/// How long signals that came while another program had the terminal may take to be told.
const LATE_SIGNALS: Duration = Duration::from_millis(20);

/// What the picker is given.
#[derive(Debug)]
pub struct Start {
    pub app: App,
    pub sources: Sources,
    pub multiplexer: Multiplexer,
    pub programs: Programs,
    pub clock: Clock,
    /// Something the person should know from the beginning.
    pub notice: Option<String>,
}

/// Whether time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    Goes,
    /// It is always the moment of the beginning.
    StandsStill,
}

/// How it ended, and what is to be remembered.
#[derive(Debug)]
pub struct Ended {
    pub outcome: Outcome,
    pub memory: Memory,
}

/// Shows the picker until something is chosen or it is left. The terminal is as before when this
/// returns.
pub fn run(start: Start) -> io::Result<Ended> {
    let Start {
        mut app,
        sources,
        multiplexer,
        programs,
        clock,
        notice,
    } = start;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    // Before the screen is taken: whoever ends us from then on gets the terminal back.
    let signals = {
        let _inside = runtime.enter();
        Signals::new()?
    };
    let mut screen = Screen::open(app.mouse)?;
    app.screen = screen.area();
    app.notice = notice.map(Notice::Trouble);
    screen.draw(&app)?;
    let (sender, inbox) = unbounded_channel();
    let workers = Workers::start(sources, &sender)?;
    let mut picker = Picker {
        app,
        screen,
        workers,
        multiplexer,
        programs,
        clock,
        outside: None,
        pacer: Pacer::default(),
        unread: Unread::default(),
        requests: Vec::new(),
        outcome: None,
    };
    picker.pacer.drawn(Instant::now());
    let outcome = runtime.block_on(picker.run(inbox, signals));
    let memory = picker.app.memory();
    // The terminal first: ending threads may take a moment.
    drop(picker);
    runtime.shutdown_background();
    outcome.map(|outcome| Ended { outcome, memory })
}

struct Picker {
    app: App,
    screen: Screen,
    workers: Workers,
    multiplexer: Multiplexer,
    programs: Programs,
    clock: Clock,
    /// A text that another program is to show.
    outside: Option<(Opener, String)>,
    pacer: Pacer,
    unread: Unread,
    /// Handed out after the frame: a worker that wakes up on this core would run before the
    /// frame is drawn.
    requests: Vec<Request>,
    outcome: Option<Outcome>,
}

impl Picker {
    async fn run(
        &mut self,
        mut inbox: UnboundedReceiver<Message>,
        mut signals: Signals,
    ) -> io::Result<Outcome> {
        let mut events = EventStream::new();
        // The search that the query of the command line, or none, stands for.
        for effect in begin(&mut self.app) {
            self.carry_out(effect)?;
        }
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
                    self.pacer.request(Cause::Input, Instant::now());
                }
                signal = signals.next() => self.take_signal(signal)?,
                Some(message) = inbox.recv() => {
                    self.tick()?;
                    let before = self.app.awaited();
                    self.handle(message)?;
                    for _ in 0..BATCH {
                        let Ok(message) = inbox.try_recv() else { break };
                        self.handle(message)?;
                    }
                    let cause = self.app.awaited().cause_since(before);
                    self.pacer.request(cause, Instant::now());
                }
                () = frame => {}
            }
            if let Some(outcome) = self.outcome.take() {
                return Ok(outcome);
            }
            if let Some((opener, text)) = self.outside.take() {
                // A stream that lives on would take the keys that are for the other program.
                drop(events);
                self.show_outside(opener, &text)?;
                events = EventStream::new();
                // Ctrl+C in there was not for us, and is told only now.
                while let Ok(signal) = tokio::time::timeout(LATE_SIGNALS, signals.next()).await {
                    if !matches!(signal, Signal::Interrupt) {
                        self.take_signal(signal)?;
                    }
                }
            }
            // Here and not in its own branch: a flood of messages must not keep frames away.
            let now = Instant::now();
            if self.pacer.due().is_some_and(|due| due <= now) {
                self.screen.draw(&self.app)?;
                self.pacer.drawn(Instant::now());
                let overlay = self.app.overlay.as_ref();
                self.unread.drawn(overlay, Instant::now());
            }
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        for request in self.requests.drain(..) {
            self.workers.send(request);
        }
    }

    /// Updates the time of the state.
    fn tick(&mut self) -> io::Result<()> {
        match self.clock {
            Clock::Goes => self.handle(Message::Clock(Local::now().fixed_offset())),
            Clock::StandsStill => Ok(()),
        }
    }

    fn take_event(&mut self, event: Event) -> io::Result<()> {
        // What was typed behind the key that ends it is not for us.
        if self.outcome.is_some() {
            return Ok(());
        }
        let (overlay, keymap) = (self.app.overlay.as_ref(), &self.app.setting.keymap);
        let now = Instant::now();
        if self.unread.is_too_soon(&event, overlay, keymap, now) {
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
            Signal::Terminate => self.handle(Message::Terminate),
            Signal::Interrupt => self.handle(Message::Interrupt),
            Signal::Continue => self.come_back(),
        }
    }

    fn handle(&mut self, message: Message) -> io::Result<()> {
        let mut effects = Vec::new();
        update(&mut self.app, message, &mut effects);
        for effect in effects {
            self.carry_out(effect)?;
        }
        Ok(())
    }

    fn carry_out(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Ask(request) => self.requests.push(request),
            Effect::Copy { what, text } => {
                let (text, lost) = pasteable(&text);
                self.screen.copy(&text, self.multiplexer)?;
                let mut said = match text.lines().count() {
                    0 | 1 => {
                        let shown = beginning(&text, 300);
                        format!("sent {what} to the clipboard: {shown}")
                    }
                    lines => format!("sent {what} to the clipboard: {lines} lines"),
                };
                match lost {
                    0 => {}
                    1 => said.push_str(", without 1 control character"),
                    lost => said = format!("{said}, without {lost} control characters"),
                }
                self.app.notice = Some(if text.len() > CLIPBOARD {
                    let size = crate::text::size(text.len() as u64);
                    Notice::Trouble(format!("{said} ({size}: many terminals take less)"))
                } else {
                    Notice::Done(said)
                });
            }
            Effect::Outside { opener, text } => self.outside = Some((opener, text)),
            Effect::Mouse(mouse) => self.screen.set_mouse(mouse)?,
            Effect::Redraw => self.screen.forget()?,
            Effect::Suspend => {
                Screen::suspend()?;
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
        Screen::give_away();
        let shown = outside::show(&self.programs, opener, text);
        self.come_back()?;
        if let Err(error) = shown {
            self.app.notice = Some(Notice::Trouble(error.to_string()));
        }
        Ok(())
    }

    /// After somebody else had the terminal: its modes, its size and its content are unknown.
    fn come_back(&mut self) -> io::Result<()> {
        self.screen.come_back()?;
        let area = measure()?;
        self.handle(Message::Resize {
            columns: area.width,
            rows: area.height,
        })?;
        self.screen.set_mouse(self.app.mouse)?;
        self.pacer.request(Cause::Input, Instant::now());
        Ok(())
    }
}

/// All events that are there, at least one. Polled with the task's own context and to the end:
/// the stream keeps the first waker that it is given, and one that is polled in passing is lost.
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

// Elsewhere a key or a closed window says it.
#[cfg_attr(not(unix), allow(dead_code))]
#[derive(Debug, Clone, Copy)]
enum Signal {
    Terminate,
    Interrupt,
    /// We were stopped from outside and go on now.
    Continue,
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    go_on: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::Terminate,
            _ = self.hangup.recv() => Signal::Terminate,
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.quit.recv() => Signal::Terminate,
            _ = self.go_on.recv() => Signal::Continue,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        std::future::pending().await
    }
}
