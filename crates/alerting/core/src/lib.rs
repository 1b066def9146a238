#![doc = include_str!("../README.md")]

pub mod alert;
pub mod catalogue;
pub mod delivery;
pub mod evaluate;
pub mod evaluator;
#[cfg(test)]
mod fixture;
pub mod message;
pub mod notification;
pub mod rule;
pub mod severity;
pub mod store;
pub mod trend;
