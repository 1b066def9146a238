#![doc = include_str!("../README.md")]

pub mod aggregate;
mod codec;
pub mod cut;
pub mod digits;
pub mod grain;
pub mod histogram;
pub mod progress;
