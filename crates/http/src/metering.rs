//! The ports of the gates that count: rate limits, response cache, credits.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use pharos_domain::{
    credits::{Exhaustion, LogEntry, Payer, SettleError},
    hourly_limit::HourlyLimiter,
    identity::Source,
    ids::{CredentialId, DomainId, WorkspaceId},
    kept_answers::KeptAnswers,
    module::Module,
    permit::Permit,
    store::StoreError,
};
use time::OffsetDateTime;

use crate::{spec::OperationSpec, validator::EntityTag};

/// The limits that may refuse a request for coming too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitBucket {
    /// 600 requests a minute of a credential.
    General,
    /// 120 analytical reads a minute of a credential.
    HeavyQuery,
    /// 5 analytical reads of a credential at once.
    HeavyQueriesAtOnce,
    /// 10 analytical reads of a workspace at once, by all its credentials.
    WorkspaceHeavyQueriesAtOnce,
    /// 20 runs a minute of a credential.
    Run,
    /// The limit a minute of one RUM route, for one client address.
    RumRead,
    /// 50,000 requests a UTC day of a credential.
    CredentialDaily,
    /// 200,000 requests a UTC day of a workspace.
    WorkspaceDaily,
}

impl LimitBucket {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::HeavyQuery | Self::HeavyQueriesAtOnce | Self::WorkspaceHeavyQueriesAtOnce => "heavy-query",
            Self::Run => "run",
            Self::RumRead => "rum-read",
            Self::CredentialDaily => "credential-daily",
            Self::WorkspaceDaily => "workspace-daily",
        }
    }
}

/// A request that wants to be let in.
#[derive(Clone, Copy, Debug)]
pub struct LimitRequest {
    /// The operation, whose spec says which buckets count.
    pub spec: &'static OperationSpec,
    /// The credential whose buckets count.
    pub credential: CredentialId,
    /// The workspace whose daily ceiling counts: the path's where the credential reaches it, else the credential's
    /// default.
    pub workspace: Option<WorkspaceId>,
    /// The address whose rum-read bucket counts.
    pub source: Source,
    /// The time by the node's clock.
    pub now: OffsetDateTime,
}

/// The bucket that will refuse first: the one with the least remaining of those that count for a request, without rum-read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The most requests that it lets through in its time.
    pub limit: u32,
    /// Requests left of it after this one.
    pub remaining: u32,
    /// When its oldest counted slice leaves, or its day ends, in seconds of the Unix epoch.
    pub reset: i64,
}

/// A limiter's judgement of a request.
#[derive(Debug)]
pub enum Admission {
    /// It was let in, and counted in every one of its buckets.
    Admitted {
        /// The figures for the answer's headers.
        standing: Standing,
        /// Held until the request is over.
        permit: Permit,
    },
    /// It was refused, and counted in none.
    Refused {
        /// The bucket that refused.
        bucket: LimitBucket,
        /// When to come again.
        retry_after_seconds: u32,
        /// The figures for the answer's headers.
        standing: Standing,
    },
    /// The backing can't be reached: the buckets are open.
    Open,
}

/// Lets requests in. All buckets of a request are checked and taken in one atomic step.
#[async_trait]
pub trait RateLimiter: HourlyLimiter {
    /// Judges a request, and counts it if it is let in.
    async fn admit(&self, request: &LimitRequest) -> Admission;

    /// The figures for the headers of a request that is refused before it is judged, and so is not counted; `None` while the
    /// backing can't be reached.
    async fn standing(&self, request: &LimitRequest) -> Option<Standing>;
}

/// The key of a cached answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey {
    /// The operation's id.
    pub operation: &'static str,
    /// The module whose generation counts.
    pub module: Module,
    /// The workspace that pays.
    pub workspace: WorkspaceId,
    /// The scope of the data: the domain; `None`: the workspace.
    pub domain: Option<DomainId>,
    /// The parsed parameters, in one order, windows resolved.
    pub parameters: String,
}

/// An answer as the cache keeps it, with the values of its headers. They are computed once, before it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedAnswer {
    /// The JSON body.
    pub body: Bytes,
    /// The tag of the body.
    pub tag: EntityTag,
    /// The value of `cursor` or `offset` for the next page; `None` on the last page, and for an answer that has no pages.
    pub next: Option<String>,
}

/// The result of a lookup. A ticket is the generation of domain and module that the lookup found. An answer is kept under the
/// ticket of the lookup that came before its computation, so nothing that a write has outdated is ever served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The answer, and the ticket under which one that is computed all the same is kept.
    Hit(CachedAnswer, Ticket),
    /// Nothing of this generation.
    Miss(Ticket),
    /// The backing can't be reached.
    Unavailable,
}

/// The generation of a domain and module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u64);

/// Keeps answers for a while.
#[async_trait]
pub trait ResponseCache: Send + Sync {
    /// Looks an answer up.
    async fn get(&self, key: &CacheKey) -> Lookup;

    /// Keeps an answer for `ttl`. A request does not fail because this does.
    async fn put(&self, key: &CacheKey, ticket: Ticket, answer: CachedAnswer, ttl: Duration);

    /// Raises the generation, so that no answer about the module of the domain that was kept until now is served again.
    async fn raise(&self, domain: DomainId, module: Module);

    /// Drops whatever this process keeps in memory, since it may have missed that a generation was raised.
    fn distrust(&self);

    /// Whether the backing can be reached, as far as is known.
    fn is_available(&self) -> bool;
}

impl dyn ResponseCache {
    /// Notes that a write, or a finished run, has changed the module of the domain. Kept answers about it are not served again,
    /// nor those about all modules.
    pub async fn changed(&self, domain: DomainId, module: Module) {
        self.raise(domain, module).await;
        if module != Module::Platform {
            self.raise(domain, Module::Platform).await;
        }
    }
}

/// The answers of a cache, for background work that outdates them.
#[derive(Clone)]
pub struct CachedAnswers(pub Arc<dyn ResponseCache>);

impl fmt::Debug for CachedAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedAnswers").finish_non_exhaustive()
    }
}

#[async_trait]
impl KeptAnswers for CachedAnswers {
    async fn outdated(&self, domain: DomainId, module: Module) {
        self.0.changed(domain, module).await;
    }
}

/// Why a balance does not let a request through.
#[derive(Debug)]
pub enum CreditRefusal {
    /// The allowance does not suffice.
    Exhausted(Exhaustion),
    /// The balance can't be read.
    Unavailable(StoreError),
}

/// Charges and logs.
#[async_trait]
pub trait CreditMeter: Send + Sync {
    /// Whether `cost` can be paid by the last balance that this node saw. Before it says no, it reads a fresh balance. Only the
    /// settlement decides.
    async fn affords(&self, payer: Payer, cost: u32, now: OffsetDateTime) -> Result<(), CreditRefusal>;

    /// Charges a read, and returns what is left once its row is durable.
    async fn settle(&self, entry: LogEntry) -> Result<u64, SettleError>;

    /// Logs a request that costs nothing. Waits only while the queue is full.
    async fn log(&self, entry: LogEntry);

    /// The credits left to a workspace, as this node saw them at most 5 s ago; `None` where they can't be read.
    async fn remaining(&self, payer: Payer, now: OffsetDateTime) -> Option<u64>;

    /// Notes what a settlement elsewhere has left.
    async fn saw(&self, payer: Payer, remaining: u64);
}
