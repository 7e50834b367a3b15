//! The list with the cache is the list without it, whatever happens to the store or to the cache.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::counter::fingerprint;
use crate::support::{NOON, Ran, Store, assistant, conversation, id, lines, set_modified};

const CWD: &str = "/home/ada/shop";
/// Something that happens to a session.
type Change<'a> = &'a dyn Fn(&Path);

const LIST: [&str; 5] = ["list", "--all", "--include", "all", "--json"];

/// Lists with and without the cache. The cached list is run twice: the second run knows everything
/// that can be known.
fn list(store: &Store) -> Vec<Value> {
    let before = fingerprint(&store.root());
    let plain = store.run(&[&LIST[..], &["--no-cache"]].concat());
    for _ in 0..2 {
        let cached = store.run(&LIST);
        assert_eq!((cached.code, &cached.err), (plain.code, &plain.err));
        assert_eq!(cached.out, plain.out);
    }
    assert_eq!(before, fingerprint(&store.root()), "nothing is touched");
    plain.json()
}

fn titles(list: &[Value]) -> Vec<&str> {
    let titles = list.iter().map(|row| row["summary"].as_str());
    titles.map(Option::unwrap_or_default).collect()
}

/// Puts other content into a file so that nothing tells: same size, same time, same inode.
fn change_unnoticed(path: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let modified = fs::metadata(path).and_then(|it| it.modified());
    let text = fs::read_to_string(path).expect("read").replace(from, to);
    fs::write(path, text).expect("written");
    let file = File::options().append(true).open(path).expect("opens");
    file.set_modified(modified.expect("known")).expect("set");
}

/// Lets a file or a folder be old: changed so many minutes after noon.
fn age(path: &Path, minutes: u64) {
    let file = File::open(path).expect("opens");
    let time = UNIX_EPOCH + Duration::from_secs(NOON + 60 * minutes);
    file.set_modified(time).expect("set");
}

fn one_session() -> (Store, PathBuf) {
    let store = Store::new();
    let path = store.session("-p", &id(1), 0, conversation("Apple", CWD));
    assert_eq!(titles(&list(&store)), ["Apple"]);
    (store, path)
}

#[test]
fn a_file_that_has_not_changed_is_not_opened() {
    let (store, path) = one_session();
    change_unnoticed(&path, "Apple", "Peach");
    assert_eq!(titles(&store.run(&LIST).json()), ["Apple"]);
    let fresh = store.run(&[&LIST[..], &["--no-cache"]].concat());
    assert_eq!(titles(&fresh.json()), ["Peach"]);
}

#[test]
fn every_fixture_is_listed_the_same() {
    let store = Store::new();
    let mut n = 0;
    for kind in ["lite", "transcript"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(kind);
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("listed").path();
            if path.extension().is_some_and(|it| it == "jsonl") {
                n += 1;
                let content = fs::read(&path).expect("read");
                store.session("-p", &id(n), u64::from(n), &content);
                if n % 5 == 0 {
                    store.session("-p", &format!("agent-{n}"), 1, &content);
                    store.session("-copies", &id(n), 2, &content);
                }
            }
        }
    }
    let everything = list(&store);
    assert!(everything.len() > 80, "{}", everything.len());
    let shallow = ["list", "--all", "--json"];
    let plain = store.run(&["list", "--all", "--json", "--no-cache"]);
    // What was read for a deeper list is no reason to show it.
    assert_eq!(store.run(&shallow).out, plain.out);
    assert_eq!(list(&store), everything);
}

#[test]
fn a_file_that_changed_in_any_way_is_read_again() {
    let longer = conversation("Strawberry", CWD);
    let replaced = |path: &Path| {
        let new = path.with_extension("new");
        let text = fs::read_to_string(path).expect("read");
        fs::write(&new, text.replace("Apple", "Peach")).expect("written");
        set_modified(&new, NOON);
        fs::rename(&new, path).expect("renamed");
    };
    let time_only = |path: &Path| {
        change_unnoticed(path, "Apple", "Peach");
        set_modified(path, NOON + 1);
    };
    let nanosecond = |path: &Path| {
        change_unnoticed(path, "Apple", "Peach");
        let file = File::options().append(true).open(path).expect("opens");
        let time = UNIX_EPOCH + Duration::new(NOON, 1);
        file.set_modified(time).expect("set");
    };
    let size_only = |path: &Path| {
        fs::write(path, &longer).expect("written");
        set_modified(path, NOON);
    };
    let shrank = |path: &Path| {
        fs::write(path, conversation("Fig", CWD)).expect("written");
        set_modified(path, NOON);
    };
    let grew = |path: &Path| {
        let title = json!({"type": "custom-title", "customTitle": "Named", "sessionId": id(1)});
        let text = fs::read_to_string(path).expect("read");
        fs::write(path, format!("{text}{title}\n")).expect("written");
    };
    let changes: [(Change<'_>, &str); 6] = [
        (&replaced, "Peach"),
        (&time_only, "Peach"),
        (&nanosecond, "Peach"),
        (&size_only, "Strawberry"),
        (&shrank, "Fig"),
        (&grew, "Named"),
    ];
    for (change, title) in changes {
        let (store, path) = one_session();
        change(&path);
        assert_eq!(titles(&list(&store)), [title]);
    }
}

#[test]
fn a_file_that_vanished_is_gone_and_one_that_came_is_there() {
    let (store, path) = one_session();
    let other = store.session("-q", &id(2), 1, conversation("Cherry", CWD));
    assert_eq!(titles(&list(&store)), ["Cherry", "Apple"]);
    fs::remove_file(path).expect("removed");
    assert_eq!(titles(&list(&store)), ["Cherry"]);
    fs::rename(&other, other.with_file_name(format!("{}.jsonl", id(3)))).expect("renamed");
    assert_eq!(list(&store)[0]["sessionId"], id(3));
}

#[test]
fn a_sidecar_that_comes_changes_or_goes_is_noticed() {
    let (store, path) = one_session();
    let folder = path.with_extension("");
    let title = folder.join("custom-title.json");
    fs::create_dir(&folder).expect("made");
    age(&folder, 1);
    assert_eq!(titles(&list(&store)), ["Apple"]);
    change_unnoticed(&path, "Apple", "Peach");
    assert_eq!(titles(&store.run(&LIST).json()), ["Apple"], "it is known");
    change_unnoticed(&path, "Peach", "Apple");

    fs::write(&title, r#"{"customTitle":"Named"}"#).expect("written");
    assert_eq!(titles(&list(&store)), ["Named"]);
    age(&title, 2);
    age(&folder, 2);
    assert_eq!(titles(&list(&store)), ["Named"]);
    // The folder does not tell of this one.
    fs::write(&title, r#"{"customTitle":"Other"}"#).expect("written");
    age(&folder, 2);
    assert_eq!(titles(&list(&store)), ["Other"]);
    age(&title, 3);
    assert_eq!(titles(&list(&store)), ["Other"]);
    fs::remove_file(&title).expect("removed");
    assert_eq!(titles(&list(&store)), ["Apple"]);

    let archived = folder.join("archived.json");
    let at = "2026-03-02T00:00:00.000Z";
    fs::write(&archived, json!({"archived": true, "at": at}).to_string()).expect("written");
    assert_eq!(list(&store)[0]["hidden"], "archived");
    age(&archived, 4);
    age(&folder, 4);
    assert_eq!(list(&store)[0]["hidden"], "archived");
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(list(&store)[0]["hidden"], Value::Null);
}

#[test]
fn a_file_from_the_future_is_never_believed() {
    let (store, path) = one_session();
    let file = File::options().append(true).open(&path).expect("opens");
    let future = SystemTime::now() + Duration::from_secs(3600);
    file.set_modified(future).expect("set");
    assert_eq!(titles(&list(&store)), ["Apple"]);
    change_unnoticed(&path, "Apple", "Peach");
    assert_eq!(titles(&list(&store)), ["Peach"]);
}

#[test]
fn a_session_that_continues_elsewhere_is_hidden_as_long_as_that_is_there() {
    let (store, path) = one_session();
    let other = store.session("-p", &id(2), 1, conversation("Cherry", CWD));
    let next = json!({"type": "continued-in", "continuedInSessionId": id(2)});
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("{text}{next}\n")).expect("written");
    set_modified(&path, NOON);
    assert_eq!(list(&store)[1]["hidden"], "superseded");
    fs::remove_file(other).expect("removed");
    assert_eq!(list(&store)[0]["hidden"], Value::Null);
}

/// The folder of the store in the cache.
fn cache(store: &Store) -> PathBuf {
    let base = store.outside("home").join(".cache/claude-resume");
    let mut entries = fs::read_dir(base).expect("there");
    entries.next().expect("a folder").expect("listed").path()
}

#[test]
fn a_cache_that_is_damaged_or_gone_is_made_again() {
    let (store, path) = one_session();
    let file = cache(&store).join("sessions");
    let whole = fs::read(&file).expect("read");
    let damages: [&dyn Fn(); 5] = [
        &|| fs::write(&file, &whole[..whole.len() / 2]).expect("written"),
        &|| fs::write(&file, "").expect("written"),
        &|| fs::remove_file(&file).expect("removed"),
        &|| fs::remove_dir_all(cache(&store)).expect("removed"),
        &|| {
            fs::remove_file(&file).expect("removed");
            fs::create_dir(&file).expect("made");
            fs::write(file.join("x"), "").expect("written");
        },
    ];
    for damage in damages {
        damage();
        assert_eq!(titles(&list(&store)), ["Apple"]);
    }
    // Nothing can take the place of a folder; without it, it is used again.
    fs::remove_dir_all(&file).expect("removed");
    list(&store);
    assert_eq!(fs::read(&file).expect("read"), whole);
    change_unnoticed(&path, "Apple", "Peach");
    assert_eq!(titles(&store.run(&LIST).json()), ["Apple"]);
}

#[test]
fn without_a_place_for_the_cache_everything_goes_on() {
    let (store, _) = one_session();
    let plain = store.run(&[&LIST[..], &["--no-cache"]].concat());
    let run = |home: &Path| {
        let mut command = store.command(&store.root());
        command.env("XDG_CACHE_HOME", home).args(LIST);
        Ran::from(&command.output().expect("runs"))
    };
    let file = store.outside("place").join("file");
    fs::write(&file, "").expect("written");
    let read_only = store.outside("read-only");
    let mut mode = fs::metadata(&read_only).expect("there").permissions();
    mode.set_readonly(true);
    fs::set_permissions(&read_only, mode).expect("set");
    for home in [&file, Path::new("/proc/self"), &read_only] {
        let ran = run(home);
        assert_eq!(
            (ran.code, ran.out, ran.err),
            (plain.code, plain.out.clone(), plain.err.clone())
        );
    }
    // Never in the config directory, whoever asks for it.
    let before = fingerprint(&store.root());
    assert_eq!(run(&store.root().join("cache")).out, plain.out);
    assert_eq!(before, fingerprint(&store.root()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_cache_as_it_was() {
    let (store, path) = one_session();
    let known = fs::read(cache(&store).join("sessions")).expect("read");
    for n in 2..40 {
        store.session("-p", &id(n), 1, conversation("Cherry", CWD));
    }
    change_unnoticed(&path, "Apple", "Peach");
    // Files may have one block: as if the disk were full after it.
    let limited = r#"trap "" XFSZ; ulimit -f 1; exec "$0" "$@""#;
    let command = store.command(&store.root());
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", limited])
        .arg(command.get_program())
        .args(LIST);
    shell.env_clear();
    shell.envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let ran = Ran::from(&shell.output().expect("runs"));
    assert_eq!((ran.code, ran.json().len()), (Some(0), 39), "{}", ran.err);
    assert!(ran.out.contains("Apple"), "it was known");
    assert_eq!(
        fs::read(cache(&store).join("sessions")).expect("read"),
        known
    );
    let left = fs::read_dir(cache(&store)).expect("listed").count();
    assert_eq!(left, 2, "nothing half-written is left");
}

#[test]
fn the_command_tells_clears_and_names_the_cache() {
    let (store, _) = one_session();
    let base = store.outside("home").join(".cache/claude-resume");
    assert_eq!(
        store.run(&["cache", "path"]).out.trim(),
        base.to_string_lossy()
    );
    let root = store.root().to_string_lossy().into_owned();
    let info = store.run(&["cache"]).out;
    assert!(
        info.starts_with(&format!("{root}\t1 session\t2 files\t")),
        "{info}"
    );
    let json = store.run(&["cache", "info", "--json"]).json();
    assert_eq!(json.len(), 1);
    assert_eq!(
        (&json[0]["root"], &json[0]["sessions"]),
        (&json!(root), &json!(1))
    );
    let files = json[0]["files"].as_array().expect("files");
    let sizes = files.iter().filter_map(|file| file["bytes"].as_u64());
    assert_eq!(json[0]["bytes"].as_u64(), Some(sizes.sum()));

    let cleared = store.run(&["cache", "clear"]);
    assert_eq!(
        (cleared.code, cleared.out.as_str(), cleared.err.as_str()),
        (Some(0), "", "")
    );
    assert_eq!(fs::read_dir(&base).expect("there").count(), 0);
    assert_eq!(store.run(&["cache"]).out, "");
    assert_eq!(store.run(&["cache", "path", "--json"]).code, Some(2));
}

#[test]
fn the_cache_can_be_switched_off() {
    let store = Store::new();
    store.session("-p", &id(1), 0, conversation("Apple", CWD));
    let base = store.outside("home").join(".cache");
    let folder = store.outside("home/.config/claude-resume");
    store.run(&["--no-cache", "list", "--all"]);
    fs::write(folder.join("config.toml"), "[cache]\nenabled = false\n").expect("written");
    store.run(&["list", "--all"]);
    assert!(!base.exists());
    let config = store.run(&["config"]).out;
    assert!(config.contains("[cache]\nenabled = false\n"), "{config}");
    fs::remove_file(folder.join("config.toml")).expect("removed");
    store.run(&["list", "--all"]);
    assert!(base.exists());
}

/// Is a text in any file of the cache?
fn is_kept(store: &Store, text: &str) -> bool {
    let folder = store.outside("home").join(".cache");
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("listed").path();
            if path.is_dir() {
                open.push(path);
            } else if memchr::memmem::find(&fs::read(path).expect("read"), text.as_bytes())
                .is_some()
            {
                return true;
            }
        }
    }
    false
}

fn search(store: &Store, word: &str) -> Ran {
    store.run(&["search", "--all", "-l", word])
}

/// Two sessions, both searched.
fn two_sessions() -> (Store, [PathBuf; 2]) {
    let store = Store::new();
    let paths = [(1, "harpsichord"), (2, "glockenspiel")].map(|(n, word)| {
        let answer = "lorem ipsum ".repeat(2000);
        let content = conversation(word, CWD) + &lines(&[assistant(&answer, CWD)]);
        store.session("-p", &id(n), u64::from(n), content)
    });
    assert_eq!(search(&store, "harpsichord").out, format!("{}\n", id(1)));
    assert!(is_kept(&store, "harpsichord") && is_kept(&store, "glockenspiel"));
    (store, paths)
}

#[test]
fn nothing_of_a_deleted_session_is_kept() {
    let (store, [path, _]) = two_sessions();
    fs::remove_file(path).expect("removed");
    assert_eq!(search(&store, "glockenspiel").out, format!("{}\n", id(2)));
    assert!(!is_kept(&store, "harpsichord"));
    assert!(is_kept(&store, "glockenspiel"));
}

#[test]
fn a_config_directory_that_is_not_mounted_loses_nothing() {
    let (store, _) = two_sessions();
    let projects = store.root().join("projects");
    let away = store.root().join("away");
    fs::rename(&projects, &away).expect("renamed");
    search(&store, "glockenspiel");
    fs::rename(&away, &projects).expect("renamed");
    assert!(is_kept(&store, "glockenspiel"));
}

#[test]
fn one_session_can_be_forgotten() {
    let (store, _) = two_sessions();
    let before = fingerprint(&store.root());
    let ran = store.run(&["cache", "clear", &id(1)]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(before, fingerprint(&store.root()));
    assert!(!is_kept(&store, "harpsichord") && is_kept(&store, "glockenspiel"));
    // It is still there to be searched.
    assert_eq!(search(&store, "harpsichord").out, format!("{}\n", id(1)));
    let ran = store.run(&["cache", "clear", "nonsense"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("nonsense: no session with this id"),
        "{}",
        ran.err
    );
    let ran = store.run(&["cache", "info", &id(1)]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_session_that_is_rewritten_again_and_again_is_kept_once() {
    let store = Store::new();
    let mut live = 0;
    for generation in 0..30 {
        let answer = format!("generation {generation} {}", "lorem ipsum ".repeat(20_000));
        let content = conversation("Go on", CWD) + &lines(&[assistant(&answer, CWD)]);
        live = content.len() as u64;
        store.session("-p", &id(1), generation, content);
        assert_eq!(
            search(&store, &format!("\"generation {generation}\"")).code,
            Some(0)
        );
    }
    let info = store.run(&["cache", "info", "--json"]).json();
    let bytes = info[0]["bytes"].as_u64().expect("a size");
    assert!(bytes < 3 * live, "{bytes} for {live}");
    assert!(!is_kept(&store, "generation 28"));
}

/// What a run leaves in the cache, without the folder's own note and the list of sessions.
fn left(store: &Store) -> Vec<String> {
    let base = store.outside("home").join(".cache/claude-resume");
    let folders = fs::read_dir(base).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
    let names = files
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| name != "root" && name != "sessions")
        .collect()
}

/// A limit on the size of files ends no run: it answers without the cache, says so once, and leaves
/// nothing behind.
#[test]
fn a_disk_without_room_costs_the_cache_alone() {
    for blocks in [0, 1, 40, 100] {
        let store = Store::new();
        for n in 1..=40 {
            let answer = format!("heron {n} ").repeat(3000);
            let content = conversation("Go on", CWD) + &lines(&[assistant(&answer, CWD)]);
            store.session("-p", &id(n), u64::from(n), content);
        }
        for arguments in [
            &["list", "--all", "--limit", "0"][..],
            &["search", "--all", "--limit", "0", "-l", "heron"],
        ] {
            let plain = store.command(Path::new("/"));
            let mut limited = Command::new("/bin/sh");
            limited
                .args(["-c", "ulimit -f \"$0\" && exec \"$@\"", &blocks.to_string()])
                .arg(plain.get_program())
                .args(arguments)
                .env_clear();
            for (name, value) in plain.get_envs() {
                limited.envs(value.map(|value| (name, value)));
            }
            // The answer goes through a pipe, which has no limit.
            let ran = Ran::from(&limited.output().expect("runs"));
            let what = format!("{blocks} {arguments:?}: {:?}\n{}", ran.code, ran.err);
            assert_eq!(ran.code, Some(0), "{what}");
            assert_eq!(ran.out.lines().count(), 40, "{what}");
            let said = ran.err.lines().filter(|line| !line.starts_with("shown "));
            assert!(said.count() <= 1, "{what}");
        }
        assert_eq!(left(&store), [""; 0], "{blocks}");
    }
}
