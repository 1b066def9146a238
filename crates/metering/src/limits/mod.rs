//! Who comes too often: the buckets of a request, counted in memory or in Redis.

mod counters;
mod entries;
mod hourly;
mod judgement;
mod keys;
pub mod memory;
mod permits;
pub mod policy;
pub mod redis;
mod request_time;
