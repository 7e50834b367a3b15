use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::content::segment::SegmentFile;
use crate::content::store::TextStore;
use crate::content::testing::add;
use crate::transcript::Voice;

fn store(base: &Path) -> TextStore {
    TextStore::open(Some(base), Path::new("/somewhere/.claude")).expect("opened")
}

fn saved(base: &Path) -> Library {
    let mut library = Library::default();
    for key in 1..=3 {
        let said = [
            (Voice::User, None, "a question"),
            (Voice::ToolInput, Some("Bash"), "ls"),
        ];
        add(&mut library, FileKey(key), &said);
        if let Some(record) = library.files.get_mut(&FileKey(key)) {
            let call = ("toolu_1".to_owned(), "Bash".to_owned());
            let mut extent = record.extent();
            extent.checkpoint.open_calls.push(call);
            extent.prefix = Prefix {
                pieces: vec![12345, 0],
                rest: 54321,
            };
            record.set_extent(extent);
            record.lacks_tools = key == 2;
        }
    }
    store(base).save(&mut library).expect("saved");
    library
}

/// The files of the only folder in the cache whose names begin so.
fn files(base: &Path, prefix: &str) -> Vec<std::path::PathBuf> {
    let folder = fs::read_dir(base)
        .expect("listed")
        .next()
        .expect("one")
        .expect("read");
    let files = fs::read_dir(folder.path()).expect("listed");
    let files = files.map(|file| file.expect("read").path());
    let is_named = |path: &std::path::PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    files.filter(is_named).collect()
}

#[test]
fn a_library_is_loaded_as_it_was_saved() {
    let base = tempfile::tempdir().expect("a folder");
    let library = saved(base.path());
    let loaded = store(base.path()).load().expect("loaded");
    assert_eq!(loaded.files, library.files);
    assert_eq!(loaded.names(), library.names());
    assert!(!loaded.has_changed);
}

#[test]
fn a_manifest_cut_at_any_byte_or_with_any_bit_flipped_is_not_there() {
    let base = tempfile::tempdir().expect("a folder");
    let library = saved(base.path());
    let manifest = files(base.path(), "text").into_iter();
    let manifest = manifest
        .min_by_key(|path| path.as_os_str().len())
        .expect("there");
    let bytes = fs::read(&manifest).expect("read");
    for cut in 0..bytes.len() {
        fs::write(&manifest, &bytes[..cut]).expect("cut");
        assert!(
            store(base.path()).load().expect("loaded").files.is_empty(),
            "cut at {cut}"
        );
    }
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&manifest, &bytes).expect("written");
        let loaded = store(base.path()).load().expect("loaded").files;
        assert!(loaded.is_empty() || loaded == library.files, "bit {bit}");
    }
    let nothing = Arc::new(tempfile::tempfile().expect("a file"));
    // Even past the checksum, nothing that makes no sense is taken for a library.
    for cut in 0..bytes.len() - crate::cache::HEADER {
        let body = &bytes[crate::cache::HEADER..][..cut];
        let file = || SegmentFile::Unnamed(Arc::clone(&nothing));
        let segment = |_: &str| SealedSegment::unopened(file());
        assert!(decode(body, segment).is_none(), "cut at {cut}");
    }
}

#[test]
fn a_segment_that_is_gone_or_cut_takes_its_files_along() {
    for cut in [None, Some(0), Some(100)] {
        let base = tempfile::tempdir().expect("a folder");
        saved(base.path());
        let segment = files(base.path(), "text-").pop().expect("there");
        match cut {
            None => fs::remove_file(&segment).expect("removed"),
            Some(length) => {
                let bytes = fs::read(&segment).expect("read");
                fs::write(&segment, &bytes[..length]).expect("cut");
            }
        }
        let mut library = store(base.path()).load().expect("loaded");
        assert_eq!(library.files.len(), 3, "nothing was opened yet");
        for record in library.files.values() {
            for place in record.all_places() {
                // One of the two segments is whole.
                let _ = library.table(place);
            }
        }
        assert!(library.drop_damaged());
        assert!(library.files.is_empty());
    }
}

#[test]
fn few_segments_are_open_at_a_time() {
    let base = tempfile::tempdir().expect("a folder");
    let mut library = Library::default();
    let cache = store(base.path());
    for key in 0..12 {
        add(&mut library, FileKey(key), &[(Voice::User, None, "said")]);
        library.seal(&cache, true).expect("sealed");
    }
    cache.save(&mut library).expect("saved");
    let cache = store(base.path());
    let library = cache.load().expect("loaded");
    for _ in 0..2 {
        for record in library.files.values() {
            let [place] = &*record.places[0] else {
                panic!("one place");
            };
            let text = library.text(place.segment(), place.chunk.text());
            assert_eq!(text.expect("read"), b"said\x1f");
        }
    }
    let TextStore::Cache(files) = &cache else {
        panic!("a cache");
    };
    assert_eq!(files.count_open(), 8);
}

#[test]
fn a_second_save_writes_only_what_is_new() {
    let base = tempfile::tempdir().expect("a folder");
    let mut library = saved(base.path());
    let before = files(base.path(), "text-");
    store(base.path()).save(&mut library).expect("saved");
    assert_eq!(files(base.path(), "text-").len(), before.len());
    add(&mut library, FileKey(9), &[(Voice::User, None, "new")]);
    store(base.path()).save(&mut library).expect("saved");
    let after = files(base.path(), "text-");
    assert_eq!(after.len(), before.len() + 1);
    assert!(before.iter().all(|file| after.contains(file)));
    assert_eq!(
        store(base.path()).load().expect("loaded").files,
        library.files
    );
}
