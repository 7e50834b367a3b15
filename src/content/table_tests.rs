use uuid::Uuid;

use super::*;

fn passage(voice: Voice, start: u64, tool: Option<&str>) -> Passage<'_> {
    Passage {
        voice,
        tool,
        uuid: Some(Uuid::from_u64_pair(start, 7)),
        part: u16::from(voice == Voice::Path) * 300,
        at: (voice != Voice::Summary).then_some(1_700_000_000_000 + start.cast_signed()),
        lines: start..start + 50,
        is_error: voice == Voice::ToolOutput,
        cut: 0,
        text: "",
    }
}

fn written() -> Vec<u8> {
    let mut table = TableWriter::default();
    table.push(&passage(Voice::ToolInput, 900, Some("Bash")), 5);
    table.push(&passage(Voice::Path, 900, Some("Read")), 10);
    table.push(&passage(Voice::ToolOutput, 300, Some("Bash")), 1);
    table.push(&passage(Voice::Summary, 4000, None), 300);
    table.take()
}

#[test]
fn a_table_tells_where_each_passage_is_from() {
    let bytes = written();
    let mut table = Table::new(&bytes);
    let entries: Vec<Entry> = table.by_ref().collect();
    let texts: Vec<_> = entries.iter().map(|entry| entry.text.clone()).collect();
    assert_eq!(texts, [0..4, 5..14, 15..15, 16..315]);
    let lines: Vec<_> = entries.iter().map(|entry| entry.lines.start).collect();
    assert_eq!(lines, [900, 900, 300, 4000]);
    assert_eq!(table.tools, ["Bash", "Read"]);
    let tools: Vec<_> = entries.iter().map(|entry| entry.tool).collect();
    assert_eq!(tools, [Some(0), Some(1), Some(0), None]);
    assert!(entries[2].is_error && !entries[0].is_error);
    assert_eq!(entries[2].at, Some(1_700_000_000_300));
    assert_eq!(entries[3].at, None);
    assert_eq!(entries[3].uuid, Some(Uuid::from_u64_pair(4000, 7)));
    let parts: Vec<_> = entries.iter().map(|entry| entry.part).collect();
    assert_eq!(parts, [0, 300, 0, 0]);
}

#[test]
fn a_cut_table_has_the_passages_before_the_cut() {
    let bytes = written();
    let mut whole = Table::new(&bytes);
    let mut ends = vec![0];
    while whole.next().is_some() {
        ends.push(whole.position());
    }
    for cut in 0..=bytes.len() {
        let passages = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!(Table::new(&bytes[..cut]).count(), passages, "cut at {cut}");
    }
}
