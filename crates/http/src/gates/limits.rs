//! Rate limits: does the caller come too often? 429.

use pharos_domain::{credits::CacheOutcome, problem::Suffix};

use crate::{
    kit::Kit,
    metering::{Admission, LimitBucket, LimitRequest},
    problem::{Extras, Problem},
    request_context::RequestContext,
};

/// Asks what the limiter said, and notes it for the headers.
pub(super) struct LimitGate(pub(super) Admission);

impl LimitGate {
    pub(super) fn pass(self, context: &mut RequestContext) -> Result<(), Problem> {
        match self.0 {
            Admission::Admitted { standing, permit } => {
                context.standing = Some(standing);
                context.permit = permit;
                Ok(())
            }
            Admission::Refused {
                bucket,
                retry_after_seconds,
                standing,
            } => {
                context.standing = Some(standing);
                Err(refused(bucket, retry_after_seconds))
            }
            Admission::Open => {
                context.cache = CacheOutcome::Unavailable;
                Ok(())
            }
        }
    }
}

/// Notes for the headers how the buckets are of a request that another gate refuses: it takes nothing from them.
pub(super) async fn look(kit: &Kit, request: &LimitRequest, context: &mut RequestContext) {
    context.standing = kit.limiter.standing(request).await;
    if context.standing.is_none() {
        context.cache = CacheOutcome::Unavailable;
    }
}

/// 429, with the bucket that refused.
pub(crate) fn refused(bucket: LimitBucket, retry_after_seconds: u32) -> Problem {
    let name = bucket.as_str();
    let detail = match bucket {
        LimitBucket::HeavyQueriesAtOnce => {
            "5 analytical reads of this credential are under way, as many as may be at once. Send the next when one of \
             them has been answered."
                .to_owned()
        }
        LimitBucket::WorkspaceHeavyQueriesAtOnce => {
            "10 analytical reads of this workspace are under way, as many as may be at once. Send the next when one of \
             them has been answered."
                .to_owned()
        }
        LimitBucket::CredentialDaily => {
            format!(
                "This credential has used its requests of the UTC day, which ends in {retry_after_seconds} s."
            )
        }
        LimitBucket::WorkspaceDaily => {
            format!(
                "The workspace has used its requests of the UTC day, which ends in {retry_after_seconds} s."
            )
        }
        LimitBucket::General | LimitBucket::HeavyQuery | LimitBucket::Run | LimitBucket::RumRead => {
            format!("The bucket {name} is empty; it lets requests in again in {retry_after_seconds} s.")
        }
    };
    Problem {
        extras: Box::new(Extras {
            bucket: Some(name),
            retry_after_seconds: Some(retry_after_seconds),
            ..Extras::default()
        }),
        ..Problem::new(Suffix::RateLimited, detail).retry_after(retry_after_seconds)
    }
}
