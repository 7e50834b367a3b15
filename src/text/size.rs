//! File sizes in at most seven characters.

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
#[path = "size_tests.rs"]
mod tests;
