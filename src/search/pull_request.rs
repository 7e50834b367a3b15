//! The address of a pull request, which stands for its repository and number. What sessions know of
//! theirs is `owner/repository#number`.

/// The repository and the number in an address such as `https://github.com/acme/shop/pull/412`, also
/// with more after the number.
pub fn pull_request(address: &str) -> Option<(&str, &str)> {
    let rest = address.strip_prefix("https://");
    let rest = rest.or_else(|| address.strip_prefix("http://"))?;
    let (_, path) = rest.split_once('/')?;
    let (repository, rest) = path.split_once("/pull/")?;
    let (owner, name) = repository.split_once('/')?;
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
    let ends = after.is_empty() || after.starts_with(['/', '?', '#']);
    let is_whole = !owner.is_empty() && !name.is_empty() && !name.contains('/');
    (is_whole && ends && !number.is_empty()).then_some((repository, number))
}

/// Is the word the address of this pull request? Both are folded.
pub fn is_address_of(word: &str, pr: &[u8]) -> bool {
    pull_request(word).is_some_and(|(repository, number)| {
        let own = pr.strip_prefix(repository.as_bytes());
        own.and_then(|own| own.strip_prefix(b"#")) == Some(number.as_bytes())
    })
}

#[cfg(test)]
#[path = "pull_request_tests.rs"]
mod tests;
