use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Body, CacheDir, FieldReader, MOST_RECORDS, NAME, Summaries, Table};
use crate::store::{FileInfo, FileState, Known, Project, ScanDepth, Session, SessionMeta};

const ROOT: &str = "/home/ada/.claude";

pub fn session(project: &str, id: &str, title: &str) -> Session {
    let root: Arc<Path> = Path::new(ROOT).into();
    Session {
        file: FileInfo {
            id: id.into(),
            project: Arc::new(Project {
                dir: root.join("projects").join(project),
                root,
                name: project.to_owned(),
            }),
            size: 1,
            modified: 2,
            state: FileState::File,
            has_folder: false,
            nanos: 2_000_000,
            inode: 3,
        },
        meta: SessionMeta {
            custom_title: Some(title.into()),
            ..SessionMeta::default()
        },
        hidden: None,
    }
}

fn summaries(base: &Path) -> Summaries {
    // A root that is named twice is one root.
    Summaries::new(base, &[PathBuf::from(ROOT), PathBuf::from(ROOT)])
}

fn title(summaries: &Summaries, session: &Session) -> Option<String> {
    let summary = summaries.recall(&session.file)?;
    summary.meta.custom_title.map(String::from)
}

fn sessions() -> Vec<Session> {
    vec![
        session("-a", "one", "One"),
        session("-b", "one", "The copy of one"),
        session("-a", "two", "Two"),
    ]
}

/// Learns sessions as a scan would, and saves them.
fn saved(base: &Path, sessions: &[Session]) {
    let known = summaries(base);
    for session in sessions {
        known.recall(&session.file);
        known.learn(session, None, ScanDepth::Candidates);
    }
    known.save(ScanDepth::Candidates).unwrap();
}

fn count(base: &Path) -> usize {
    let dirs = CacheDir::all(base).unwrap();
    Summaries::count(&dirs[0]).unwrap()
}

#[test]
fn what_one_scan_learned_the_next_one_knows() {
    let base = tempfile::tempdir().unwrap();
    saved(base.path(), &sessions());
    assert_eq!(count(base.path()), 3);
    let known = summaries(base.path());
    for session in sessions() {
        assert_eq!(
            title(&known, &session).as_deref(),
            session.meta.custom_title.as_deref()
        );
        assert!(known.recall(&session.file).unwrap().is_of(&session.file));
    }
    assert_eq!(title(&known, &session("-b", "two", "")), None);
    let mut elsewhere = session("-a", "one", "");
    elsewhere.file.project = Arc::new(Project {
        root: Path::new("/backup").into(),
        dir: "/backup/projects/-a".into(),
        name: "-a".to_owned(),
    });
    assert_eq!(title(&known, &elsewhere), None);
}

#[test]
fn a_file_is_replaced_by_its_next_version_and_dropped_when_it_is_gone() {
    let base = tempfile::tempdir().unwrap();
    saved(base.path(), &sessions());
    let known = summaries(base.path());
    let changed = session("-a", "one", "One again");
    known.recall(&changed.file);
    known.learn(&changed, None, ScanDepth::Candidates);
    known.recall(&session("-a", "two", "").file);
    known.save(ScanDepth::Candidates).unwrap();
    assert_eq!(count(base.path()), 2, "the copy was not seen");
    let known = summaries(base.path());
    assert_eq!(title(&known, &changed).as_deref(), Some("One again"));
    assert_eq!(title(&known, &session("-b", "one", "")), None);
    assert_eq!(
        title(&known, &session("-a", "two", "")).as_deref(),
        Some("Two")
    );
}

#[test]
fn what_only_a_deep_scan_opens_outlives_the_others() {
    let base = tempfile::tempdir().unwrap();
    let agent = session("-a", "agent-1", "Agent");
    let known = summaries(base.path());
    known.learn(&agent, None, ScanDepth::Everything);
    known.save(ScanDepth::Everything).unwrap();
    saved(base.path(), &sessions());
    assert_eq!(
        title(&summaries(base.path()), &agent).as_deref(),
        Some("Agent")
    );
    let known = summaries(base.path());
    known.learn(&session("-a", "one", ""), None, ScanDepth::Candidates);
    known.save(ScanDepth::Everything).unwrap();
    assert_eq!(title(&summaries(base.path()), &agent), None);
}

#[test]
fn nothing_new_is_not_written() {
    let base = tempfile::tempdir().unwrap();
    saved(base.path(), &sessions());
    let path = CacheDir::all(base.path()).unwrap()[0].path().join(NAME);
    fs::remove_file(&path).unwrap();
    saved(base.path(), &sessions());
    let known = summaries(base.path());
    for session in sessions() {
        known.recall(&session.file);
    }
    fs::remove_file(&path).unwrap();
    known.save(ScanDepth::Candidates).unwrap();
    assert!(!path.exists());
}

#[test]
fn two_scans_at_once_leave_what_one_of_them_learned() {
    let base = tempfile::tempdir().unwrap();
    let [one, other] = [summaries(base.path()), summaries(base.path())];
    let all = sessions();
    one.learn(&all[0], None, ScanDepth::Candidates);
    other.learn(&all[2], None, ScanDepth::Candidates);
    one.save(ScanDepth::Candidates).unwrap();
    other.save(ScanDepth::Candidates).unwrap();
    let known = summaries(base.path());
    assert_eq!(title(&known, &all[0]), None);
    assert_eq!(title(&known, &all[2]).as_deref(), Some("Two"));
}

#[test]
fn a_damaged_file_knows_nothing() {
    let base = tempfile::tempdir().unwrap();
    // Each try opens the folder again: a small one will do.
    let all = [session("-a", "one", "One")];
    saved(base.path(), &all);
    let path = CacheDir::all(base.path()).unwrap()[0].path().join(NAME);
    let whole = fs::read(&path).unwrap();
    let recalled = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let known = summaries(base.path());
        all.iter().filter_map(|it| known.recall(&it.file)).count()
    };
    assert_eq!(recalled(&whole), 1);
    for length in 0..whole.len() {
        assert_eq!(recalled(&whole[..length]), 0, "cut at {length}");
    }
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(recalled(&damaged), 0, "bit {bit}");
    }
}

/// Should a checksum ever be right by chance, the table is still read without a panic.
#[test]
fn a_table_of_any_bytes_can_be_asked() {
    let base = tempfile::tempdir().unwrap();
    let all = sessions();
    saved(base.path(), &all);
    let dir = &CacheDir::all(base.path()).unwrap()[0];
    let body = dir.read(NAME, super::version()).unwrap().unwrap();
    for bit in 0..8 * body.len() {
        let mut damaged = body.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let Some(table) = Table::parse(Body::Memory(damaged)) else {
            continue;
        };
        for session in &all {
            let _ = title_in(&table, session);
        }
        let _ = (0..=table.len()).filter_map(|at| table.entry(at)).count();
    }
}

/// What a table says of a session.
fn title_in(table: &Table, session: &Session) -> Option<String> {
    let (_, record) = table.find(&session.file)?;
    let mut record = FieldReader { bytes: &record };
    record.head().ok()?;
    Some(record.summary().ok()?.meta.custom_title?.into())
}

/// Nothing of it is in memory but the index, and what is damaged is not there.
#[test]
fn a_large_file_is_read_record_by_record() {
    let base = tempfile::tempdir().unwrap();
    let mut all = sessions();
    // More than is read at once.
    all.push(session("-c", "long", &"long ".repeat(MOST_RECORDS)));
    saved(base.path(), &all);
    let dir = &CacheDir::all(base.path()).unwrap()[0];
    let table = |file| Table::parse(Table::body(file, 0).unwrap()?);
    let whole = table(dir.file(NAME).unwrap()).expect("there");
    assert!(matches!(whole.body, Body::File(_)));
    let titles = |table: &Table| -> Vec<Option<String>> {
        all.iter().map(|session| title_in(table, session)).collect()
    };
    let expected: Vec<Option<String>> = all
        .iter()
        .map(|session| session.meta.custom_title.as_deref().map(str::to_owned))
        .collect();
    assert_eq!(titles(&whole), expected);
    let bytes = std::io::Read::bytes(dir.file(NAME).unwrap());
    let bytes: Vec<u8> = bytes.map(|byte| byte.unwrap()).collect();
    let path = base.path().join("damaged");
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).unwrap();
        let Some(table) = table(fs::File::open(&path).unwrap()) else {
            continue;
        };
        for (title, expected) in titles(&table).iter().zip(&expected) {
            assert!(title.is_none() || title == expected, "byte {at}: {title:?}");
        }
    }
}

#[test]
fn without_a_folder_the_reason_is_told_and_nothing_is_known() {
    let base = tempfile::tempdir().unwrap();
    let file = base.path().join("file");
    fs::write(&file, "").unwrap();
    let known = summaries(&file);
    known.prepare();
    for session in sessions() {
        assert_eq!(known.recall(&session.file), None);
        known.learn(&session, None, ScanDepth::Candidates);
    }
    assert!(known.save(ScanDepth::Candidates).is_err());
}
