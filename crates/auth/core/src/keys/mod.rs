//! API keys.

pub mod allowlist;
pub mod manage;
pub mod secret;
