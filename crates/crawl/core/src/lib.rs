#![doc = include_str!("../README.md")]

#[macro_use]
mod names;
#[cfg(feature = "monitoring")]
pub mod caller;
#[cfg(feature = "monitoring")]
pub mod hosts;
#[cfg(feature = "monitoring")]
pub mod intervals;
pub mod robots;
pub mod sitemap;
