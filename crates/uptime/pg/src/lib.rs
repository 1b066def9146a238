#![doc = include_str!("../README.md")]

pub mod addresses;
pub mod alert_metrics;
pub mod certificates;
mod check_row;
pub mod checks;
pub mod history;
pub mod incidents;
pub mod monitors;
mod ports;
pub mod registrations;
pub mod rollups;
pub mod schedule;
mod schema;
mod span_row;
pub mod status_pages;
mod stored;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long what monitoring found is kept, as PostgreSQL says it.
const KEPT: &str = "12 months";
