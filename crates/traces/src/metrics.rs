//! The metrics of spans.

use metrics::{Unit, counter, describe_counter};

const SPANS: &str = "pharos_trace_spans_total";

/// The ends that a span may come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The collector took it.
    Exported,
    /// The queue was full.
    Dropped,
    /// The collector did not take it, or was away for too long.
    Refused,
}

/// Describes the metrics of this crate.
pub fn describe() {
    describe_counter!(
        SPANS,
        Unit::Count,
        "Spans of traces, by outcome: exported, dropped since the queue was full, or refused by the collector"
    );
}

/// Counts spans that came to an end.
pub fn count(outcome: Outcome, spans: usize) {
    let outcome = match outcome {
        Outcome::Exported => "exported",
        Outcome::Dropped => "dropped",
        Outcome::Refused => "refused",
    };
    // Looked up each time: spans are few, and the first may end before anything records.
    counter!(SPANS, "outcome" => outcome).increment(u64::try_from(spans).unwrap_or(u64::MAX));
}
