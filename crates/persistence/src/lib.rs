#![doc = include_str!("../README.md")]

pub mod account;
mod announce;
mod audit;
pub mod auth;
mod connector;
mod failure;
pub mod jobs;
mod json;
mod lease;
mod link;
pub mod listener;
mod maintenance;
pub mod metering;
mod migrate;
mod moment;
mod names;
pub mod pool;
mod reader;
mod schema;
pub mod set_aside;
mod shared_secrets;
mod statement;
pub mod stores;
pub mod switch_panel;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod tls;
mod turns;
pub mod uptime;
mod watch;
mod wire;
