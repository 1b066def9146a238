#![doc = include_str!("../README.md")]

#[macro_use]
mod names;
pub mod robots;
pub mod sitemap;
