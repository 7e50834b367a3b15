//! The terminal: opened, drawn on, and given back as it was.
//!
//! The screen is on the controlling terminal itself, so stdout stays clean for a choice that is
//! printed. Nothing is ever asked of the terminal: one that does not answer costs no time. A
//! frame is one write. Whatever happens, a panic included, `restore` undoes every mode, once.

mod unsteady;

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, size,
};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::app::App;
use super::layout::Switch;
use super::view;
use unsteady::Unsteady;

#[cfg(windows)]
const TERMINAL: &str = "CONOUT$";
#[cfg(not(windows))]
const TERMINAL: &str = "/dev/tty";

/// Presses, drags and the wheel, in the notation without a limit on columns. Not the movement of
/// a mouse with no button down: that would wake the picker for nothing.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
const SHOW_CURSOR: &str = "\x1b[?25h";

/// Are modes set that have to be undone?
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Collects a frame. Flushing is not its business: ratatui does it several times a frame.
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

/// Does a tmux stand between us and the terminal?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplexer {
    None,
    Tmux,
}

/// The full screen. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Collected>>,
    unsteady: Unsteady<Collected>,
    frame: Collected,
    tty: File,
    mouse: Switch,
}

/// The controlling terminal, for another program.
#[cfg(unix)]
pub fn tty() -> io::Result<File> {
    open()
}

/// Is there a terminal to draw on?
pub fn is_there() -> bool {
    open().is_ok()
}

fn open() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(TERMINAL)
}

impl Screen {
    pub fn open(mouse: Switch) -> io::Result<Self> {
        let tty = open()?;
        let area = measure()?;
        let frame = Collected::default();
        // A fixed area: the screen is measured when it changes, not with every frame.
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area),
        };
        let backend = CrosstermBackend::new(frame.clone());
        let mut screen = Self {
            terminal: Terminal::with_options(backend, options)?,
            unsteady: Unsteady::new(frame.clone()),
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

    /// Sets the modes, and what to do should anything panic.
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
        if app.screen != self.area() {
            self.terminal.resize(app.screen)?;
            self.unsteady.forget();
        }
        let unsteady = &mut self.unsteady;
        self.terminal.try_draw(|frame| {
            view::draw(app, frame);
            unsteady.write(frame.buffer_mut())
        })?;
        queue!(self.frame, EndSynchronizedUpdate)?;
        self.commit()
    }

    /// Forgets what the terminal shows: the next frame draws every cell.
    pub fn forget(&mut self) -> io::Result<()> {
        let area = self.area();
        self.unsteady.forget();
        // Unlike `clear`, this asks the terminal nothing.
        self.terminal.resize(area)
    }

    pub fn set_mouse(&mut self, mouse: Switch) -> io::Result<()> {
        self.mouse = mouse;
        let sequence = match mouse {
            Switch::On => MOUSE_ON,
            Switch::Off => MOUSE_OFF,
        };
        self.frame.write_all(sequence.as_bytes())?;
        self.commit()
    }

    /// Puts a text on the clipboard of the terminal, which may be on another machine.
    pub fn copy(&mut self, text: &str, multiplexer: Multiplexer) -> io::Result<()> {
        let mut sequence = Vec::new();
        queue!(sequence, CopyToClipboard::to_clipboard_from(text))?;
        self.frame.write_all(&sequence)?;
        if multiplexer == Multiplexer::Tmux {
            // Depending on its settings tmux takes the plain sequence or passes on a wrapped one.
            let doubled: Vec<u8> = sequence
                .iter()
                .flat_map(|byte| match byte {
                    0x1b => vec![0x1b, 0x1b],
                    other => vec![*other],
                })
                .collect();
            self.frame.write_all(b"\x1bPtmux;")?;
            self.frame.write_all(&doubled)?;
            self.frame.write_all(b"\x1b\\")?;
        }
        self.commit()
    }

    /// Gives the terminal back and stops until somebody brings us back. The terminal is to be
    /// taken again after this.
    #[cfg(unix)]
    pub fn suspend() -> io::Result<()> {
        restore();
        // The whole group, as the terminal itself would do it: we may be part of a pipeline.
        Ok(rustix::process::kill_current_process_group(
            rustix::process::Signal::TSTP,
        )?)
    }

    #[cfg(not(unix))]
    pub fn suspend() -> io::Result<()> {
        Ok(())
    }

    /// Gives the terminal to another program. It is to be taken again after this.
    pub fn give_away() {
        restore();
    }

    /// Takes the terminal again after somebody else had it.
    pub fn come_back(&mut self) -> io::Result<()> {
        // Whoever stopped us from outside may have changed the modes, and raw mode is set only
        // where it is believed to be off.
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

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// The size of the terminal.
pub fn measure() -> io::Result<Rect> {
    let (columns, rows) = size()?;
    Ok(Rect::new(0, 0, columns, rows))
}

/// Undoes every mode. Does nothing the second time.
fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut sequence = Vec::new();
    // Nobody is left to tell if the terminal is gone.
    let _ = queue!(sequence, EndSynchronizedUpdate);
    sequence.extend_from_slice(MOUSE_OFF.as_bytes());
    let _ = queue!(sequence, DisableBracketedPaste, LeaveAlternateScreen);
    sequence.extend_from_slice(SHOW_CURSOR.as_bytes());
    if let Ok(mut tty) = open() {
        let _ = tty.write_all(&sequence);
    }
    let _ = disable_raw_mode();
}

/// A panic is printed on a terminal that can show it. One on another thread than the one that
/// draws leaves the screen alone: the picker goes on without what that thread did.
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
