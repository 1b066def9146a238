#![doc = include_str!("../README.md")]

pub mod mails;
pub mod recipients;
pub mod runs;
pub mod schedules;
mod schema;
pub mod templates;
mod upkeep;

pub use self::upkeep::GROUP;
