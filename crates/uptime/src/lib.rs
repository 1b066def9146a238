#![doc = include_str!("../README.md")]

pub mod address_policy;
pub mod check;
#[cfg(feature = "http")]
pub mod http;
pub mod monitor;
pub mod probe;
pub mod scheduler;
pub mod state;
pub mod status;
pub mod store;
