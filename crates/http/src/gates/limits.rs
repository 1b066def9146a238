//! Rate limits: does the caller come too often? 429.

use pharos_domain::problem::Suffix;

use crate::{
    metering::{Admission, LimitBucket},
    passage::Passage,
    problem::{Extras, Problem},
};

/// Asks what the limiter said, and notes it for the headers.
pub(super) struct LimitGate(pub(super) Admission);

impl LimitGate {
    pub(super) fn pass(self, passage: &mut Passage) -> Result<(), Problem> {
        match self.0 {
            Admission::Admitted { standing, slot } => {
                passage.standing = Some(standing);
                passage.slot = slot;
                Ok(())
            }
            Admission::Refused {
                bucket,
                retry_after_seconds,
                standing,
            } => {
                passage.standing = Some(standing);
                Err(refused(bucket, retry_after_seconds))
            }
            Admission::Open => {
                passage.cache = pharos_domain::credits::CacheOutcome::Unavailable;
                Ok(())
            }
        }
    }
}

/// 429, with the bucket that refused.
pub(crate) fn refused(bucket: LimitBucket, retry_after_seconds: u32) -> Problem {
    let name = bucket.as_str();
    let detail = format!("The bucket {name} is empty; it lets requests in again in {retry_after_seconds} s.");
    Problem {
        extras: Box::new(Extras {
            bucket: Some(name),
            retry_after_seconds: Some(retry_after_seconds),
            ..Extras::default()
        }),
        ..Problem::new(Suffix::RateLimited, detail).retry_after(retry_after_seconds)
    }
}
