#![doc = include_str!("../README.md")]

pub mod actions;
pub mod alert_metrics;
pub mod block;
pub mod breakdown;
pub mod channel;
pub mod commerce;
#[cfg(feature = "testing")]
pub mod conformance;
mod currency;
pub mod dimension;
pub mod experiments;
pub mod filter;
pub mod filter_texts;
pub mod funnel;
pub mod overview;
pub mod page_path;
pub mod pages;
pub mod paths;
pub mod properties;
pub mod realtime;
pub mod reports;
pub mod sessions;
pub mod settings;
pub mod store;
pub mod timeseries;
