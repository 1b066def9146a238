#![doc = include_str!("../README.md")]

pub mod alert_metrics;
pub mod availability;
pub mod block;
pub mod certificate;
pub mod check;
pub mod checker;
pub mod complete;
pub mod error_class;
pub mod finished;
#[cfg(test)]
mod fixture;
pub mod history;
pub mod incident;
pub mod knowledge;
pub mod metrics;
pub mod monitor;
pub mod probe;
pub mod regions;
pub mod registration;
pub mod run;
pub mod schedule;
pub mod scheduler;
pub mod sites;
pub mod slots;
pub mod state;
pub mod status;
pub mod status_page;
pub mod store;
