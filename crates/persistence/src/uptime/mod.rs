//! Uptime: monitors, their schedule, and what checks found.

mod check_row;
pub mod checks;
pub mod history;
pub mod incidents;
pub mod monitors;
pub mod runs;
pub mod schedule;
