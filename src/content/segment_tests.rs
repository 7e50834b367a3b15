use super::*;

fn sample() -> OpenSegment {
    let mut open = OpenSegment::default();
    for at in 0..5 {
        let text = format!("some text {at} ").repeat(700).into_bytes();
        let mut caps = Bits::with_len(text.len());
        caps.set(at, true);
        open.push(&Part {
            text,
            caps,
            table: vec![u8::try_from(at).expect("small"); 1000],
        });
    }
    open
}

fn sealed(bytes: &[u8]) -> io::Result<Segment> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    Segment::open(SegmentFile::Unnamed(Arc::new(file)), 0..bytes.len())
}

fn written(open: &OpenSegment) -> Vec<u8> {
    let mut bytes = Vec::new();
    open.write(&mut bytes).expect("written");
    bytes
}

/// Everything that can be read of a segment: text, capitals, tables, blocks with a word.
type Everything = (Vec<u8>, Bits, Vec<u8>, Option<Bits>);

fn everything(segment: &Segment) -> io::Result<Everything> {
    let blocks = 0..segment.text_len().div_ceil(BLOCK);
    let mut text = Vec::new();
    segment.text(blocks.clone(), &mut text)?;
    let mut caps = segment.caps(blocks)?;
    caps.resize(text.len());
    let tables = segment.layout.areas[Area::Tables as usize].length;
    let table = segment.table(&(0..tables))?;
    Ok((text, caps, table, segment.candidates(b"text 3")?))
}

#[test]
fn a_file_has_what_was_in_memory() {
    let open = sample();
    let segment = sealed(&written(&open)).expect("opened");
    let (text, caps, table, found) = everything(&segment).expect("read");
    assert!(text == open.text && caps == open.caps && table == open.tables);
    let found = found.expect("a filter");
    let first = memchr::memmem::find(&open.text, b"text 3").expect("there") / BLOCK;
    assert!(found.get(first));
    assert!(!found.get(0), "it is in the second half only");
    assert_eq!(
        segment.table(&(1500..2500)).expect("read"),
        open.tables[1500..2500]
    );
}

#[test]
fn an_empty_segment_is_one_too() {
    let segment = sealed(&written(&OpenSegment::default())).expect("opened");
    assert_eq!(segment.text_len(), 0);
    assert_eq!(segment.table(&(0..0)).expect("read"), b"");
}

#[test]
fn a_cut_file_is_refused() {
    let bytes = written(&sample());
    for cut in (0..bytes.len())
        .step_by(997)
        .chain(bytes.len() - 100..bytes.len())
    {
        assert!(sealed(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn a_flipped_bit_is_an_error_not_an_answer() {
    let open = sample();
    let mut bytes = written(&open);
    let expected = everything(&sealed(&bytes).expect("opened")).expect("read");
    for at in (0..bytes.len())
        .step_by(461)
        .chain(bytes.len() - 40..bytes.len())
    {
        bytes[at] ^= 1 << (at % 8);
        let read = sealed(&bytes).and_then(|segment| everything(&segment));
        assert!(
            read.is_err() || read.is_ok_and(|read| read == expected),
            "flipped at {at}"
        );
        bytes[at] ^= 1 << (at % 8);
    }
}
