//! Answers kept for a while, in memory or in Redis.

pub mod memory;
pub mod redis;

use std::time::Duration;

/// No answer is kept for longer. A generation has to outlive every answer of the one before it.
const LONGEST: Duration = Duration::from_secs(3_600);
