#![doc = include_str!("../README.md")]

pub mod hosts;
pub mod intervals;
mod ports;
pub mod robots;
mod schema;
pub mod sitemap;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long checks are kept, as PostgreSQL says it.
const KEPT: &str = "12 months";
