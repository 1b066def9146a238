#![doc = include_str!("../README.md")]

pub mod key;
pub mod links;
pub mod store;
