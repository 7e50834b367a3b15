use std::fs;
use std::path::Path;

use super::{LOOKED_AT, folders_in, is_crowded, renamed};

fn repository(place: &Path) {
    fs::create_dir_all(place.join(".git")).expect("made");
}

#[test]
fn files_take_no_folders_place() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path();
    for n in 0..LOOKED_AT {
        fs::write(place.join(format!("file-{n}")), "").expect("written");
    }
    let names = ["a", "b", "c", "d"];
    for name in names {
        fs::create_dir(place.join(name)).expect("made");
    }
    assert_eq!(folders_in(place), names.map(|name| place.join(name)));
    assert!(!is_crowded(place));
}

#[test]
fn the_only_one_is_the_only_one_among_all() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path();
    for n in 0..=LOOKED_AT {
        fs::create_dir(place.join(format!("folder-{n}"))).expect("made");
    }
    assert!(is_crowded(place));
    assert_eq!(folders_in(place).len(), LOOKED_AT);
    let missing = place.join("shop");
    repository(&place.join("shop-old"));
    assert_eq!(renamed(&missing), Some(place.join("shop-old")));
    repository(&place.join("shop.v2"));
    assert_eq!(renamed(&missing), None);
}
