//! The metrics of collection. None of them names a site.

use std::time::Duration;

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

const BEACONS: &str = "pharos_beacons_total";
const BATCH_SIZE: &str = "pharos_beacon_batch_size";
const BATCH: &str = "pharos_beacon_batch_duration_seconds";
const QUEUED: &str = "pharos_beacons_queued";

/// Describes the metrics of this group.
pub fn describe() {
    describe_counter!(
        BEACONS,
        Unit::Count,
        "Beacons by kind and by what became of them: stored, unstored (the store failed), left_out, bot, refused"
    );
    describe_histogram!(
        BATCH_SIZE,
        Unit::Count,
        "Beacons that were stored in one batch, by kind"
    );
    describe_histogram!(
        BATCH,
        Unit::Seconds,
        "Time that a batch of beacons took to be stored, by kind"
    );
    describe_gauge!(QUEUED, Unit::Count, "Beacons that wait to be stored, by kind");
}

/// Records a beacon that is not stored, and why.
pub(crate) fn ended(kind: &'static str, outcome: &'static str) {
    beacons(kind, outcome, 1);
}

/// Records a batch that was stored.
pub(crate) fn stored(kind: &'static str, count: usize, took: Duration) {
    beacons(kind, "stored", count);
    histogram!(BATCH_SIZE, "kind" => kind).record(u32::try_from(count).unwrap_or(u32::MAX));
    histogram!(BATCH, "kind" => kind).record(took);
}

/// Records a batch that the store did not take.
pub(crate) fn unstored(kind: &'static str, count: usize) {
    beacons(kind, "unstored", count);
}

/// Records how many wait.
pub(crate) fn queued(kind: &'static str, count: usize) {
    gauge!(QUEUED, "kind" => kind).set(u32::try_from(count).unwrap_or(u32::MAX));
}

fn beacons(kind: &'static str, outcome: &'static str, count: usize) {
    counter!(BEACONS, "kind" => kind, "outcome" => outcome)
        .increment(u64::try_from(count).unwrap_or(u64::MAX));
}
