#![doc = include_str!("../README.md")]

pub mod alert;
pub mod announcement;
pub mod catalogue;
pub mod course;
pub mod delivery;
pub mod evaluate;
pub mod evaluator;
#[cfg(test)]
mod fixture;
pub mod message;
pub mod metrics;
pub mod notification;
mod questions;
mod reading;
pub mod rule;
pub mod shares;
pub mod store;
pub mod trend;

// Other groups need it, too, so it is in `domain`.
pub use pharos_domain::severity;
