//! Looks up the facts before a session is resumed, and completes typed directories.

use std::path::{Path, PathBuf};

use crate::paths::normalize;
use crate::resume::{Fresh, Presence, locate, presence};
use crate::search::Generation;
use crate::tui::request::{PathRequest, ProbeRequest};
use crate::tui::screens::{Beginning, PathReply, Probed};

/// Maximum number of completions.
const MOST_OFFERS: usize = 200;

pub fn probed(request: ProbeRequest) -> Probed {
    let sessions = request.sessions.into_iter();
    Probed {
        generation: request.generation,
        situations: sessions
            .map(|(title, found)| (title, (request.look)(&found, &request.launch, request.now)))
            .collect(),
        left: request.left,
    }
}

pub fn beginning(generation: Generation, mut fresh: Fresh) -> Beginning {
    Beginning {
        program: locate(&mut fresh.launch),
        generation,
        fresh,
    }
}

pub fn answer(request: PathRequest, home: Option<&Path>) -> PathReply {
    let typed = request.typed();
    let path = std::path::absolute(spelled_out(typed, home)).ok();
    let path = path.map(|path| normalize(&path));
    PathReply {
        offers: match &request {
            PathRequest::Complete(typed) => offers(typed, home),
            PathRequest::Enter(_) => Vec::new(),
        },
        directory: path.filter(|path| presence(path) == Presence::Directory),
        request,
    }
}

/// The completions of a typed directory, spelled the way it was typed.
fn offers(typed: &str, home: Option<&Path>) -> Vec<String> {
    if typed == "~" {
        return vec!["~/".to_owned()];
    }
    let (folder, beginning) = match typed.rsplit_once('/') {
        Some((folder, beginning)) => (format!("{folder}/"), beginning),
        None => (String::new(), typed),
    };
    let place = if folder.is_empty() {
        PathBuf::from(".")
    } else {
        spelled_out(&folder, home)
    };
    let entries = place.read_dir();
    let mut offers: Vec<String> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !beginning.starts_with('.');
            // A name with control characters cannot be typed.
            let is_safe = crate::text::sanitize(&name) == name;
            (name.starts_with(beginning) && !is_hidden && is_safe && entry.path().is_dir())
                .then(|| format!("{folder}{name}/"))
        })
        .take(MOST_OFFERS)
        .collect();
    offers.sort();
    offers
}

fn spelled_out(typed: &str, home: Option<&Path>) -> PathBuf {
    match (typed.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ if typed == "~" => home.map_or_else(|| PathBuf::from(typed), Path::to_owned),
        _ => PathBuf::from(typed),
    }
}

#[cfg(test)]
#[path = "preflight_tests.rs"]
mod tests;
