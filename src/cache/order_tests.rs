use std::fs;
use std::path::{Path, PathBuf};

use super::{SEEDS, seeds};
use crate::cache::summaries::NAME;
use crate::cache::summaries::tests::session;
use crate::cache::{CacheDir, Summaries};
use crate::store::{Hidden, Known, Millis, ScanDepth, Session};

const ROOT: &str = "/home/ada/.claude";

/// A session that was last active at this time.
fn at(project: &str, n: i64, time: Millis) -> Session {
    let mut session = session(project, &format!("{n}"), &format!("{project} {n}"));
    session.file.modified = time;
    session.file.nanos = time * 1_000_000;
    session
}

fn save(base: &Path, sessions: &[Session]) {
    let known = Summaries::new(base, &[PathBuf::from(ROOT)]);
    for session in sessions {
        known.learn(session, None, ScanDepth::Candidates);
    }
    known.save(ScanDepth::Candidates).unwrap();
}

fn read(base: &Path, near: &str) -> Vec<Session> {
    let root = PathBuf::from(ROOT);
    seeds(base, &[root.clone(), root], |name| name == near)
}

fn titles(sessions: &[Session]) -> Vec<&str> {
    let titles = sessions.iter();
    titles
        .map(|it| it.meta.custom_title.as_deref().unwrap())
        .collect()
}

#[test]
fn the_newest_of_near_folders_come_first_and_then_the_newest_of_all() {
    let base = tempfile::tempdir().unwrap();
    let mut all = vec![
        at("-a", 1, 10),
        at("-b", 2, 50),
        at("-a", 3, 30),
        at("-c", 4, 40),
    ];
    all[3].hidden = Some(Hidden::Archived);
    save(base.path(), &all);
    assert_eq!(titles(&read(base.path(), "-a")), ["-a 3", "-a 1", "-b 2"]);
    assert_eq!(titles(&read(base.path(), "-x")), ["-b 2", "-a 3", "-a 1"]);
}

#[test]
fn a_start_reads_a_screenful_of_many() {
    let base = tempfile::tempdir().unwrap();
    let project = |n: i64| format!("-{:02}", n % 50);
    let all: Vec<Session> = (0..5_000).map(|n| at(&project(n), n, n)).collect();
    save(base.path(), &all);
    let found = read(base.path(), "-07");
    let near = (0..100).rev().map(|n| n * 50 + 7);
    let newest = (0..5_000).rev().take(SEEDS).filter(|n| n % 50 != 7);
    let wanted: Vec<String> = near
        .chain(newest)
        .map(|n| format!("{} {n}", project(n)))
        .collect();
    assert_eq!(titles(&found), wanted);
}

#[test]
fn a_session_comes_back_as_it_was_read() {
    let base = tempfile::tempdir().unwrap();
    let mut session = at("-a", 1, 1_700_000_000_123);
    // Longer than what is read at once.
    session.meta.first_prompt = Some("words ".repeat(1_000).into());
    session.file.nanos += 600_000;
    session.file.modified += 1;
    save(base.path(), std::slice::from_ref(&session));
    let found = read(base.path(), "-a");
    assert_eq!(found.len(), 1);
    assert_eq!(format!("{:?}", found[0]), format!("{session:?}"));
}

#[test]
fn what_is_kept_and_what_is_forgotten_changes_the_order() {
    let base = tempfile::tempdir().unwrap();
    let all = [at("-a", 1, 10), at("-a", 2, 20), at("-a", 3, 30)];
    save(base.path(), &all);
    let known = Summaries::new(base.path(), &[PathBuf::from(ROOT)]);
    for session in &all[..2] {
        known.recall(&session.file);
    }
    known.learn(&at("-a", 1, 40), None, ScanDepth::Candidates);
    known.save(ScanDepth::Candidates).unwrap();
    assert_eq!(titles(&read(base.path(), "-a")), ["-a 1", "-a 2"]);
    let dir = &CacheDir::all(base.path()).unwrap()[0];
    assert!(Summaries::forget(dir, &["1"]).unwrap());
    assert_eq!(titles(&read(base.path(), "-a")), ["-a 2"]);
}

#[test]
fn damage_costs_sessions_and_makes_up_none() {
    let base = tempfile::tempdir().unwrap();
    let all = [at("-a", 1, 10), at("-b", 2, 20)];
    save(base.path(), &all);
    let path = CacheDir::all(base.path()).unwrap()[0].path().join(NAME);
    let whole = fs::read(&path).unwrap();
    let genuine: Vec<String> = all.iter().map(|it| format!("{it:?}")).collect();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let found = read(base.path(), "-a");
        assert!(found.len() <= all.len());
        for session in found {
            assert!(genuine.contains(&format!("{session:?}")));
        }
    };
    for length in 0..whole.len() {
        check(&whole[..length]);
    }
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        check(&damaged);
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(read(base.path(), "-a").len(), 2);
}

#[test]
fn without_a_cache_there_are_none_and_nothing_is_made() {
    let base = tempfile::tempdir().unwrap();
    assert!(read(base.path(), "-a").is_empty());
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
}
