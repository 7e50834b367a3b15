//! Any bytes through the reader of both ends of a file: it never panics, and what it says of a
//! file that was read whole does not change when noise drives its windows apart.

#![no_main]

use claude_resume::store::{LastPrompt, LiteReader, LiteReading};
use libfuzzer_sys::fuzz_target;

/// Longer than both windows of the reader together.
const NOISE: usize = 150 * 1024;

fn read(bytes: &[u8], size: u64) -> LiteReading {
    let mut reader = LiteReader::default();
    let by_entry = reader.read(&bytes, size, LastPrompt::Entry);
    let by_message = reader.read(&bytes, size, LastPrompt::Message);
    let (Ok(reading), Ok(_)) = (by_entry, by_message) else {
        panic!("slices never fail");
    };
    reading
}

fuzz_target!(|bytes: &[u8]| {
    let size = bytes.len() as u64;
    let reading = read(bytes, size);
    assert_eq!(reading, read(bytes, size), "the same bytes read the same");
    // The file shrank, or grew, since its size was asked for.
    read(bytes, size / 2);
    read(bytes, size * 2 + 1);

    // The windows no longer meet: a line of noise lies between.
    let at = bytes.first().map_or(0, |first| usize::from(*first) * bytes.len() / 256);
    let newline = bytes[at..].iter().position(|byte| *byte == b'\n');
    let (head, tail) = bytes.split_at(newline.map_or(bytes.len(), |newline| at + newline + 1));
    let noise = format!("{{\"type\":\"api-request\",\"x\":\"{}\"}}\n", "n".repeat(NOISE));
    let long = [head, noise.as_bytes(), tail].concat();
    read(&long, long.len() as u64);
});
