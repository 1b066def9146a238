#![doc = include_str!("../README.md")]

pub mod bucket;
mod connector;
pub mod folder;
pub mod key;
pub mod links;
mod replacement;
pub mod store;
