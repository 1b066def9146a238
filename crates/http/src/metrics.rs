//! The metrics of requests. Handles are prepared once for each operation, so that a request looks none up.

use std::time::Duration;

use metrics::{Counter, Histogram, Unit, counter, describe_counter, describe_histogram, histogram};
use pharos_domain::{credits::CacheOutcome, problem::Suffix};

const REQUESTS: &str = "pharos_http_requests_total";
const DURATION: &str = "pharos_http_request_duration_seconds";
const REFUSALS: &str = "pharos_http_refusals_total";
const LOOKUPS: &str = "pharos_response_cache_lookups_total";

/// The classes of status that an answer may have, from 200 on.
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// Describes the metrics of this crate.
pub fn describe() {
    describe_counter!(
        REQUESTS,
        Unit::Count,
        "Requests answered, by operation and class of status; the operation is none where no operation was reached"
    );
    describe_histogram!(
        DURATION,
        Unit::Seconds,
        "Time from a request's head to its answer, by operation"
    );
    describe_counter!(
        REFUSALS,
        Unit::Count,
        "Requests refused, by the suffix of the problem that was answered"
    );
    describe_counter!(
        LOOKUPS,
        Unit::Count,
        "Look-ups in the response cache, by outcome: hit, miss or unavailable"
    );
}

/// The metrics of one operation.
#[derive(Clone, Debug)]
pub struct OperationMetrics {
    requests: [Counter; CLASSES.len()],
    duration: Histogram,
}

impl OperationMetrics {
    /// Those of the operation with this id.
    pub(crate) fn of(operation: &'static str) -> Self {
        Self {
            requests: CLASSES.map(|class| counter!(REQUESTS, "operation" => operation, "status" => class)),
            duration: histogram!(DURATION, "operation" => operation),
        }
    }

    /// Records that a request was answered with this status.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).saturating_sub(2);
        if let Some(requests) = self.requests.get(class) {
            requests.increment(1);
        }
        self.duration.record(took);
    }
}

/// The metrics of all requests alike.
#[derive(Debug)]
pub struct ServiceMetrics {
    /// Counts requests that lead to no operation.
    pub(crate) unrouted: OperationMetrics,
    /// In the order of the catalogue.
    refusals: Vec<Counter>,
    hits: Counter,
    misses: Counter,
    unavailable: Counter,
}

impl Default for ServiceMetrics {
    fn default() -> Self {
        let refusals = |suffix: &Suffix| counter!(REFUSALS, "problem" => suffix.as_str());
        let lookups = |outcome: &'static str| counter!(LOOKUPS, "outcome" => outcome);
        Self {
            unrouted: OperationMetrics::of("none"),
            refusals: Suffix::ALL.iter().map(refusals).collect(),
            hits: lookups("hit"),
            misses: lookups("miss"),
            unavailable: lookups("unavailable"),
        }
    }
}

impl ServiceMetrics {
    /// Records a refusal.
    pub(crate) fn refused(&self, suffix: Suffix) {
        // The catalogue lists the suffixes as they are declared.
        if let Some(refusals) = self.refusals.get(suffix as usize) {
            refusals.increment(1);
        }
    }

    /// Records a look-up in the response cache.
    pub(crate) fn looked_up(&self, outcome: CacheOutcome) {
        let lookups = match outcome {
            CacheOutcome::Hit => &self.hits,
            CacheOutcome::Miss => &self.misses,
            CacheOutcome::Unavailable => &self.unavailable,
        };
        lookups.increment(1);
    }
}
