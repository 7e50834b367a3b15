use std::fs;
use std::io::Write;

use super::*;

fn user(uuid: u32, text: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"00000000-0000-4000-8000-{uuid:012}\",\"timestamp\":\"2026-01-01T00:00:00Z\",\
         \"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
    )
}

/// What is read of a file, and how.
fn read(path: &Path, known: Option<&Extent>) -> (Reading, String, Extent) {
    let (mut reading, mut text) = (None, Vec::new());
    let extent = extract(
        path,
        known,
        &|| false,
        |how| reading = Some(how),
        |parts| text.extend(parts.iter().flat_map(|part| part.text.clone())),
    );
    let text = String::from_utf8(text)
        .expect("text")
        .replace('\u{1f}', "|");
    (reading.expect("begun"), text, extent.expect("read"))
}

struct Transcript {
    path: std::path::PathBuf,
    _folder: tempfile::TempDir,
}

impl Transcript {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        fs::write(&path, text).expect("written");
        Self {
            path,
            _folder: folder,
        }
    }

    fn append(&self, text: &str) {
        let file = fs::OpenOptions::new().append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .expect("appended");
    }
}

#[test]
fn text_is_folded_and_marks_of_markdown_are_left_out() {
    let transcript = Transcript::new(&user(1, "Über  **the**\\n `API`"));
    let (reading, text, extent) = read(&transcript.path, None);
    assert_eq!((reading, text.as_str()), (Reading::Whole, "uber the api|"));
    assert_eq!(extent.checkpoint.offset, extent.version.size);
}

#[test]
fn a_file_that_grew_is_read_from_its_known_end() {
    let transcript = Transcript::new(&user(1, "one"));
    let (_, _, known) = read(&transcript.path, None);
    transcript.append(&user(2, "two"));
    let (reading, text, extent) = read(&transcript.path, Some(&known));
    assert_eq!((reading, text.as_str()), (Reading::Added, "two|"));
    transcript.append(&user(3, "three"));
    let (_, text, _) = read(&transcript.path, Some(&extent));
    assert_eq!(text, "three|");
}

#[test]
fn a_file_that_changed_otherwise_is_read_anew() {
    let transcript = Transcript::new(&user(1, "one"));
    let (_, _, known) = read(&transcript.path, None);
    // Longer, but the known part is another one.
    fs::write(&transcript.path, user(1, "eno") + &user(2, "two")).expect("written");
    let (reading, text, _) = read(&transcript.path, Some(&known));
    assert_eq!((reading, text.as_str()), (Reading::Whole, "eno|two|"));
    // Far from the known end, too.
    let long = user(2, &"word ".repeat(100_000));
    fs::write(&transcript.path, user(1, "one") + &long).expect("written");
    let (_, _, known) = read(&transcript.path, None);
    fs::write(&transcript.path, user(1, "___") + &long + &user(3, "three")).expect("written");
    assert_eq!(read(&transcript.path, Some(&known)).0, Reading::Whole);
    // Shorter.
    fs::write(&transcript.path, "").expect("written");
    assert_eq!(read(&transcript.path, Some(&known)).0, Reading::Whole);
    // Another file with the same beginning.
    let known = {
        fs::write(&transcript.path, user(1, "one")).expect("written");
        read(&transcript.path, None).2
    };
    let other = transcript.path.with_extension("new");
    fs::write(&other, user(1, "one") + &user(2, "two")).expect("written");
    fs::rename(&other, &transcript.path).expect("renamed");
    assert_eq!(read(&transcript.path, Some(&known)).0, Reading::Whole);
}

#[test]
fn what_is_left_out_of_long_outputs_is_counted_once() {
    let result = |uuid: u32| {
        let printed = "x".repeat(3 * 1024 * 1024);
        let block =
            format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{printed}\"}}");
        user(uuid, "@").replace("\"@\"", &format!("[{block}]"))
    };
    let call = "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\
                \"id\":\"t\",\"name\":\"Bash\",\"input\":{}}]}}\n";
    // The message of the call may go on, so that its result is read again.
    let transcript = Transcript::new(&(call.to_owned() + &result(1)));
    let (_, text, known) = read(&transcript.path, None);
    let left_out = 2 * 1024 * 1024;
    assert_eq!(known.left_out.all(), left_out);
    assert_eq!(
        text.len() as u64,
        1024 * 1024 + "|".len() as u64 + " … ".len() as u64
    );
    transcript.append(&user(2, "next"));
    let (reading, _, extent) = read(&transcript.path, Some(&known));
    assert_eq!(reading, Reading::Added);
    assert_eq!(extent.left_out.all(), left_out);
    transcript.append(&result(3));
    let (_, _, extent) = read(&transcript.path, Some(&extent));
    assert_eq!(extent.left_out.all(), 2 * left_out);
}

#[test]
fn a_torn_last_line_is_read_again_when_it_is_whole() {
    let (first, second) = (user(1, "one"), user(2, "two"));
    let transcript = Transcript::new(&(first.clone() + &second[..30]));
    let (_, text, known) = read(&transcript.path, None);
    assert_eq!(text, "one|");
    assert_eq!(known.checkpoint.offset, first.len() as u64);
    transcript.append(&second[30..]);
    assert_eq!(read(&transcript.path, Some(&known)).1, "two|");
}
