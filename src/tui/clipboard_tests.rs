use super::{Clip, Copied, How, TERMINAL_LIMIT, TerminalCopy};
use crate::tui::Notice;

fn said(clip: &Clip, how: How) -> Notice {
    let clip = clip.clone();
    Copied { clip, how }.notice()
}

fn done(text: &str) -> Notice {
    Notice::Done(text.to_owned())
}

fn trouble(text: &str) -> Notice {
    Notice::Trouble(text.to_owned())
}

/// A program took it.
fn by(program: &str) -> How {
    How {
        program: Some(program.to_owned()),
        ..How::default()
    }
}

fn sent(terminal: TerminalCopy) -> How {
    How {
        terminal,
        ..How::default()
    }
}

#[test]
fn the_words_claim_what_is_known() {
    let clip = Clip::new("the id", "8c1f");
    for terminal in [TerminalCopy::Nothing, TerminalCopy::Sent] {
        let how = How {
            terminal,
            is_in_tmux: terminal == TerminalCopy::Nothing,
            ..by("xclip")
        };
        assert_eq!(said(&clip, how), done("copied the id (xclip): 8c1f"));
    }
    assert_eq!(
        said(&clip, sent(TerminalCopy::Sent)),
        done("sent the id to the terminal (not there? Copy again to see it): 8c1f")
    );
    let how = sent(TerminalCopy::SentAsConfigured);
    let copied = Copied {
        clip: clip.clone(),
        how: how.clone(),
    };
    assert_eq!(
        said(&clip, how),
        done(
            "sent the id through tmux, which rarely passes it on (not there? Copy again to see it): 8c1f"
        )
    );
    assert_eq!((copied.is_lost(), copied.is_proven()), (false, false));
    assert_eq!(copied.place(), "Sent through tmux");
    assert!(copied.reasons()[0].contains("rarely passes it on"));
    let tmux = |terminal| How {
        is_in_tmux: true,
        ..sent(terminal)
    };
    assert_eq!(
        said(&clip, tmux(TerminalCopy::Sent)),
        done("sent the id to tmux's buffer (prefix ] pastes) and to the terminal: 8c1f")
    );
    assert_eq!(
        said(&clip, tmux(TerminalCopy::Nothing)),
        done("sent the id to tmux's buffer (prefix ] pastes): 8c1f")
    );
}

#[test]
fn a_text_that_reached_nothing_is_not_copied() {
    let clip = Clip::new("the ids", "8c1f\n2d3e");
    let how = How {
        failed: vec!["xclip: ended with code 1".to_owned()],
        ..sent(TerminalCopy::SentBlindly)
    };
    let copied = Copied {
        clip: clip.clone(),
        how: how.clone(),
    };
    assert!(copied.is_lost());
    assert_eq!(
        said(&clip, how.clone()),
        trouble(
            "not copied: the ids (xclip: ended with code 1; it was sent through tmux, which rarely passes it on)"
        )
    );
    let by_hand = How {
        is_in_tmux: true,
        ..how
    };
    assert!(!Copied { clip, how: by_hand }.is_lost());
}

#[test]
fn a_text_that_is_too_long_for_the_terminal_says_so() {
    let fits = Clip::new("the message", &"x".repeat(TERMINAL_LIMIT));
    let long = Clip::new("the message", &"x\n".repeat(TERMINAL_LIMIT / 2 + 1));
    assert!(fits.fits_terminal() && !long.fits_terminal());
    assert_eq!(
        said(&long, sent(TerminalCopy::TooLong)),
        trouble("not copied: the message (72 KB is too long for the terminal)")
    );
    let tmux = How {
        is_in_tmux: true,
        ..sent(TerminalCopy::TooLong)
    };
    assert_eq!(
        said(&long, tmux),
        trouble(
            "sent the message to tmux's buffer (prefix ] pastes): 37,001 lines; 72 KB is too long for the terminal"
        )
    );
    let copied = How {
        terminal: TerminalCopy::TooLong,
        ..by("wl-copy")
    };
    assert_eq!(
        said(&long, copied),
        done("copied the message (wl-copy): 37,001 lines")
    );
}

#[test]
fn what_a_text_lacks_and_what_the_configured_command_did_is_said() {
    let clip = Clip::new("the prompt", "a\u{1b}[31m\u{3}b");
    assert_eq!((clip.text.as_str(), clip.lost), ("ab", 2));
    assert_eq!(
        said(&clip, by("pbcopy")),
        done("copied the prompt (pbcopy): ab, without 2 control characters")
    );
    let how = How {
        configured: Some("my-copy: no such program".to_owned()),
        failed: vec!["xclip: ended with code 1".to_owned()],
        ..by("xsel")
    };
    assert_eq!(
        said(&clip, how),
        trouble(
            "copied the prompt (xsel): ab, without 2 control characters; my-copy: no such program"
        )
    );
}
