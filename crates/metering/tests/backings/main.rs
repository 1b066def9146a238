//! Limits and cache, each suite on every backing: what holds in memory holds in Redis.

mod away;
mod cache;
mod harness;
mod limits;
