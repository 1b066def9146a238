#![doc = include_str!("../README.md")]

pub mod collect;
mod dictionary;
pub mod experiments;
mod groupings;
mod ports;
pub mod reads;
pub mod reports;
pub mod rollups;
mod schema;
pub mod sites;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long what visitors did is kept, as PostgreSQL says it.
const KEPT: &str = "10 years";
