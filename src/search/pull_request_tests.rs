use super::{is_address_of, pull_request};

#[test]
fn an_address_names_a_repository_and_a_number() {
    for address in [
        "https://github.com/acme/shop/pull/412",
        "http://git.example.org/acme/shop/pull/412/files",
        "https://github.com/acme/shop/pull/412?w=1",
        "https://github.com/acme/shop/pull/412#issue-1",
    ] {
        assert_eq!(pull_request(address), Some(("acme/shop", "412")));
        assert!(is_address_of(address, b"acme/shop#412"));
        assert!(!is_address_of(address, b"acme/shop#41"));
        assert!(!is_address_of(address, b"acme/shop#4123"));
        assert!(!is_address_of(address, b"#412"));
    }
    for other in [
        "",
        "acme/shop/pull/412",
        "https://github.com/acme/shop/pull/",
        "https://github.com/acme/shop/pull/4x",
        "https://github.com/acme/shop/pulls",
        "https://github.com/acme/pull/412",
        "https://github.com/acme/shop/issues/412",
        "https://github.com//shop/pull/412",
    ] {
        assert_eq!(pull_request(other), None, "{other}");
    }
}
