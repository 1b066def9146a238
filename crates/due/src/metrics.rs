//! The metrics of what is due again and again.

use metrics::{Histogram, Unit, describe_histogram, histogram};

use crate::work::DueWork;

const LAG: &str = "pharos_due_lag_seconds";

/// Describes the metrics of this crate.
pub fn describe() {
    describe_histogram!(
        LAG,
        Unit::Seconds,
        "Time from when a thing was due to when it began, by kind; checks and alert rules have metrics of their own"
    );
}

/// How late things of a kind begin; `None` where their work tells that by itself.
pub(crate) fn lag<W: DueWork>() -> Option<Histogram> {
    (!W::TELLS_ITS_LAG).then(|| histogram!(LAG, "kind" => W::NAME))
}
