#![doc = include_str!("../README.md")]

pub mod collect;
pub mod crux;
mod dictionary;
mod ports;
pub mod reads;
pub mod releases;
pub mod rollups;
mod schema;
pub mod sites;
pub mod source_maps;
mod upkeep;

pub use self::upkeep::GROUP;

/// How long views are kept, as PostgreSQL says it.
const KEPT: &str = "16 months";
