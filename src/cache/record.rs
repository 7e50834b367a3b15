//! A summary as bytes: numbers in little endian, texts after their length, one field after the
//! other.
//!
//! Reading never panics. Bytes that make no sense are no summary.

use uuid::Uuid;

use crate::store::{
    FileVersion, ForkOrigin, Hidden, Kind, LastState, Millis, PrLink, ScanDepth, SessionMeta,
    SidecarVersions, Summary,
};

const KINDS: [Kind; 5] = [
    Kind::Interactive,
    Kind::Background,
    Kind::Programmatic,
    Kind::SubAgent,
    Kind::TeamWorker,
];
const STATES: [LastState; 3] = [LastState::Answered, LastState::Asked, LastState::AtWork];

/// What comes before the summary in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHead<'a> {
    /// The depth of the scan that opens the file.
    pub depth: ScanDepth,
    /// The last activity of a session that is listed; `None` if it is hidden.
    pub listed: Option<Millis>,
    pub id: &'a [u8],
    /// The name of the project folder, which may not be text.
    pub folder: &'a [u8],
}

/// Appends fields to bytes.
#[derive(Debug, Default)]
pub struct FieldWriter {
    pub bytes: Vec<u8>,
}

impl FieldWriter {
    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub fn short(&mut self, number: u32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub fn text(&mut self, text: &[u8]) {
        // No text of a listing has a length that needs more.
        self.short(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.bytes.extend_from_slice(text);
    }

    pub fn head(&mut self, head: RecordHead<'_>) {
        self.byte(u8::from(head.depth == ScanDepth::Everything));
        self.option(head.listed, Self::signed);
        self.text(head.id);
        self.text(head.folder);
    }

    fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub fn signed(&mut self, number: i64) {
        self.number(number.cast_unsigned());
    }

    fn version(&mut self, version: FileVersion) {
        self.number(version.size);
        self.signed(version.nanos);
        self.number(version.inode);
    }

    /// The position of a value among all, from 1; 0 for none.
    fn choice<T: PartialEq>(&mut self, all: &[T], value: Option<T>) {
        let at = value.and_then(|value| all.iter().position(|one| *one == value));
        self.byte(at.map_or(0, |at| u8::try_from(at + 1).unwrap_or_default()));
    }

    pub fn summary(
        &mut self,
        file: FileVersion,
        sidecars: Option<SidecarVersions>,
        meta: &SessionMeta,
        hidden: Option<Hidden>,
    ) {
        self.version(file);
        self.option(sidecars, |out, sidecars| {
            out.signed(sidecars.folder);
            out.option(sidecars.title, Self::version);
            out.option(sidecars.archived, Self::version);
        });
        self.choice(&Hidden::ALL, hidden);
        // A new field is a mistake here until it is written.
        let SessionMeta {
            custom_title,
            ai_title,
            recorded_prompt,
            summary,
            first_prompt,
            later_prompt,
            tag,
            git_branch,
            cwd,
            last_cwd,
            created,
            last_message,
            pr,
            continued_in,
            kind,
            origin,
            model,
            left,
            torn_end,
        } = meta;
        let texts = [
            custom_title,
            ai_title,
            recorded_prompt,
            summary,
            first_prompt,
            later_prompt,
            tag,
            git_branch,
            cwd,
            last_cwd,
            continued_in,
            model,
            &origin.forked_from,
        ];
        for text in texts {
            self.optional_text(text.as_deref());
        }
        self.option(origin.first_message, |out, id| {
            out.bytes.extend_from_slice(id.as_bytes());
        });
        self.option(*created, Self::signed);
        self.option(*last_message, Self::signed);
        self.option(pr.as_deref(), |out, pr| {
            out.number(pr.number);
            out.optional_text(pr.url.as_deref());
            out.optional_text(pr.repository.as_deref());
        });
        self.choice(&KINDS, *kind);
        self.choice(&STATES, *left);
        self.byte(u8::from(*torn_end));
    }

    fn optional_text(&mut self, text: Option<&str>) {
        self.option(text, |out, text| out.text(text.as_bytes()));
    }
}

/// The bytes end too soon or make no sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

type Field<T> = Result<T, Damaged>;

/// Takes fields from the front of bytes.
#[derive(Debug, Clone, Copy)]
pub struct FieldReader<'a> {
    pub bytes: &'a [u8],
}

impl<'a> FieldReader<'a> {
    fn array<const N: usize>(&mut self) -> Field<[u8; N]> {
        let (front, rest) = self.bytes.split_first_chunk().ok_or(Damaged)?;
        self.bytes = rest;
        Ok(*front)
    }

    fn byte(&mut self) -> Field<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn short(&mut self) -> Field<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn text(&mut self) -> Field<&'a [u8]> {
        let length = usize::try_from(self.short()?).map_err(|_| Damaged)?;
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(Damaged)?;
        self.bytes = rest;
        Ok(text)
    }

    pub fn head(&mut self) -> Field<RecordHead<'a>> {
        let depth = match self.byte()? {
            0 => ScanDepth::Candidates,
            1 => ScanDepth::Everything,
            _ => return Err(Damaged),
        };
        Ok(RecordHead {
            depth,
            listed: self.option(Self::signed)?,
            id: self.text()?,
            folder: self.text()?,
        })
    }

    fn number(&mut self) -> Field<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn signed(&mut self) -> Field<i64> {
        self.array().map(i64::from_le_bytes)
    }

    fn version(&mut self) -> Field<FileVersion> {
        Ok(FileVersion {
            size: self.number()?,
            nanos: self.signed()?,
            inode: self.number()?,
        })
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Field<T>) -> Field<Option<T>> {
        match self.byte()? {
            0 => Ok(None),
            1 => read(self).map(Some),
            _ => Err(Damaged),
        }
    }

    fn choice<T: Copy>(&mut self, all: &[T]) -> Field<Option<T>> {
        match self.byte()?.checked_sub(1) {
            None => Ok(None),
            Some(at) => all.get(usize::from(at)).copied().map(Some).ok_or(Damaged),
        }
    }

    fn optional_text(&mut self) -> Field<Option<Box<str>>> {
        self.option(|from| {
            let text = std::str::from_utf8(from.text()?);
            text.map(Box::from).map_err(|_| Damaged)
        })
    }

    pub fn summary(&mut self) -> Field<Summary> {
        let file = self.version()?;
        let sidecars = self.option(|from| {
            Ok(SidecarVersions {
                folder: from.signed()?,
                title: from.option(Self::version)?,
                archived: from.option(Self::version)?,
            })
        })?;
        let hidden = self.choice(&Hidden::ALL)?;
        // In the order in which they were written.
        let meta = SessionMeta {
            custom_title: self.optional_text()?,
            ai_title: self.optional_text()?,
            recorded_prompt: self.optional_text()?,
            summary: self.optional_text()?,
            first_prompt: self.optional_text()?,
            later_prompt: self.optional_text()?,
            tag: self.optional_text()?,
            git_branch: self.optional_text()?,
            cwd: self.optional_text()?,
            last_cwd: self.optional_text()?,
            continued_in: self.optional_text()?,
            model: self.optional_text()?,
            origin: ForkOrigin {
                forked_from: self.optional_text()?,
                first_message: self.option(|from| from.array().map(Uuid::from_bytes))?,
            },
            created: self.option(Self::signed)?,
            last_message: self.option(Self::signed)?,
            pr: self.option(Self::pr)?,
            kind: self.choice(&KINDS)?,
            left: self.choice(&STATES)?,
            torn_end: self.byte()? == 1,
        };
        Ok(Summary {
            file,
            sidecars,
            meta,
            hidden,
        })
    }

    fn pr(&mut self) -> Field<Box<PrLink>> {
        Ok(Box::new(PrLink {
            number: self.number()?,
            url: self.optional_text()?,
            repository: self.optional_text()?,
        }))
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
