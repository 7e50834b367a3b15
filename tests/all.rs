//! Every test that needs files, the binary or a terminal, in one program.

// Helpers of tests may fail loudly, and say why they skip.
#![allow(clippy::expect_used, clippy::print_stderr)]

#[path = "suite/architecture.rs"]
mod architecture;
#[path = "suite/around.rs"]
mod around;
#[cfg(unix)]
#[path = "suite/cache_command.rs"]
mod cache_command;
#[cfg(unix)]
#[path = "suite/clipboards.rs"]
mod clipboards;
#[cfg(unix)]
#[path = "suite/completion.rs"]
mod completion;
#[path = "suite/conformance.rs"]
mod conformance;
#[cfg(unix)]
#[path = "suite/content_faults.rs"]
mod content_faults;
#[path = "suite/copying.rs"]
mod copying;
#[cfg(unix)]
#[path = "suite/counter.rs"]
mod counter;
#[cfg(unix)]
#[path = "suite/descriptors.rs"]
mod descriptors;
#[cfg(unix)]
#[path = "suite/desk.rs"]
mod desk;
#[cfg(target_os = "linux")]
#[path = "suite/desktops.rs"]
mod desktops;
#[path = "suite/finding.rs"]
mod finding;
#[path = "suite/fixtures.rs"]
mod fixtures;
#[path = "suite/frames.rs"]
mod frames;
#[path = "suite/history_command.rs"]
mod history_command;
#[path = "suite/history_depths.rs"]
mod history_depths;
#[path = "suite/history_mode.rs"]
mod history_mode;
#[cfg(unix)]
#[path = "suite/history_pty.rs"]
mod history_pty;
#[path = "suite/history_replaced.rs"]
mod history_replaced;
#[path = "suite/history_staying.rs"]
mod history_staying;
#[path = "suite/history_words.rs"]
mod history_words;
#[path = "suite/history_writing.rs"]
mod history_writing;
#[path = "suite/hostile.rs"]
mod hostile;
#[path = "suite/landing.rs"]
mod landing;
#[path = "suite/list_command.rs"]
mod list_command;
#[path = "suite/marks.rs"]
mod marks;
#[cfg(unix)]
#[path = "suite/messages.rs"]
mod messages;
#[cfg(target_os = "linux")]
#[path = "suite/mutations.rs"]
mod mutations;
#[cfg(unix)]
#[path = "suite/naming.rs"]
mod naming;
#[path = "suite/nothing_found.rs"]
mod nothing_found;
#[path = "suite/oracle.rs"]
mod oracle;
#[cfg(unix)]
#[path = "suite/outside.rs"]
mod outside;
#[path = "suite/passages.rs"]
mod passages;
#[path = "suite/picker.rs"]
mod picker;
#[cfg(unix)]
#[path = "suite/picker_picture.rs"]
mod picker_picture;
#[path = "suite/picture.rs"]
mod picture;
#[cfg(target_os = "linux")]
#[path = "suite/pipes.rs"]
mod pipes;
#[path = "suite/preflight.rs"]
mod preflight;
#[path = "suite/promises.rs"]
mod promises;
#[cfg(unix)]
#[path = "suite/pty.rs"]
mod pty;
#[path = "suite/reached.rs"]
mod reached;
#[path = "suite/reading.rs"]
mod reading;
#[path = "suite/rendering.rs"]
mod rendering;
#[cfg(unix)]
#[path = "suite/repositories.rs"]
mod repositories;
#[cfg(unix)]
#[path = "suite/resume_command.rs"]
mod resume_command;
#[cfg(unix)]
#[path = "suite/resume_git.rs"]
mod resume_git;
#[cfg(unix)]
#[path = "suite/resume_gone.rs"]
mod resume_gone;
#[cfg(unix)]
#[path = "suite/resume_place.rs"]
mod resume_place;
#[cfg(unix)]
#[path = "suite/resume_pty.rs"]
mod resume_pty;

#[path = "suite/resume_truth.rs"]
mod resume_truth;

#[path = "suite/room.rs"]
mod room;
#[path = "suite/scan.rs"]
mod scan;
#[path = "suite/scopes.rs"]
mod scopes;
#[path = "suite/screens.rs"]
mod screens;
#[path = "suite/search_command.rs"]
mod search_command;
#[path = "suite/search_oracle.rs"]
mod search_oracle;
#[cfg(unix)]
#[path = "suite/search_print.rs"]
mod search_print;
#[path = "suite/sent.rs"]
mod sent;
#[cfg(unix)]
#[path = "suite/shells.rs"]
mod shells;
#[path = "suite/shifts.rs"]
mod shifts;
#[path = "suite/show_command.rs"]
mod show_command;
#[path = "suite/sliding.rs"]
mod sliding;
#[path = "suite/subject.rs"]
mod subject;
#[path = "suite/support.rs"]
mod support;
#[path = "suite/terminal.rs"]
mod terminal;
#[cfg(unix)]
#[path = "suite/titles.rs"]
mod titles;
#[cfg(unix)]
#[path = "suite/tmux.rs"]
mod tmux;
#[path = "suite/transcripts.rs"]
mod transcripts;
#[path = "suite/unchecked.rs"]
mod unchecked;
#[path = "suite/voices.rs"]
mod voices;
#[path = "suite/windows.rs"]
mod windows;
#[path = "suite/world.rs"]
mod world;
