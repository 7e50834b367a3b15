//! Addresses of remote sessions: recognized and checked, not fetched.

use super::plan::ResumeError;

/// A session that is not on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub address: String,
    pub host: String,
    /// The session of a page on claude.ai, which `--teleport` opens.
    pub teleport: Option<String>,
}

/// Whether a text looks like an address, valid or not.
pub fn is_address(text: &str) -> bool {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme)
    })
}

impl Remote {
    pub fn parse(text: &str) -> Result<Self, ResumeError> {
        let malformed = || {
            ResumeError(format!(
                "{text}: not a valid address: the host is missing, or a character is not allowed"
            ))
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(malformed)?;
        if !scheme.eq_ignore_ascii_case("https") {
            return Err(ResumeError(format!(
                "{text}: a remote session needs an https address"
            )));
        }
        let is_odd = |c: char| {
            !c.is_ascii_graphic()
                || matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
        };
        if rest.contains(is_odd) {
            return Err(malformed());
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        // A name and a password before the host hide where an address leads.
        if authority.contains('@') {
            return Err(malformed());
        }
        let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
        let is_label = |label: &str| {
            !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        if port.parse::<u16>().is_err() || !host.split('.').all(is_label) {
            return Err(malformed());
        }
        let host = host.to_ascii_lowercase();
        let is_claude = host == "claude.ai" || host.ends_with(".claude.ai");
        let teleport = session_in(path).filter(|_| is_claude);
        Ok(Self {
            address: text.to_owned(),
            host,
            teleport,
        })
    }

    /// The arguments for Claude Code.
    pub fn arguments(&self) -> [String; 2] {
        match &self.teleport {
            Some(id) => ["--teleport".to_owned(), id.clone()],
            None => ["--resume".to_owned(), self.address.clone()],
        }
    }
}

/// The session that a path such as `/code/session_01AbC` ends in.
fn session_in(path: &str) -> Option<String> {
    let path = path.split(['?', '#']).next()?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let is_word = last.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (last.starts_with("session_") && is_word).then(|| last.to_owned())
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
