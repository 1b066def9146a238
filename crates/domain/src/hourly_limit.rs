//! Limits an hour, for callers who are not known yet: the port that counts them.

use async_trait::async_trait;
use time::OffsetDateTime;

/// A limit an hour, for callers who are not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourlyLimit {
    /// Requests under one name are counted together.
    pub name: &'static str,
    /// How much an hour.
    pub per_hour: u32,
}

/// A request that is counted against such a limit.
#[derive(Clone, Copy, Debug)]
pub struct HourlyRequest<'a> {
    /// The limit that the subject is counted against.
    pub limit: HourlyLimit,
    /// Whose: a client's network, an account. Only its hash is kept.
    pub subject: &'a [u8],
    /// How much of the limit it takes.
    pub weight: u32,
    /// When.
    pub now: OffsetDateTime,
}

/// Whether a request was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HourlyAdmission {
    /// It was let in and counted.
    Admitted,
    /// It was refused, and not counted.
    Refused {
        /// When to come again.
        retry_after_seconds: u32,
    },
}

/// Counts requests of those who are not known yet.
#[async_trait]
pub trait HourlyLimiter: Send + Sync {
    /// Judges a request by a sliding window of an hour, and counts it if it is let in. The limit holds without a
    /// backing, too, since it bounds guesses.
    async fn admit_hourly(&self, request: &HourlyRequest<'_>) -> HourlyAdmission;
}
