#![doc = include_str!("../README.md")]

pub mod audit;
pub mod clock;
pub mod credits;
pub mod day;
pub mod hostname;
pub mod identity;
pub mod ids;
pub mod invalidation;
pub mod jobs;
pub mod ledger;
pub mod module;
pub mod module_block;
pub mod page;
pub mod patch;
pub mod permit;
pub mod problem;
pub mod replays;
pub mod role;
pub mod runs;
pub mod scope;
pub mod store;
pub mod switches;
pub mod timestamp;
pub mod window;
mod wire;
