//! Uptime: monitors, their schedule, and what checks found.

pub mod certificates;
mod check_row;
pub mod checks;
pub mod history;
pub mod incidents;
pub mod monitors;
pub mod registrations;
pub(crate) mod rollups;
pub mod runs;
pub mod schedule;

/// How long what monitoring found is kept, as PostgreSQL says it.
pub(crate) const KEPT: &str = "12 months";
