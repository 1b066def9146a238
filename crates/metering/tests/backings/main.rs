//! Limits and cache, each suite on every backing: what holds in memory holds in Redis. Each test that needs a Redis
//! starts one of its own.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod away;
mod cache;
mod harness;
mod limits;
mod tls;
