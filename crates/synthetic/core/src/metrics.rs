//! The metrics of the lab.

use std::time::Duration;

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};
use pharos_egress::client::EgressError;

use crate::pagespeed::PageSpeedError;

const RUNS: &str = "pharos_lab_runs_total";
const WAIT: &str = "pharos_lab_wait_seconds";
const LOAD: &str = "pharos_lab_load_seconds";
const REFUSED: &str = "pharos_lab_refused_requests_total";
const PAGESPEED: &str = "pharos_lab_pagespeed_requests_total";

/// Describes the metrics of this crate.
pub fn describe() {
    describe_counter!(RUNS, Unit::Count, "Lab tests that ended on this node, by result");
    describe_histogram!(
        WAIT,
        Unit::Seconds,
        "Time from when a lab test was asked for, or due, to when this node began it"
    );
    describe_histogram!(
        LOAD,
        Unit::Seconds,
        "How long one load of a page took, browser and judgement included"
    );
    describe_counter!(
        REFUSED,
        Unit::Count,
        "Requests of browsers that were refused, since they led to an address that is not allowed"
    );
    describe_counter!(
        PAGESPEED,
        Unit::Count,
        "Requests to PageSpeed Insights, by outcome: answered, quota, refused or unreachable"
    );
}

/// Begins the metrics at zero.
pub fn begin() {
    for result in ["measured", "unmeasurable", "failed"] {
        counter!(RUNS, "result" => result).increment(0);
    }
    counter!(REFUSED).increment(0);
    for outcome in ["answered", "quota", "refused", "unreachable"] {
        counter!(PAGESPEED, "outcome" => outcome).increment(0);
    }
}

/// PageSpeed Insights was asked, or was to be asked and its turn was too far off.
pub(crate) fn asked(asked: &Result<Vec<u8>, PageSpeedError>) {
    let outcome = match asked {
        Ok(_) | Err(PageSpeedError::NoResult) => "answered",
        Err(
            PageSpeedError::Quota
            | PageSpeedError::Egress(EgressError::RateLimited { .. } | EgressError::NotYet { .. }),
        ) => "quota",
        Err(PageSpeedError::Egress(_)) => "unreachable",
        Err(PageSpeedError::Unfit(_) | PageSpeedError::Refused { .. }) => "refused",
    };
    counter!(PAGESPEED, "outcome" => outcome).increment(1);
}

pub(crate) fn ended(result: &'static str) {
    counter!(RUNS, "result" => result).increment(1);
}

/// A run has begun for the first time.
pub(crate) fn waited(for_how_long: Duration) {
    histogram!(WAIT).record(for_how_long);
}

pub(crate) fn loaded(took: Duration) {
    histogram!(LOAD).record(took);
}

pub(crate) fn refused() {
    counter!(REFUSED).increment(1);
}
