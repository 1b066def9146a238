#![doc = include_str!("../README.md")]

#[macro_use]
mod names;
#[cfg(feature = "monitoring")]
pub mod caller;
pub mod robots;
pub mod sitemap;
