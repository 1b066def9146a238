#![doc = include_str!("../README.md")]

pub mod address_policy;
pub mod client;
pub mod coding;
pub mod connect;
pub mod exchange;
pub mod pace;
pub mod redirect;
pub mod resolver;
pub mod retry_after;
#[cfg(feature = "testing")]
pub mod testing;
pub mod trust;
