//! The sitemaps of sites.

pub mod alert_metrics;
pub mod archive;
pub mod conflicts;
mod files;
pub mod languages;
pub mod listed;
pub mod reads;
mod row;
pub mod samples;
pub mod schedule;
