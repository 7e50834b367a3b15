use proptest::prelude::*;

use super::{Completion, Values, completions};

fn at_end(text: &str) -> Vec<(String, &'static str)> {
    let projects = [
        "shop".to_owned(),
        "My App".to_owned(),
        "web\"quoted".to_owned(),
    ];
    let branches = [
        "main".to_owned(),
        "feat/Ünder".to_owned(),
        "under".to_owned(),
    ];
    let values = Values {
        projects: &projects,
        branches: &branches,
        ..Values::default()
    };
    completions(text, text.len(), values)
        .into_iter()
        .map(|completion| {
            let mut completed = text.to_owned();
            completed.replace_range(completion.replace, &completion.insert);
            (completed, completion.hint)
        })
        .collect()
}

fn texts(text: &str) -> Vec<String> {
    at_end(text).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn operators_are_offered_by_their_beginning() {
    assert_eq!(
        at_end("fix -p"),
        [
            ("fix -project:".to_owned(), "part of the directory"),
            ("fix -pr:".to_owned(), "number of the pull request"),
        ]
    );
    assert_eq!(texts("BEF"), ["before:"]);
    assert_eq!(texts("ro"), ["role:"]);
    assert_eq!(texts("t"), ["tag:", "tool:"]);
    // What takes no minus is not offered there.
    assert_eq!(texts("-t"), ["-tag:"]);
    assert_eq!((texts("-ro"), texts("/fi")), (Vec::new(), Vec::new()));
    for text in ["", "x ", "-", "xyz", "\"is"] {
        assert_eq!(texts(text), [""; 0], "{text:?}");
    }
}

#[test]
fn values_are_offered_by_what_they_contain_and_quoted_where_they_must_be() {
    assert_eq!(texts("project:"), ["project:shop ", "project:\"My App\" "]);
    assert_eq!(texts("a project:\"my"), ["a project:\"My App\" "]);
    assert_eq!(texts("branch:und"), ["branch:under ", "branch:feat/Ünder "]);
    assert_eq!(texts("branch:main"), [""; 0]);
    assert_eq!(texts("-is:i"), ["-is:idle ", "-is:interrupted "]);
    assert_eq!(texts("since:1"), ["since:1w ", "since:1mo "]);
    assert_eq!(texts("id:a"), [""; 0]);
    assert_eq!(
        texts("role:"),
        ["role:user ", "role:claude ", "role:tool ", "role:peer "]
    );
    assert_eq!(texts("has:T"), ["has:thinking "]);
    assert_eq!(texts("tool:web"), ["tool:WebFetch ", "tool:WebSearch "]);
    assert_eq!(texts("tool:ba"), ["tool:Bash "]);
    assert_eq!(
        (texts("tool:bash"), texts("file:a")),
        (Vec::new(), Vec::new())
    );
}

#[test]
fn only_a_word_that_ends_at_the_caret_is_completed() {
    let values = Values::default();
    assert_eq!(completions("is:b x", 3, values), []);
    assert_eq!(
        completions("is:b x", 4, values),
        [Completion {
            replace: 3..4,
            insert: "busy ".to_owned(),
            hint: "at work",
        }]
    );
}

proptest! {
    #[test]
    fn any_text_and_caret_will_do(text in any::<String>(), caret in 0usize..40, value in any::<String>()) {
        let values = [value];
        for operator in ["", "tag:", "is:", "before:", "branch:\""] {
            let text = format!("{operator}{text}");
            let values = Values { tags: &values, branches: &values, ..Values::default() };
            for completion in completions(&text, caret, values) {
                prop_assert!(text.get(completion.replace).is_some());
            }
        }
    }
}
