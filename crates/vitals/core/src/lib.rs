#![doc = include_str!("../README.md")]

pub mod alert_metrics;
pub mod behaviour;
pub mod block;
pub mod causes;
pub mod chosen;
#[cfg(feature = "testing")]
pub mod conformance;
pub mod crux;
pub mod error_group;
pub mod errors;
pub mod impact;
pub mod loads;
pub mod metric;
pub mod overview;
pub mod pages;
pub mod providers;
pub mod redact;
pub mod releases;
pub mod settings;
pub mod slices;
pub mod source_maps;
pub mod store;
pub mod texts;
pub mod trends;
mod url_pattern;
