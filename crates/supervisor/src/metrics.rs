//! The metrics of background tasks.

use metrics::{Counter, Unit, counter, describe_counter};

use crate::Task;

const RESTARTS: &str = "pharos_task_restarts_total";

/// Describes the metrics of this crate.
pub fn describe() {
    describe_counter!(
        RESTARTS,
        Unit::Count,
        "Panics and early ends after which a background task began anew, by task"
    );
}

/// Counts how often a task begins anew.
pub(crate) fn restarts(task: Task) -> Counter {
    counter!(RESTARTS, "task" => task.name)
}
