//! Watching the robots.txt of sites: fetches, versions, findings, and what they come to.

pub mod alert_metrics;
pub mod block;
pub mod checker;
pub mod complete;
pub mod evaluate;
pub mod fetch;
pub mod metrics;
pub mod run;
pub mod site;
pub mod store;
pub mod watch;
