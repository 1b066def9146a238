#![doc = include_str!("../README.md")]

pub mod google;
pub mod gsc;
pub mod indexing;
pub mod metrics;
