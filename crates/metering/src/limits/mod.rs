//! Who comes too often: the buckets of a request, counted in memory or in Redis.

mod hourly;
mod judgement;
mod keys;
pub mod memory;
mod moment;
mod places;
pub mod policy;
pub mod redis;
mod tally;
