//! Limits of one node, in its memory.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use moka::sync::Cache;
use pharos_domain::{
    hourly_limit::{HourlyAdmission, HourlyLimiter, HourlyRequest},
    ids::{CredentialId, WorkspaceId},
    permit::Permit,
};
use pharos_http::metering::{Admission, LimitRequest, RateLimiter, Standing};

use super::{
    counters::{Day, Minute, Permits},
    entries::{entries, lock},
    hourly::Hours,
    judgement::{Counts, Judgement, WorkspaceCount, judge, standing},
    policy::{Ceilings, Extra, HEAVY_QUERIES_AT_ONCE, Limits, WORKSPACE_HEAVY_QUERIES_AT_ONCE},
    request_time::RequestTime,
};

/// Longer than a day, since days are counted.
const FORGET_DAYS_AFTER: Duration = Duration::from_secs(25 * 3_600);
/// Longer than a minute, and than the time by which a window may lie ahead.
const FORGET_MINUTES_AFTER: Duration = Duration::from_secs(3 * 60);

const GENERAL: usize = 0;
const HEAVY_QUERY: usize = 1;
const RUN: usize = 2;

/// The counts of a credential.
#[derive(Debug, Default)]
struct Credential {
    minute: Minute<3>,
    permits: Permits<{ HEAVY_QUERIES_AT_ONCE as usize }>,
    day: Day,
    last_workspace: Option<LastWorkspace>,
}

/// The counts of a workspace.
#[derive(Debug, Default)]
struct Workspace {
    permits: Permits<{ WORKSPACE_HEAVY_QUERIES_AT_ONCE as usize }>,
    day: Day,
}

/// The workspace that a credential was last counted against, which spares the look-up: it is half the work. It is
/// looked up all the same once a slice, since nothing else keeps an entry from being forgotten.
#[derive(Debug)]
struct LastWorkspace {
    id: WorkspaceId,
    slice: i64,
    entry: Shared<Workspace>,
}

/// The key of a client's count on a RUM route: the operation, and the client's network as a hash under a secret of
/// this process.
type RumRead = (&'static str, u64);

type Shared<T> = Arc<Mutex<T>>;

/// Counts in memory. A request holds the locks of all its entries at once: the credential's, then the workspace's,
/// then the RUM route's, always in that order.
#[derive(Debug)]
pub struct MemoryRateLimiter {
    credentials: Cache<CredentialId, Shared<Credential>>,
    workspaces: Cache<WorkspaceId, Shared<Workspace>>,
    rum_reads: Cache<RumRead, Shared<Minute<1>>>,
    hours: Hours,
    networks: RandomState,
    limits: Limits,
}

impl MemoryRateLimiter {
    /// A limiter that has counted nothing.
    #[must_use]
    pub fn new() -> Self {
        Self {
            credentials: entries(FORGET_DAYS_AFTER),
            workspaces: entries(FORGET_DAYS_AFTER),
            rum_reads: entries(FORGET_MINUTES_AFTER),
            hours: Hours::default(),
            networks: RandomState::new(),
            limits: Limits::default(),
        }
    }

    /// The same with other limits than the contract's.
    #[must_use]
    pub fn with(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn workspace(
        &self,
        id: WorkspaceId,
        last: &mut Option<LastWorkspace>,
        moment: RequestTime,
    ) -> Shared<Workspace> {
        let slice = moment.slice();
        if let Some(last) = last
            && last.id == id
            && last.slice == slice
        {
            return Arc::clone(&last.entry);
        }
        let entry = self.workspaces.get_with_by_ref(&id, Arc::default);
        *last = Some(LastWorkspace {
            id,
            slice,
            entry: Arc::clone(&entry),
        });
        entry
    }

    /// Judges a request, and counts it if it is let in; one that is not to be counted is only looked at.
    fn weigh(&self, request: &LimitRequest, is_counted: bool) -> Admission {
        let moment = RequestTime::of(request.now);
        let ceilings = Ceilings::of(request.spec, self.limits);
        let owner = self
            .credentials
            .get_with_by_ref(&request.credential, Arc::default);
        let rum_read = ceilings.rum_read.map(|_| {
            let network = self.networks.hash_one(request.source.network());
            self.rum_reads
                .get_with_by_ref(&(request.spec.id, network), Arc::default)
        });

        let mut credential = lock(&owner);
        let payer = request
            .workspace
            .map(|id| self.workspace(id, &mut credential.last_workspace, moment));
        let mut workspace = payer.as_deref().map(lock);
        let mut rum_read = rum_read.as_deref().map(lock);

        credential.minute.move_on(moment);
        credential.day.move_on(moment);
        let extra = match ceilings.extra {
            Some(Extra::HeavyQuery) => Some(HEAVY_QUERY),
            Some(Extra::Run) => Some(RUN),
            None => None,
        };
        let general = credential.minute.count(GENERAL);
        let counts = Counts {
            general,
            extra: extra.map_or(general, |bucket| credential.minute.count(bucket)),
            under_way: credential.permits.under_way(moment),
            credential: credential.day.count(),
            workspace: workspace.as_mut().map(|workspace| {
                workspace.day.move_on(moment);
                WorkspaceCount {
                    day: workspace.day.count(),
                    under_way: workspace.permits.under_way(moment),
                }
            }),
            rum_read: rum_read.as_mut().map(|minute| {
                minute.move_on(moment);
                minute.count(0)
            }),
        };
        if !is_counted {
            return Admission::Admitted {
                standing: standing(ceilings, &counts, moment),
                permit: Permit::default(),
            };
        }
        let Judgement { refusal, standing } = judge(ceilings, &counts, moment);
        if let Some((bucket, retry_after_seconds)) = refusal {
            return Admission::Refused {
                bucket,
                retry_after_seconds,
                standing,
            };
        }

        credential.minute.take(GENERAL);
        if let Some(extra) = extra {
            credential.minute.take(extra);
        }
        credential.day.take();
        if let Some(workspace) = &mut workspace {
            workspace.day.take();
        }
        if let Some(minute) = &mut rum_read {
            minute.take(0);
        }
        let permit = if ceilings.extra.and_then(Extra::at_once).is_some() {
            let number = credential.permits.take(moment);
            let number_in_workspace = workspace.as_mut().map(|workspace| workspace.permits.take(moment));
            drop(workspace);
            drop(credential);
            Permit::new(move || {
                lock(&owner).permits.give_back(number);
                if let Some((payer, number)) = payer.zip(number_in_workspace) {
                    lock(&payer).permits.give_back(number);
                }
            })
        } else {
            Permit::default()
        };
        Admission::Admitted { standing, permit }
    }
}

impl Default for MemoryRateLimiter {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl RateLimiter for MemoryRateLimiter {
    async fn admit(&self, request: &LimitRequest) -> Admission {
        self.weigh(request, true)
    }

    async fn standing(&self, request: &LimitRequest) -> Option<Standing> {
        match self.weigh(request, false) {
            Admission::Admitted { standing, .. } | Admission::Refused { standing, .. } => Some(standing),
            Admission::Open => None,
        }
    }
}

#[async_trait]
impl HourlyLimiter for MemoryRateLimiter {
    async fn admit_hourly(&self, request: &HourlyRequest<'_>) -> HourlyAdmission {
        self.hours.admit(request)
    }
}
