//! The metrics of checks of robots.txt.

use metrics::{Unit, counter, describe_counter};

use super::fetch::{FetchEnd, Fetched};

const CHECKS: &str = "pharos_robots_checks_total";

/// Describes the metrics of this module.
pub fn describe() {
    describe_counter!(
        CHECKS,
        Unit::Count,
        "Fetches of robots.txt, as scheduled or as asked for, by result"
    );
}

/// Begins the metrics at zero.
pub fn begin() {
    for result in ["answered", "not_modified", "failed"] {
        counter!(CHECKS, "result" => result).increment(0);
    }
}

/// Records a fetch.
pub(super) fn checked(fetched: &Fetched) {
    let result = match &fetched.end {
        FetchEnd::Answer { .. } | FetchEnd::TooManyRedirects { .. } => "answered",
        FetchEnd::NotModified => "not_modified",
        FetchEnd::Failed(_) => "failed",
    };
    counter!(CHECKS, "result" => result).increment(1);
}
