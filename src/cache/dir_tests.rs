use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use super::CacheDir;

const BODY: &[u8] = b"forty-two bytes of something worth keeping";

fn open(base: &Path) -> CacheDir {
    CacheDir::open(base, Path::new("/home/ada/.claude")).unwrap()
}

fn names(dir: &CacheDir) -> Vec<String> {
    let files = dir.info().unwrap().into_iter();
    files.map(|(name, _)| name).collect()
}

#[cfg(unix)]
#[test]
fn folders_and_files_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let base = tempfile::tempdir().unwrap();
    let base = base.path().join("cache/claude-resume");
    let dir = open(&base);
    dir.write("it", 1, BODY).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&base), mode(dir.path())), (0o700, 0o700));
    assert_eq!(mode(&dir.path().join("it")), 0o600);
}

#[test]
fn each_root_has_its_folder_and_the_folder_tells_its_root() {
    let base = tempfile::tempdir().unwrap();
    let ada = open(base.path());
    let bob = CacheDir::open(base.path(), Path::new("/home/bob/.claude")).unwrap();
    assert_ne!(ada.path(), bob.path());
    assert_eq!(open(base.path()).path(), ada.path());
    let mut roots: Vec<String> = CacheDir::all(base.path())
        .unwrap()
        .iter()
        .filter_map(CacheDir::root)
        .collect();
    roots.sort();
    assert_eq!(roots, ["/home/ada/.claude", "/home/bob/.claude"]);
}

#[test]
fn what_is_written_is_read_and_another_version_is_not() {
    let base = tempfile::tempdir().unwrap();
    let dir = open(base.path());
    assert_eq!(dir.read("it", 1).unwrap(), None);
    for body in [BODY, b"", b"shorter"] {
        dir.write("it", 1, body).unwrap();
        assert_eq!(dir.read("it", 1).unwrap().as_deref(), Some(body));
        assert_eq!(dir.read("it", 2).unwrap(), None);
    }
    let mut file = dir.create(1).unwrap();
    for byte in BODY {
        file.append(&[*byte]).unwrap();
    }
    assert_eq!(file.length(), BODY.len() as u64);
    file.finish("parts").unwrap();
    assert_eq!(dir.read("parts", 1).unwrap().as_deref(), Some(BODY));
}

#[test]
fn a_file_that_is_cut_anywhere_or_has_one_wrong_bit_is_not_there() {
    let base = tempfile::tempdir().unwrap();
    let dir = open(base.path());
    dir.write("it", 1, BODY).unwrap();
    let path = dir.path().join("it");
    let whole = fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        dir.read("it", 1).unwrap()
    };
    assert!(read(&whole).is_some());
    for length in 0..whole.len() {
        assert_eq!(read(&whole[..length]), None, "cut at {length}");
    }
    for bit in 0..8 * whole.len() {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(read(&damaged), None, "bit {bit}");
    }
    assert_eq!(read(&[&whole[..], b"x"].concat()), None, "longer");
}

#[test]
fn of_several_writers_one_wins_and_readers_see_whole_files() {
    let base = tempfile::tempdir().unwrap();
    let bodies: Vec<Vec<u8>> = (1..=3).map(|n| vec![n; 200_000 * usize::from(n)]).collect();
    let dir = open(base.path());
    dir.write("it", 1, &bodies[0]).unwrap();
    thread::scope(|scope| {
        for body in &bodies {
            // As another process would: with a folder of its own.
            let dir = open(base.path());
            scope.spawn(move || {
                for _ in 0..20 {
                    dir.write("it", 1, body).unwrap();
                }
            });
        }
        for _ in 0..100 {
            let read = dir.read("it", 1).unwrap().expect("never torn");
            assert!(bodies.contains(&read));
        }
    });
    assert_eq!(names(&dir), ["it", "root"]);
}

#[test]
fn a_file_that_is_not_finished_leaves_nothing_and_one_of_a_dead_process_goes_later() {
    let base = tempfile::tempdir().unwrap();
    let dir = open(base.path());
    dir.write("it", 1, BODY).unwrap();
    let mut file = dir.create(1).unwrap();
    file.append(b"something else").unwrap();
    assert_eq!(names(&dir).len(), 3);
    drop(file);
    assert_eq!(names(&dir), ["it", "root"]);
    assert_eq!(dir.read("it", 1).unwrap().as_deref(), Some(BODY));

    let [young, old] = ["young", "old"].map(|name| {
        let name = format!(".claude-resume-{name}.tmp");
        let path = dir.path().join(name);
        fs::write(&path, "half").unwrap();
        path
    });
    let hours_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    let file = File::options().append(true).open(&old).unwrap();
    file.set_modified(hours_ago).unwrap();
    open(base.path());
    assert!(young.exists() && !old.exists());
}

#[test]
fn clearing_takes_only_folders_of_roots() {
    let base = tempfile::tempdir().unwrap();
    let dir = open(base.path());
    dir.write("it", 1, BODY).unwrap();
    fs::create_dir(base.path().join("other")).unwrap();
    fs::write(base.path().join("file"), "").unwrap();
    for dir in CacheDir::all(base.path()).unwrap() {
        dir.clear().unwrap();
    }
    let mut left: Vec<_> = fs::read_dir(base.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["file", "other"]);
    let nowhere = base.path().join("nowhere");
    assert!(CacheDir::all(&nowhere).unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn there_is_no_cache_inside_of_a_root() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("claude");
    fs::create_dir(&root).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&root, &link).unwrap();
    for base in [root.join("cache/deep"), link.join("cache"), root.clone()] {
        assert!(CacheDir::open(&base, &root).is_err(), "{}", base.display());
        assert!(CacheDir::open(&base, &link).is_err(), "{}", base.display());
    }
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    assert!(CacheDir::open(&folder.path().join("claude-cache"), &root).is_ok());
}
