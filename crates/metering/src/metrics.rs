//! The metrics of charges and of the credit log.

use std::time::Duration;

use metrics::{Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, histogram};

const BATCH_SIZE: &str = "pharos_charge_batch_size";
const BATCH_DURATION: &str = "pharos_charge_batch_duration_seconds";
pub(crate) const CHARGES_QUEUED: &str = "pharos_charges_queued";
pub(crate) const ROWS_QUEUED: &str = "pharos_credit_log_rows_queued";
const REFUSALS_DROPPED: &str = "pharos_refusals_dropped_total";

/// Describes the metrics of this crate.
pub fn describe() {
    describe_histogram!(
        BATCH_SIZE,
        Unit::Count,
        "Charges of reads that were settled in one transaction"
    );
    describe_histogram!(
        BATCH_DURATION,
        Unit::Seconds,
        "Time that a batch of charges took to settle"
    );
    describe_gauge!(CHARGES_QUEUED, Unit::Count, "Charges that wait for a batch");
    describe_gauge!(
        ROWS_QUEUED,
        Unit::Count,
        "Rows of the credit log that wait to be written"
    );
    describe_counter!(
        REFUSALS_DROPPED,
        Unit::Count,
        "Refused requests that the console does not show, since more came at once than a node keeps in memory"
    );
}

/// Records refused requests that are not kept.
pub(crate) fn dropped_refusals(count: u64) {
    counter!(REFUSALS_DROPPED).increment(count);
}

/// The metrics of batches of charges.
pub(crate) struct BatchMetrics {
    size: Histogram,
    duration: Histogram,
}

impl BatchMetrics {
    pub(crate) fn new() -> Self {
        Self {
            size: histogram!(BATCH_SIZE),
            duration: histogram!(BATCH_DURATION),
        }
    }

    /// Records a batch that was settled.
    pub(crate) fn settled(&self, charges: usize, took: Duration) {
        self.size.record(count(charges));
        self.duration.record(took);
    }
}

/// A number as metrics take it. None that is counted here comes near the largest.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
