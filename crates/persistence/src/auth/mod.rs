//! Credentials, keys, and the authorization server.

pub mod credentials;
pub mod keys;
pub mod oauth;
mod reach;
