//! Credentials, keys, the authorization server, and how users sign in.

pub mod credentials;
pub mod keys;
pub mod oauth;
mod reach;
pub mod sign_in;
