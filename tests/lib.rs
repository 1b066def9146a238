#![doc = include_str!("README.md")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

pub mod stores;
