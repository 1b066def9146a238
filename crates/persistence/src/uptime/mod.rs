//! Uptime: monitors, their schedule, and what checks found.

mod check_row;
pub mod checks;
pub mod monitors;
mod partitions;
pub mod schedule;
