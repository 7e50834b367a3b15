use super::*;

fn sealed() -> SealedSegment {
    let file = tempfile::tempfile().expect("a file");
    SealedSegment::unopened(SegmentFile::Unnamed(std::sync::Arc::new(file)))
}

#[cfg(unix)]
#[test]
fn a_lack_of_descriptors_is_no_damage_and_a_disk_may_fail_once() {
    use rustix::io::Errno;
    let sealed = sealed();
    let judged = |code: Errno| sealed.judged(io::Error::from_raw_os_error(code.raw_os_error()));
    for _ in 0..3 {
        assert!(matches!(judged(Errno::MFILE), TextError::Unavailable(_)));
        assert!(matches!(judged(Errno::NFILE), TextError::Unavailable(_)));
    }
    assert!(matches!(judged(Errno::IO), TextError::Unavailable(_)));
    assert!(matches!(judged(Errno::IO), TextError::Damaged));
    assert!(matches!(judged(Errno::NOENT), TextError::Damaged));
}

#[test]
fn a_file_without_a_segment_is_damaged() {
    assert!(matches!(sealed().open(), Err(TextError::Damaged)));
}
