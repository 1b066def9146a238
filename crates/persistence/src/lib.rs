#![doc = include_str!("../README.md")]

mod announce;
pub mod audit;
pub mod backup;
pub mod clock;
mod connector;
pub mod dictionary;
pub mod due;
pub mod facts;
pub mod failure;
pub mod group;
pub mod jobs;
pub mod json;
pub mod kit;
mod link;
pub mod listener;
mod maintenance;
pub mod metering;
mod metric_events;
pub mod metrics;
pub mod migrate;
pub mod missing;
pub mod moment;
pub mod names;
pub mod notices;
pub mod pool;
pub mod pooled;
pub mod quota;
pub mod reader;
pub mod runs;
#[expect(missing_docs, reason = "the migrations say what tables and columns hold")]
pub mod schema;
pub mod seal;
pub mod set_aside;
mod shared_secrets;
pub mod shares;
pub mod statement;
pub mod switch_panel;
pub mod switches;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod tls;
mod traces;
pub mod upkeep_failures;
mod watch;
pub mod wide_pulls;
mod wire;
