#![doc = include_str!("../README.md")]

mod announce;
pub mod audit;
mod connector;
pub mod failure;
pub mod group;
pub mod jobs;
pub mod json;
pub mod lease;
mod link;
pub mod listener;
mod maintenance;
pub mod metering;
pub mod migrate;
pub mod moment;
pub mod names;
pub mod pool;
pub mod reader;
#[expect(missing_docs, reason = "the migrations say what tables and columns hold")]
pub mod schema;
pub mod set_aside;
mod shared_secrets;
pub mod statement;
pub mod switch_panel;
pub mod switches;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod tls;
pub mod turns;
mod watch;
mod wire;
