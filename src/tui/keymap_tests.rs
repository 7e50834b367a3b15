use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, Chord, Edit, KeyError, Keymap, TABLE, layers, meet};

#[test]
fn every_key_of_the_table_can_be_read_and_written() {
    for binding in TABLE {
        for key in binding.keys.split(' ') {
            let chord = Chord::parse(key).unwrap_or_else(|| panic!("{key} of {}", binding.name));
            assert_eq!(Chord::parse(&chord.configured()), Some(chord), "{key}");
        }
    }
}

#[test]
fn names_are_unique_and_a_key_means_one_thing_where_layers_meet() {
    for (at, binding) in TABLE.iter().enumerate() {
        for other in &TABLE[at + 1..] {
            assert_ne!(binding.name, other.name);
            let shared = meet(binding.layer, other.layer);
            for key in binding.keys.split(' ') {
                let twice = shared && other.keys.split(' ').any(|other| other == key);
                assert!(!twice, "{key} is {} and {}", binding.name, other.name);
            }
        }
    }
}

#[test]
fn no_action_lives_only_on_a_key_that_tmux_or_readline_takes() {
    let taken = ["ctrl-a", "ctrl-b", "ctrl-w", "ctrl-s"];
    for binding in TABLE {
        // Editing the query is what readline uses them for.
        let edits = matches!(binding.action, Action::Edit(Edit::Start));
        let free = binding.keys.split(' ').any(|key| !taken.contains(&key));
        assert!(free || edits, "{}", binding.name);
    }
}

#[test]
fn letters_are_typed_in_the_list_and_mean_something_while_reading() {
    let keymap = Keymap::default();
    let key = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
    for letter in ['j', 'k', 'g', 'G', 'n', 'N', 'q', 'b', ' '] {
        assert_eq!(keymap.action(layers::SESSION_LIST, key(letter)), None);
        assert_eq!(keymap.action(layers::EMPTY_SESSION_LIST, key(letter)), None);
        let action = keymap.action(layers::CONVERSATION, key(letter));
        assert!(action.is_some(), "{letter}");
    }
    let help = Some(Action::Help);
    assert_eq!(keymap.action(layers::EMPTY_SESSION_LIST, key('?')), help);
    assert_eq!(keymap.action(layers::SESSION_LIST, key('?')), None);
    for stack in layers::ALL {
        let f1 = KeyEvent::new(KeyCode::F(1), KeyModifiers::NONE);
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(keymap.action(stack, f1), help);
        assert_eq!(keymap.action(stack, interrupt), Some(Action::Interrupt));
    }
}

#[test]
fn terminals_that_say_shift_twice_mean_the_same() {
    let upper = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
    assert_eq!(Chord::of(upper), Chord::parse("G").expect("a key"));
    let control = KeyEvent::new(
        KeyCode::Char('T'),
        KeyModifiers::CONTROL | KeyModifiers::SHIFT,
    );
    assert_eq!(Chord::of(control), Chord::parse("ctrl-t").expect("a key"));
    assert_eq!(Chord::typed(upper), Some('G'));
    let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
    assert_eq!(
        Chord::typed(KeyEvent::new(KeyCode::Char('@'), alt_gr)),
        Some('@')
    );
    assert_eq!(
        Chord::typed(KeyEvent::new(KeyCode::Char('x'), alt_gr)),
        None
    );
}

#[test]
fn own_keys_replace_the_defaults_and_are_taken_from_others() {
    let own = BTreeMap::from([
        ("scope".to_owned(), vec!["alt-s".to_owned()]),
        ("mouse".to_owned(), Vec::new()),
    ]);
    let keymap = Keymap::with(&own).expect("good keys");
    let alt_s = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::ALT);
    let ctrl_t = KeyEvent::new(KeyCode::Char('t'), KeyModifiers::CONTROL);
    assert_eq!(
        keymap.action(layers::SESSION_LIST, alt_s),
        Some(Action::Scope)
    );
    assert_eq!(keymap.action(layers::SESSION_LIST, ctrl_t), None);
    assert_eq!(keymap.name(Action::Sort).as_deref(), Some("F3"));
    assert_eq!(keymap.name(Action::Mouse), None);
}

#[test]
fn bad_names_and_keys_are_told() {
    let with = |name: &str, key: &str| {
        Keymap::with(&BTreeMap::from([(name.to_owned(), vec![key.to_owned()])])).err()
    };
    assert_eq!(
        with("fly", "f5"),
        Some(KeyError::UnknownAction("fly".to_owned()))
    );
    assert_eq!(
        with("scope", "hyper-t"),
        Some(KeyError::UnknownKey("hyper-t".to_owned()))
    );
    assert_eq!(with("scope", ""), Some(KeyError::UnknownKey(String::new())));
}
