use std::fs;
use std::path::Path;

use super::{answer, offers};
use crate::tui::request::PathRequest;

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    for folder in [
        "code/shop",
        "code/shopping",
        "cooking",
        ".hidden",
        "code/\u{1b}evil",
    ] {
        fs::create_dir_all(home.path().join(folder)).expect("made");
    }
    fs::write(home.path().join("code.txt"), "").expect("written");
    home
}

#[test]
fn directories_are_offered_as_they_were_typed() {
    let home = home();
    let of = |typed: &str| offers(typed, Some(home.path()));
    assert_eq!(of("~/co"), ["~/code/", "~/cooking/"]);
    assert_eq!(of("~/code/shop"), ["~/code/shop/", "~/code/shopping/"]);
    assert_eq!(of("~/."), ["~/.hidden/"]);
    assert_eq!(of("~"), ["~/"]);
    assert_eq!(of("~/nothing/x"), Vec::<String>::new());
    let absolute = format!("{}/coo", home.path().display());
    assert_eq!(
        of(&absolute),
        [format!("{}/cooking/", home.path().display())]
    );
}

#[test]
fn only_a_directory_is_entered() {
    let home = home();
    let enter = |typed: &str| {
        let typed = typed.to_owned();
        answer(PathRequest::Enter(typed), Some(home.path())).directory
    };
    assert_eq!(
        enter("~/code/shop/").as_deref(),
        Some(&*home.path().join("code/shop"))
    );
    assert_eq!(enter("~").as_deref(), Some(home.path()));
    assert_eq!(enter("~/code.txt"), None);
    assert_eq!(enter("/no/such/place"), None);
    assert_eq!(enter("/").as_deref(), Some(Path::new("/")));
}

#[test]
fn a_directory_without_others_inside_is_no_mistake() {
    let home = home();
    let complete = |typed: &str| {
        let typed = typed.to_owned();
        answer(PathRequest::Complete(typed), Some(home.path()))
    };
    let reply = complete("~/cooking/");
    assert_eq!(reply.offers, Vec::<String>::new());
    assert_eq!(reply.directory, Some(home.path().join("cooking")));
    let reply = complete("~/nothing/");
    assert_eq!((reply.offers, reply.directory), (Vec::new(), None));
}
