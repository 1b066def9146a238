//! One suite for every limiter.

mod agreement;
mod clocks;
mod hourly;
mod keys;
mod model;
mod orders;
mod permits;
mod windows;

use std::sync::Arc;

use pharos_domain::{
    identity::Source,
    ids::{CredentialId, WorkspaceId},
    permit::Permit,
};
use pharos_http::{
    metering::{Admission, LimitBucket, LimitRequest, RateLimiter, Standing},
    spec::{Bucket, OperationSpec},
};
use pharos_metering::limits::{memory::MemoryRateLimiter, policy::Limits, redis::RedisRateLimiter};
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::harness::RedisServer;

/// An operation that counts in `general` alone.
pub(crate) static CHEAP: OperationSpec = OperationSpec {
    id: "cheap",
    ..OperationSpec::GET
};
/// An analytical read.
pub(crate) static HEAVY: OperationSpec = OperationSpec {
    id: "heavy",
    bucket: Bucket::HeavyQuery,
    ..OperationSpec::GET
};
/// A run.
pub(crate) static RUN: OperationSpec = OperationSpec {
    id: "run",
    bucket: Bucket::Run,
    ..OperationSpec::GET
};
/// A RUM read, of which a client may do 20 a minute.
pub(crate) static RUM: OperationSpec = OperationSpec {
    id: "rum",
    bucket: Bucket::HeavyQuery,
    rum_read: Some(20),
    ..OperationSpec::GET
};
/// Another, of which it may do 15.
pub(crate) static OTHER_RUM: OperationSpec = OperationSpec {
    id: "otherRum",
    rum_read: Some(15),
    ..RUM
};

/// The first moment of a slice, of a minute and not of a day.
pub(crate) const NOON: OffsetDateTime = datetime!(2026-03-31 12:00:00 UTC);

/// A limiter, and what it counts on.
pub(crate) struct Backing {
    pub(crate) limiter: Arc<dyn RateLimiter>,
    server: Option<RedisServer>,
}

impl Backing {
    pub(crate) fn in_memory() -> Self {
        Self::in_memory_with(Limits::default())
    }

    pub(crate) async fn in_redis() -> Self {
        Self::in_redis_with(Limits::default()).await
    }

    pub(crate) fn in_memory_with(limits: Limits) -> Self {
        Self {
            limiter: Arc::new(MemoryRateLimiter::new().with(limits)),
            server: None,
        }
    }

    pub(crate) async fn in_redis_with(limits: Limits) -> Self {
        let server = RedisServer::start();
        let limiter = RedisRateLimiter::new(server.connect().await, &[7; 32]).with(limits);
        Self {
            limiter: Arc::new(limiter),
            server: Some(server),
        }
    }

    /// All keys in Redis, and how many seconds each lives still.
    pub(crate) fn keys(&self) -> Vec<(String, i64)> {
        self.server.as_ref().map(RedisServer::keys).unwrap_or_default()
    }

    /// Asks for a client again and again, and gives every permit back at once. How often it was admitted before the
    /// first refusal, and that.
    pub(crate) async fn exhaust(
        &self,
        client: Client,
        spec: &'static OperationSpec,
        now: OffsetDateTime,
    ) -> (u32, Refusal) {
        let (mut admitted, mut waited) = (0, 0);
        loop {
            match self.limiter.admit(&client.asks(spec, now)).await {
                Admission::Admitted { permit, .. } => {
                    drop(permit);
                    admitted += 1;
                }
                // In Redis a permit is given back besides the requests, a moment later.
                Admission::Refused {
                    bucket: LimitBucket::HeavyQueriesAtOnce | LimitBucket::WorkspaceHeavyQueriesAtOnce,
                    ..
                } if waited < 1_000 => {
                    waited += 1;
                    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                }
                other => return (admitted, Refusal::of(other)),
            }
        }
    }

    pub(crate) async fn admit(
        &self,
        client: Client,
        spec: &'static OperationSpec,
        now: OffsetDateTime,
    ) -> (Standing, Permit) {
        match self.limiter.admit(&client.asks(spec, now)).await {
            Admission::Admitted { standing, permit } => (standing, permit),
            other => panic!("not admitted: {other:?}"),
        }
    }

    pub(crate) async fn refuse(
        &self,
        client: Client,
        spec: &'static OperationSpec,
        now: OffsetDateTime,
    ) -> Refusal {
        Refusal::of(self.limiter.admit(&client.asks(spec, now)).await)
    }

    /// Counts `times` requests in `general`, at once.
    pub(crate) async fn count(&self, client: Client, times: usize, now: OffsetDateTime) {
        let request = client.asks(&CHEAP, now);
        let asked = (0..times).map(|_| self.limiter.admit(&request));
        for admission in futures_util::future::join_all(asked).await {
            assert!(matches!(admission, Admission::Admitted { .. }), "{admission:?}");
        }
    }
}

/// The contents of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) bucket: LimitBucket,
    pub(crate) retry_after_seconds: u32,
    pub(crate) standing: Standing,
}

impl Refusal {
    fn of(admission: Admission) -> Self {
        match admission {
            Admission::Refused {
                bucket,
                retry_after_seconds,
                standing,
            } => Self {
                bucket,
                retry_after_seconds,
                standing,
            },
            other => panic!("not refused: {other:?}"),
        }
    }
}

/// Whose buckets count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) credential: CredentialId,
    pub(crate) workspace: Option<WorkspaceId>,
    pub(crate) source: Source,
}

impl Client {
    /// One that nobody has heard of.
    pub(crate) fn new() -> Self {
        Self {
            credential: CredentialId::generate(),
            workspace: Some(WorkspaceId::generate()),
            source: from("203.0.113.7"),
        }
    }

    /// The same workspace and address with another credential.
    pub(crate) fn another(self) -> Self {
        Self {
            credential: CredentialId::generate(),
            ..self
        }
    }

    pub(crate) fn at(self, address: &str) -> Self {
        Self {
            source: from(address),
            ..self
        }
    }

    pub(crate) fn asks(self, spec: &'static OperationSpec, now: OffsetDateTime) -> LimitRequest {
        LimitRequest {
            spec,
            credential: self.credential,
            workspace: self.workspace,
            source: self.source,
            now,
        }
    }
}

pub(crate) fn from(address: &str) -> Source {
    Source(Some(address.parse().unwrap()))
}

/// So much after noon.
pub(crate) fn noon_and(seconds: i64, milliseconds: i64) -> OffsetDateTime {
    NOON + Duration::seconds(seconds) + Duration::milliseconds(milliseconds)
}
