//! File sizes in at most seven characters.

/// A size for people: `0 B`, `84 KB`, `1.2 MB`, `5.3 GB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    // Rounded once, from the bytes.
    let mut unit_bytes: u128 = 1024;
    for unit in UNITS {
        let rounded = |parts: u128| (u128::from(bytes) * parts + unit_bytes / 2) / unit_bytes;
        let tenths = rounded(10);
        if tenths < 100 && unit != "KB" {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        if rounded(1) < 1024 {
            return format!("{} {unit}", rounded(1));
        }
        unit_bytes *= 1024;
    }
    format!("{} PB", u128::from(bytes) / unit_bytes)
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
