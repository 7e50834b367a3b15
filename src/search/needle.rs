//! One thing to look for: a folded word or phrase, with its capitals where it has some.

use memchr::memmem::Finder;

use super::bits::Bits;
use super::fold::Folded;

/// A folded word or phrase, ready to be looked for in many texts. With a capital in it, it
/// matches only where the same letters are capitals; without one, anywhere.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    upper: Option<Bits>,
    finder: Finder<'static>,
}

/// What it looks for is all there is to it.
impl PartialEq for Needle {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.upper) == (&other.text, &other.upper)
    }
}

impl Eq for Needle {}

/// A stretch of folded text together with its capitals.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    pub bytes: &'a [u8],
    pub upper: &'a Bits,
    /// The position in `upper` that belongs to the first byte.
    pub at: usize,
}

impl Needle {
    /// Nothing, if nothing is left of the text after folding.
    pub fn new(text: &str) -> Option<Self> {
        let Folded { text, upper } = Folded::new(text.trim());
        let upper = (upper.count() > 0).then_some(upper);
        let finder = Finder::new(text.as_bytes()).into_owned();
        (!text.is_empty()).then_some(Self {
            text,
            upper,
            finder,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn upper(&self) -> Option<&Bits> {
        self.upper.as_ref()
    }

    /// Where its letters stand first, whatever is a capital.
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        self.finder.find(text)
    }

    /// Given that its letters stand at `at`: are the capitals right?
    pub fn fits(&self, upper: &Bits, at: usize) -> bool {
        self.upper
            .as_ref()
            .is_none_or(|wanted| upper.agrees(at, wanted, 0, self.text.len()))
    }

    pub fn begins(&self, stretch: Stretch<'_>) -> bool {
        stretch.bytes.starts_with(self.text.as_bytes()) && self.fits(stretch.upper, stretch.at)
    }

    pub fn is_in(&self, stretch: Stretch<'_>) -> bool {
        self.places(stretch).next().is_some()
    }

    /// Where it stands in a stretch, overlaps left out.
    pub fn places<'a>(&'a self, stretch: Stretch<'a>) -> impl Iterator<Item = usize> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let at = from + self.find(stretch.bytes.get(from..)?)?;
                if self.fits(stretch.upper, stretch.at + at) {
                    from = at + self.text.len();
                    return Some(at);
                }
                from = at + 1;
            }
        })
    }

    /// Is every text that begins with this one also a text that begins with `other`?
    pub fn extends(&self, other: &Self) -> bool {
        self.text.starts_with(&other.text)
            && match (&self.upper, &other.upper) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(mine), Some(theirs)) => mine.agrees(0, theirs, 0, other.text.len()),
            }
    }
}
