//! File sizes in at most six characters.

/// A size for people: `0 B`, `84 KB`, `1.2 MB`, `5.3 GB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    for unit in UNITS {
        if tenths < 100 && unit != "KB" {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        if tenths < 10_240 {
            return format!("{} {unit}", tenths / 10);
        }
        tenths /= 1024;
    }
    format!("{} PB", tenths / 10)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_read_well() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KB"),
            (86_016, "84 KB"),
            (1_048_575, "1023 KB"),
            (1_258_291, "1.1 MB"),
            (12_582_912, "12 MB"),
            (5_658_000_000, "5.2 GB"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(size(bytes), expected);
        }
    }
}
