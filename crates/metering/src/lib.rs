#![doc = include_str!("../README.md")]

pub mod cache;
pub mod credits;
pub mod limits;
pub mod metrics;
pub mod redis;
pub mod refusals;
#[cfg(feature = "testing")]
pub mod testing;
