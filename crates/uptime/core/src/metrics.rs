//! The metrics of checks.

use std::time::Duration;

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

use crate::check::Outcome;

const CHECKS: &str = "pharos_checks_total";
const LAG: &str = "pharos_check_lag_seconds";
const BATCH_SIZE: &str = "pharos_check_batch_size";

/// Describes the metrics of this group.
pub fn describe() {
    describe_counter!(
        CHECKS,
        Unit::Count,
        "Checks done, as scheduled or as asked for, by region and result"
    );
    describe_histogram!(
        LAG,
        Unit::Seconds,
        "Time from when a scheduled check was due to when it began"
    );
    describe_histogram!(
        BATCH_SIZE,
        Unit::Count,
        "Scheduled checks that were stored in one batch"
    );
}

/// Begins the metrics of a region at zero.
pub fn checks_of(region: &str) {
    for outcome in Outcome::ALL {
        checks(region, *outcome, 0);
    }
}

/// Records a check, and how late it began where it was due at a time.
pub(crate) fn checked(region: &str, outcome: Outcome, lag: Option<time::Duration>) {
    checks(region, outcome, 1);
    if let Some(lag) = lag {
        // One that began before its time, by another clock, is not late.
        histogram!(LAG).record(Duration::try_from(lag).unwrap_or(Duration::ZERO));
    }
}

/// Records a batch of checks that was stored.
pub(crate) fn stored(checks: usize) {
    histogram!(BATCH_SIZE).record(u32::try_from(checks).unwrap_or(u32::MAX));
}

fn checks(region: &str, outcome: Outcome, checks: u64) {
    counter!(CHECKS, "region" => region.to_owned(), "result" => outcome.as_str()).increment(checks);
}
