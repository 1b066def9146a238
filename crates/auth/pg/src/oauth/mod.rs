//! The authorization server: clients, grants, signing keys.

pub mod clients;
pub mod grants;
pub mod signing_keys;
