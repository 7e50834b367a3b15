use super::size;

#[test]
fn sizes_read_well() {
    let cases = [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KB"),
        (86_016, "84 KB"),
        (1_931, "2 KB"),
        (1_048_000, "1023 KB"),
        (1_048_575, "1.0 MB"),
        (1_258_291, "1.2 MB"),
        (12_582_912, "12 MB"),
        (5_658_000_000, "5.3 GB"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(size(bytes), expected);
    }
}
