//! The ports to what is stored of inspections.

pub mod reads;
pub mod runs;
pub mod schedule;
pub mod urls;
