//! Search performance, as Search Console gives it.

pub mod accounts;
pub mod alert_metrics;
pub mod analysis;
pub mod annotations;
pub mod block;
pub mod config;
pub mod consent;
pub mod curve;
pub mod days;
pub mod directories;
pub mod expression;
pub mod figures;
pub mod hours;
pub mod import;
pub mod importer;
pub mod link;
pub mod pacific;
pub mod place;
pub mod points;
pub mod property;
pub mod rankings;
pub mod reports;
pub mod run;
pub mod standing;
pub mod values;
pub mod watch;
