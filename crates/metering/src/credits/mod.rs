//! Charging reads, and logging what costs nothing.

mod committer;
pub mod meter;
mod sink;
pub mod store;
