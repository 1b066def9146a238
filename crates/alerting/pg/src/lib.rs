#![doc = include_str!("../README.md")]

pub mod alerts;
pub mod announcements;
pub mod channels;
pub mod deliveries;
pub mod evaluations;
pub mod notifications;
mod reach;
mod resolve;
pub mod rules;
mod schema;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long alerts and notifications are kept, as PostgreSQL says it.
const KEPT: &str = "12 months";
