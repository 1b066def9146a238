#![doc = include_str!("../README.md")]

mod alert_metrics;
mod budgets;
mod files;
mod page_lab;
mod pages;
mod ports;
mod row;
mod runs;
pub mod schedule;
mod schema;
mod standings;
mod store;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long runs are kept, as PostgreSQL says it.
const KEPT: &str = "12 months";
