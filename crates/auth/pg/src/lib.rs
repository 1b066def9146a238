#![doc = include_str!("../README.md")]

pub mod credentials;
pub mod keys;
pub mod oauth;
mod ports;
mod reach;
mod schema;
pub mod sign_in;
mod upkeep;

pub use self::upkeep::GROUP;
