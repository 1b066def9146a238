//! Charging reads, and logging what costs nothing.

mod committer;
pub mod meter;
pub mod queues;
mod seen;
mod sink;
