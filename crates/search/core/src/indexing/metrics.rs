//! The metrics of inspections.

use metrics::{Unit, counter, describe_counter};

use super::{inspection::Inspection, inspector::InspectError};

const INSPECTIONS: &str = "pharos_indexing_inspections_total";

/// The inspections of the rotation.
pub(super) const ROTATION: &str = "rotation";
/// Those of inspector runs.
pub(super) const RUN: &str = "run";

/// Describes the metrics of this module.
pub fn describe() {
    describe_counter!(
        INSPECTIONS,
        Unit::Count,
        "Inspections of URLs by Search Console, by what asked for them and by result"
    );
}

/// Begins the metrics at zero.
pub fn begin() {
    for asked_by in [ROTATION, RUN] {
        for result in ["done", "failed", "limited"] {
            counter!(INSPECTIONS, "kind" => asked_by, "result" => result).increment(0);
        }
    }
}

/// Records an inspection.
pub(super) fn inspected(asked_by: &'static str, found: &Result<Inspection, InspectError>) {
    let result = match found {
        Ok(_) => "done",
        Err(InspectError::DayExhausted | InspectError::Busy { .. }) => "limited",
        Err(_) => "failed",
    };
    counter!(INSPECTIONS, "kind" => asked_by, "result" => result).increment(1);
}
