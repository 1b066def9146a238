//! Credentials and keys.

pub mod credentials;
pub mod keys;
