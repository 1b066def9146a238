//! Charging reads, and logging what costs nothing.

mod committer;
pub mod meter;
mod seen;
mod sink;
