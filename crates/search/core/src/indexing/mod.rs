//! Whether pages are in Google's index, as the inspection of URLs of Search Console says it.

pub mod alert_metrics;
pub mod block;
pub mod canonical;
pub mod change;
pub mod coverage;
pub mod gaps;
mod gather;
pub mod inspection;
pub mod inspector;
pub mod metrics;
pub mod pages;
pub mod quota;
pub mod rotation;
pub mod run;
pub mod states;
pub mod store;
pub mod target;
pub mod upstream;
