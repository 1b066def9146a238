//! Search performance.

pub mod accounts;
pub mod analysis;
pub mod config;
pub mod consents;
pub mod hours;
pub mod import;
mod judged;
pub mod links;
pub mod property;
pub mod reads;
pub(crate) mod reports;
pub(crate) mod retention;
pub(crate) mod seal;
pub mod sitemaps;
pub mod standing;
mod turn;
