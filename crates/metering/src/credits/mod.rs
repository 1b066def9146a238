//! Charging reads, and logging what costs nothing.

pub mod store;
