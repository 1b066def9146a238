#![doc = include_str!("../README.md")]

pub mod gsc;
pub mod indexing;
mod ports;
mod schema;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long days are kept, as PostgreSQL says it.
const KEPT: &str = "10 years";
