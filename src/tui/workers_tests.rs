use tokio::sync::mpsc::unbounded_channel;

use super::spawn;
use crate::tui::message::{Message, Notice};

#[test]
fn a_thread_that_dies_of_a_mistake_tells_so_and_one_that_ends_does_not() {
    let (sender, mut inbox) = unbounded_channel();
    spawn("reading", &sender, || {}).expect("starts");
    spawn("search", &sender, || panic!("on purpose")).expect("starts");
    drop(sender);
    let Some(Message::Tell(Notice::Trouble(text))) = inbox.blocking_recv() else {
        panic!("nothing was told");
    };
    assert!(text.contains("the search"), "{text}");
    assert!(inbox.blocking_recv().is_none());
}
