use super::{age_by_ps, older, parse_elapsed};

#[cfg(target_os = "linux")]
#[test]
fn start_is_found_behind_any_command_name() {
    let numbers = (4..=30)
        .map(|n| n.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    for (state, expected) in [("S", Some("22")), ("Z", None), ("X", None)] {
        let stat = format!("7 (a) b ) {state} {numbers}");
        assert_eq!(super::start_ticks(&stat), expected, "{state}");
    }
    assert_eq!(super::start_ticks("7 (short) S 1"), None);
    assert_eq!(super::start_ticks(""), None);
}

#[test]
fn elapsed_times_are_read() {
    assert_eq!(parse_elapsed("00:07"), Some(7.0));
    assert_eq!(parse_elapsed("02:03:04"), Some(7_384.0));
    assert_eq!(parse_elapsed("1-00:00:00"), Some(86_400.0));
    assert_eq!(parse_elapsed(""), None);
    assert_eq!(parse_elapsed("ELAPSED"), None);
}

#[test]
fn a_younger_process_is_another_one() {
    let now = 1_000_000.0;
    assert!(older(60.0, (now - 59.0) * 1000.0, now));
    assert!(!older(10.0, (now - 59.0) * 1000.0, now));
}

#[test]
fn this_process_has_an_age_wherever_ps_exists() {
    let pid = std::process::id().to_string();
    let asked = std::process::Command::new("ps").args(["-p", &pid]).output();
    let has_ps = asked.is_ok_and(|output| output.status.success());
    assert_eq!(age_by_ps(std::process::id()).is_some(), has_ps);
}
