#![doc = include_str!("../README.md")]

mod address;
pub mod beacon;
pub mod bots;
pub mod client;
pub mod collector;
pub mod metrics;
pub mod queue;
pub mod script;
pub mod sites;
#[cfg(test)]
mod testing;
mod traces;
pub mod visitor;
pub mod vitals_beacon;
pub mod writer;
