//! robots.txt, as RFC 9309 and Google's documentation have it.

pub mod access;
pub mod asked;
pub mod change;
pub mod crawlers;
pub mod directive;
pub mod effort;
pub mod file;
pub mod in_order;
pub mod issue;
pub mod line;
mod lint;
#[cfg(feature = "monitoring")]
pub mod monitor;
mod obeyed;
pub mod outcome;
pub mod overlap;
pub mod pattern;
