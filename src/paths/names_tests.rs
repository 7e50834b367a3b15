use super::{hash, project_name};

#[test]
fn hash_matches_the_measured_vectors() {
    let long = (0..14)
        .map(|n| format!("verylongdirname{n:02}"))
        .collect::<Vec<_>>()
        .join("/");
    let vectors = [
        ("a".to_owned(), "2p"),
        (format!("/w/{long}"), "8icbtl"),
        (format!("/home/user/{}", "x".repeat(250)), "uvapx9"),
        (format!("/home/ü/{}", "é".repeat(220)), "aa03fw"),
        (format!("/home/😀/{}", "y".repeat(220)), "czno17"),
    ];
    for (path, expected) in vectors {
        assert_eq!(hash(&path), expected, "{path}");
    }
}

#[test]
fn short_names_replace_every_unit_outside_ascii_alphanumerics() {
    assert_eq!(project_name("/a_b/c.d-e").as_str(), "-a-b-c-d-e");
    assert_eq!(project_name("/w/😀").as_str(), "-w---");
    assert_eq!(project_name("/w/é").as_str(), "-w--");
    // Decomposed é is two units: no normalisation happens.
    assert_eq!(project_name("/w/e\u{301}").as_str(), "-w-e-");
    assert_eq!(project_name("").as_str(), "");
}

#[test]
fn exactly_two_hundred_units_stay_whole() {
    let path = format!("/{}", "x".repeat(199));
    assert_eq!(
        project_name(&path).as_str(),
        format!("-{}", "x".repeat(199))
    );
}

#[test]
fn longer_names_are_cut_and_hashed() {
    let path = format!("/home/user/{}", "x".repeat(250));
    let name = project_name(&path);
    assert_eq!(
        name.as_str(),
        format!("-home-user-{}-uvapx9", "x".repeat(189))
    );
}

#[test]
fn long_names_also_match_folders_with_another_hash() {
    let name = project_name(&format!("/home/user/{}", "x".repeat(250)));
    let cut = format!("-home-user-{}", "x".repeat(189));
    assert!(name.matches(name.as_str()));
    assert!(name.matches(&format!("{cut}-1g45uqqks6lu")));
    assert!(!name.matches(&cut));
    assert!(!name.matches("-home-user"));
}

#[test]
fn short_names_match_only_themselves() {
    let name = project_name("/w/shop");
    assert!(name.matches("-w-shop"));
    assert!(!name.matches("-w-shop-2"));
}
