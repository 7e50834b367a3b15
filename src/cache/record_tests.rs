use uuid::Uuid;

use super::{FieldReader, FieldWriter, KINDS, STATES};
use crate::store::{
    FileVersion, ForkOrigin, Hidden, PrLink, SessionMeta, SidecarVersions, Summary,
};

#[allow(clippy::unnecessary_wraps, reason = "as the fields are")]
fn text(text: &str) -> Option<Box<str>> {
    Some(text.into())
}

/// A summary in which every field has a value of its own.
fn full() -> Summary {
    let version = |n| FileVersion {
        size: n,
        nanos: -i64::MAX,
        inode: u64::MAX - n,
    };
    Summary {
        file: version(1),
        sidecars: Some(SidecarVersions {
            folder: 2,
            title: Some(version(3)),
            archived: None,
        }),
        meta: SessionMeta {
            custom_title: text("custom"),
            ai_title: text("ai"),
            recorded_prompt: text("recorded"),
            summary: text("summary"),
            first_prompt: text("erste Größe 你好"),
            later_prompt: text("later"),
            tag: text(""),
            git_branch: text("main"),
            cwd: text("/home/ada"),
            last_cwd: text("/home/ada/code"),
            created: Some(-4),
            last_message: Some(5),
            pr: Some(Box::new(PrLink {
                number: 6,
                url: text("https://x"),
                repository: None,
            })),
            continued_in: text("other"),
            kind: Some(KINDS[3]),
            origin: ForkOrigin {
                first_message: Some(Uuid::from_u128(7)),
                forked_from: text("source"),
            },
            model: text("opus"),
            left: Some(STATES[2]),
            torn_end: true,
        },
        hidden: Some(Hidden::Superseded),
    }
}

fn written(it: &Summary) -> Vec<u8> {
    let mut out = FieldWriter::default();
    out.summary(it.file, it.sidecars, &it.meta, it.hidden);
    out.bytes
}

fn read(bytes: &[u8]) -> Option<Summary> {
    FieldReader { bytes }.summary().ok()
}

#[test]
fn what_is_written_is_read() {
    let full = full();
    assert_eq!(read(&written(&full)), Some(full.clone()));
    for hidden in Hidden::ALL.map(Some).into_iter().chain([None]) {
        let it = Summary {
            sidecars: None,
            meta: SessionMeta::default(),
            hidden,
            ..full.clone()
        };
        assert_eq!(read(&written(&it)), Some(it));
    }
    for kind in KINDS {
        let mut it = full.clone();
        it.meta.kind = Some(kind);
        assert_eq!(read(&written(&it)), Some(it));
    }
    for left in STATES {
        let mut it = full.clone();
        it.meta.left = Some(left);
        assert_eq!(read(&written(&it)), Some(it));
    }
}

#[test]
fn bytes_that_end_too_soon_or_make_no_sense_are_no_summary() {
    let whole = written(&full());
    for length in 0..whole.len() {
        assert_eq!(read(&whole[..length]), None, "cut at {length}");
    }
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        // It may read as something else, but it reads.
        assert_ne!(read(&damaged).as_ref(), Some(&full()), "bit {bit}");
    }
}
