//! The terminal: opened, drawn on, and given back as it was.
//!
//! Draws on the controlling terminal itself, so stdout stays clean for a choice that is printed.
//! Never queries the terminal: one that does not answer costs no time. A frame is one write.
//! `restore` undoes every mode, once, also after a panic.

mod ambiguous;

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{Command, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::{App, Multiplexer, Switch};
use ambiguous::AmbiguousWidthRows;

#[cfg(windows)]
const TERMINAL: &str = "CONOUT$";
#[cfg(not(windows))]
const TERMINAL: &str = "/dev/tty";

/// Presses, drags and the wheel, in the encoding without a limit on columns. Not movement without a
/// pressed button, which would wake the picker for nothing.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
/// Bytes of a string that GNU screen passes on.
const SCREEN_PIECE: usize = 240;
const SHOW_CURSOR: &str = "\x1b[?25h";

/// Are modes set that `restore` has to undo?
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Collects a frame. Does not flush: ratatui does that several times per frame.
#[derive(Debug, Clone, Default)]
struct Collected(Rc<RefCell<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The full screen. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Display {
    terminal: Terminal<CrosstermBackend<Collected>>,
    ambiguous: AmbiguousWidthRows<Collected>,
    frame: Collected,
    tty: File,
    mouse: Switch,
}

/// Is there a terminal to draw on?
pub fn is_there() -> bool {
    tty().is_ok()
}

/// Opens the controlling terminal.
pub fn tty() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(TERMINAL)
}

impl Display {
    pub fn open(mouse: Switch) -> io::Result<Self> {
        let tty = tty()?;
        let area = measure()?;
        let frame = Collected::default();
        // A fixed area: the screen is measured when it changes, not with every frame.
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area),
        };
        let backend = CrosstermBackend::new(frame.clone());
        let mut screen = Self {
            terminal: Terminal::with_options(backend, options)?,
            ambiguous: AmbiguousWidthRows::new(frame.clone()),
            frame,
            tty,
            mouse,
        };
        screen.enter()?;
        Ok(screen)
    }

    pub fn area(&mut self) -> Rect {
        self.terminal.get_frame().area()
    }

    /// Sets the modes, and the hook for panics.
    fn enter(&mut self) -> io::Result<()> {
        restore_on_panic();
        enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        queue!(self.frame, EnterAlternateScreen, EnableBracketedPaste)?;
        if self.mouse == Switch::On {
            self.frame.write_all(MOUSE_ON.as_bytes())?;
        }
        self.commit()
    }

    /// Draws a frame, in one write.
    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        queue!(self.frame, BeginSynchronizedUpdate)?;
        if app.mouse() != self.mouse {
            self.set_mouse(app.mouse())?;
        }
        if app.context.area != self.area() {
            self.terminal.resize(app.context.area)?;
            self.ambiguous.forget();
        }
        let ambiguous = &mut self.ambiguous;
        self.terminal.try_draw(|frame| {
            app.draw(frame);
            ambiguous.write(frame.buffer_mut())
        })?;
        queue!(self.frame, EndSynchronizedUpdate)?;
        self.commit()
    }

    /// Forgets what the terminal shows: the next frame draws every cell.
    pub fn forget(&mut self) -> io::Result<()> {
        let area = self.area();
        self.ambiguous.forget();
        // Unlike `clear`, this asks the terminal nothing.
        self.terminal.resize(area)
    }

    /// Takes the mouse, or leaves it to the terminal.
    fn set_mouse(&mut self, mouse: Switch) -> io::Result<()> {
        self.mouse = mouse;
        let sequence = match mouse {
            Switch::On => MOUSE_ON,
            Switch::Off => MOUSE_OFF,
        };
        self.frame.write_all(sequence.as_bytes())
    }

    /// Copies a text to the clipboard of the terminal, which may be on another machine.
    pub fn copy(&mut self, text: &str, multiplexer: Multiplexer) -> io::Result<()> {
        let sequence = to_clipboard(text, multiplexer);
        self.frame.write_all(sequence.as_bytes())?;
        self.commit()
    }

    /// Gives the terminal back and stops the process until it is continued. Call `come_back` then.
    #[cfg(unix)]
    pub fn suspend() -> io::Result<()> {
        restore();
        // The whole group, as the terminal itself would do it: it may be a pipeline.
        let stop = || rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        Ok(crate::store::between_starts(stop)?)
    }

    #[cfg(not(unix))]
    pub fn suspend() -> io::Result<()> {
        Ok(())
    }

    /// Takes the terminal again after another program had it.
    pub fn come_back(&mut self) -> io::Result<()> {
        // The other program may have changed the modes, and crossterm sets raw mode only if it
        // believes that it is off.
        let _ = disable_raw_mode();
        self.enter()?;
        self.forget()
    }

    fn commit(&mut self) -> io::Result<()> {
        let mut frame = self.frame.0.borrow_mut();
        let written = self.tty.write_all(&frame);
        frame.clear();
        written
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        restore();
    }
}

/// The sequence that sets the clipboard of the terminal (OSC 52).
fn to_clipboard(text: &str, multiplexer: Multiplexer) -> String {
    let mut plain = String::new();
    // Writing to a string cannot fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain);
    match multiplexer {
        Multiplexer::None => plain,
        // Depending on its settings tmux takes the plain sequence or passes on a wrapped one.
        Multiplexer::Tmux => {
            let doubled = plain.replace('\x1b', "\x1b\x1b");
            format!("{plain}\x1bPtmux;{doubled}\x1b\\")
        }
        // It passes on short strings only, and joins them again by itself.
        Multiplexer::Screen => {
            let bell = format!("{}\x07", plain.trim_end_matches("\x1b\\"));
            let (mut wrapped, mut rest) = (String::new(), bell.as_str());
            while !rest.is_empty() {
                let (piece, next) = rest.split_at(rest.len().min(SCREEN_PIECE));
                wrapped.extend(["\x1bP", piece, "\x1b\\"]);
                rest = next;
            }
            wrapped
        }
    }
}

/// The size of the terminal.
pub fn measure() -> io::Result<Rect> {
    let (columns, rows) = size()?;
    Ok(Rect::new(0, 0, columns, rows))
}

/// Undoes every mode. Does nothing the second time.
pub fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut sequence = Vec::new();
    // Errors mean that the terminal is gone.
    let _ = queue!(sequence, EndSynchronizedUpdate);
    sequence.extend_from_slice(MOUSE_OFF.as_bytes());
    let _ = queue!(sequence, DisableBracketedPaste, LeaveAlternateScreen);
    sequence.extend_from_slice(SHOW_CURSOR.as_bytes());
    if let Ok(mut tty) = tty() {
        let _ = tty.write_all(&sequence);
    }
    let _ = disable_raw_mode();
}

/// Restores the terminal before a panic is printed. A panic of a worker leaves the terminal alone: the
/// picker goes on without that worker.
fn restore_on_panic() {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if HOOKED.swap(true, Ordering::SeqCst) {
        return;
    }
    let drawing = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == drawing {
            restore();
        }
        if !ENTERED.load(Ordering::SeqCst) {
            before(info);
        }
    }));
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
