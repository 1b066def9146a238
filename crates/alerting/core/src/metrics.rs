//! The metrics of rules and deliveries.

use std::time::Duration;

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

use crate::delivery::{kind::ChannelKind, store::AttemptEnd};

const LAG: &str = "pharos_alert_evaluation_lag_seconds";
const DELIVERIES: &str = "pharos_alert_deliveries_total";
const RESULTS: [&str; 5] = ["sent", "failed", "given_up", "switched_off", "dropped"];

/// Describes the metrics of this group.
pub fn describe() {
    describe_histogram!(
        LAG,
        Unit::Seconds,
        "Time from when an alert rule was due to when it was evaluated"
    );
    describe_counter!(
        DELIVERIES,
        Unit::Count,
        "Attempts at deliveries that ended, by kind of channel and result: sent, failed (it is tried again), given_up, \
         switched_off (the receiver wants nothing any more), or dropped (too many waited for the channel as it came)"
    );
}

/// Begins the metrics of deliveries at zero.
pub fn deliveries() {
    for kind in ChannelKind::ALL {
        for result in RESULTS {
            count(*kind, result, 0);
        }
    }
}

/// Records how late a rule was evaluated.
pub(crate) fn evaluated(lag: time::Duration) {
    // A rule that was due by a clock that is ahead is not late.
    histogram!(LAG).record(Duration::try_from(lag).unwrap_or(Duration::ZERO));
}

/// Records how an attempt at deliveries ended.
pub(crate) fn delivered(channel: ChannelKind, end: &AttemptEnd, deliveries: usize) {
    let [sent, failed, given_up, switched_off, _] = RESULTS;
    let result = match end {
        AttemptEnd::PutBack => return,
        AttemptEnd::Sent => sent,
        AttemptEnd::Again { .. } | AttemptEnd::Apart { .. } => failed,
        AttemptEnd::GivenUp { .. } => given_up,
        AttemptEnd::Gone { .. } => switched_off,
    };
    count(channel, result, u64::try_from(deliveries).unwrap_or(u64::MAX));
}

/// Records that so many deliveries were dropped as they came.
pub(crate) fn dropped(channel: ChannelKind, deliveries: u64) {
    let [.., dropped] = RESULTS;
    count(channel, dropped, deliveries);
}

fn count(channel: ChannelKind, result: &'static str, deliveries: u64) {
    counter!(DELIVERIES, "channel" => channel.as_str(), "result" => result).increment(deliveries);
}
