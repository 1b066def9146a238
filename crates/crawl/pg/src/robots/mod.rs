//! The robots.txt of sites.

pub mod alert_metrics;
pub mod reads;
pub(crate) mod row;
pub mod schedule;
mod test_urls;
