//! Google's API of Search Console: who asks, and how.

pub mod account;
pub mod client;
pub mod consent;
pub mod countries;
pub mod error;
pub mod search_analytics;
pub mod sitemaps;
pub mod sites;
mod texts;
pub mod token;
