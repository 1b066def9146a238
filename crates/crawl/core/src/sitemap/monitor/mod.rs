//! Watching the sitemaps of sites: fetches, what changed, findings, conflicts with robots.txt, and what they come to.

pub mod address;
pub mod alert_metrics;
pub mod block;
pub mod checker;
mod claims;
pub mod conflicts;
pub mod fetch;
pub mod figures;
pub mod languages;
pub mod metrics;
pub mod outcome;
pub mod pages;
pub mod run;
pub mod sample;
pub mod site;
pub mod store;
pub mod watch;
