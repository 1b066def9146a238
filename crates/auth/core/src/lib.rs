#![doc = include_str!("../README.md")]

pub mod authenticator;
pub mod cache;
pub mod failures;
mod footprint;
pub mod keys;
pub mod last_used;
pub mod oauth;
pub mod secret;
pub mod sign_in;
pub mod store;
