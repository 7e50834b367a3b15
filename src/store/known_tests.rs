use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use super::{FileVersion, SidecarVersions, is_settled, nanos};
use crate::store::{FileInfo, FileState, Project};

const SECOND: i64 = 1_000_000_000;

fn file(nanos: i64) -> FileInfo {
    FileInfo {
        id: "a".into(),
        project: Arc::new(Project {
            root: Path::new("/r").into(),
            dir: "/r/projects/p".into(),
            name: "p".to_owned(),
        }),
        size: 1,
        modified: nanos / 1_000_000,
        state: FileState::File,
        has_folder: false,
        nanos,
        inode: 7,
    }
}

#[test]
fn what_changed_just_now_or_in_the_future_is_not_believed_later() {
    let began = UNIX_EPOCH + Duration::from_secs(100);
    let is_settled = |seconds| is_settled(&file(seconds * SECOND), None, began);
    assert!(is_settled(97));
    assert!(!is_settled(98));
    assert!(!is_settled(100));
    assert!(!is_settled(5_000));
}

#[test]
fn a_sidecar_or_a_folder_that_changed_just_now_unsettles_its_session() {
    let began = UNIX_EPOCH + Duration::from_secs(100);
    let title = |seconds: i64| {
        let nanos = seconds * SECOND;
        let version = FileVersion {
            nanos,
            ..FileVersion::default()
        };
        Some(version)
    };
    let sidecars = |folder: i64, seconds| SidecarVersions {
        folder: folder * SECOND,
        title: title(seconds),
        archived: None,
    };
    let is_settled = |sidecars| is_settled(&file(SECOND), Some(sidecars), began);
    assert!(is_settled(sidecars(50, 60)));
    assert!(!is_settled(sidecars(99, 60)));
    assert!(!is_settled(sidecars(50, 99)));
}

#[test]
fn times_before_the_epoch_and_far_after_it_have_a_number() {
    assert_eq!(nanos(UNIX_EPOCH - Duration::from_nanos(3)), -3);
    let far = UNIX_EPOCH + Duration::from_secs(20_000_000_000);
    assert_eq!(nanos(far), i64::MAX);
}
