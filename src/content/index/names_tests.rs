use super::near;
use crate::search::NameKind;

#[test]
fn names_that_are_spelled_almost_alike_come_first() {
    let tools = [
        ("Bash", 9),
        ("BashOutput", 2),
        ("WebFetch", 3),
        ("mcp__files__search", 1),
    ];
    let tools = tools.map(|(name, count)| (name.to_owned(), count));
    let tool = |wanted: &str| near(NameKind::Tool, wanted, tools.clone().into());
    assert_eq!(tool("bahs"), ["Bash"]);
    assert_eq!(tool("web_fetch"), ["WebFetch"]);
    assert_eq!(tool("searhc"), ["mcp__files__search"]);
    assert_eq!(tool("notebook"), [""; 0]);
    let paths = [
        ("/w/src/auth.rs", 1),
        ("/w/lib/auth.rs", 1),
        ("/w/src/main.rs", 5),
    ];
    let paths = paths.map(|(name, count)| (name.to_owned(), count));
    let file = |wanted: &str| near(NameKind::Path, wanted, paths.clone().into());
    assert_eq!(file("src/auht.rs"), ["auth.rs"]);
    assert_eq!(file("zebra.rs"), [""; 0]);
    for short in ["", ".rs", "*"] {
        assert_eq!(file(short), [""; 0]);
    }
}
