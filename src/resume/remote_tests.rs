use super::{Remote, is_address};

#[test]
fn an_address_is_told_from_words() {
    for yes in [
        "https://claude.ai/code/x",
        "http://x",
        "ftp://y/z",
        "HTTPS://A",
    ] {
        assert!(is_address(yes), "{yes}");
    }
    for no in [
        "project:shop",
        "a: //b",
        "://x",
        "is:running",
        "fix http parser",
        "9p://x",
    ] {
        assert!(!is_address(no), "{no}");
    }
}

#[test]
fn a_page_of_claude_leads_to_teleport_and_any_other_to_resume() {
    let page = Remote::parse("https://claude.ai/code/session_01AbC?x=1").expect("an address");
    assert_eq!(page.arguments(), ["--teleport", "session_01AbC"]);
    let other = "https://sessions.example.com:8443/v1/s/42";
    let other = Remote::parse(other).expect("an address");
    assert_eq!(other.host, "sessions.example.com");
    assert_eq!(other.arguments()[0], "--resume");
    let evil = Remote::parse("https://notclaude.ai/code/session_01AbC").expect("an address");
    assert_eq!(evil.teleport, None);
}

#[test]
fn what_is_no_safe_address_is_refused() {
    let fault = |text: &str| Remote::parse(text).expect_err(text).to_string();
    assert!(fault("http://claude.ai/code/session_1").contains("https"));
    for bad in [
        "https://",
        "https:///x",
        "https://claude.ai@evil.example/x",
        "https://ex ample.com/",
        "https://a..b/",
        "https://a:99999/",
        "https://a/\u{1b}[2J",
        "https://a/\"><script>",
    ] {
        assert!(fault(bad).contains("not a valid address"), "{bad}");
    }
}
