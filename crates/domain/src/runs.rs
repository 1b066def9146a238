//! Work that a caller requested, and its progress.
//!
//! A run is done by jobs, which are written with it, and its state is derived from theirs: it is running once one of its jobs
//! is, and over when all of them are. So a job that is done twice moves its run once.

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};

use crate::{
    credits::{Answering, Keyed, SettleError},
    identity::{CredentialKind, DomainAccess, Identity},
    ids::{CredentialId, DomainId, RunId},
    jobs::{ClaimedJob, NewJob},
    store::StoreError,
    wire_enum,
};

/// How long a run may stay open. A run that no worker has ended by then, for example because its region is gone, is ended.
pub const OPEN_FOR: Duration = Duration::days(30);
/// How long a run is kept after its end, also after its result has expired, so that its caller still learns that it was there.
pub const KEEP_RUNS: Duration = Duration::days(366);

wire_enum! {
    /// The work that a run does.
    RunKind {
        /// A wide pull of search data.
        GscReport = "gsc_report",
        /// A wide pull of analytics.
        AnalyticsReport = "analytics_report",
        /// A report from a template.
        Report = "report",
        /// The index state of a list of URLs.
        Inspector = "inspector",
        /// A lab test of a page.
        Synthetic = "synthetic",
        /// A record of field data.
        CruxLookup = "crux_lookup",
        /// A check of a site.
        UptimeCheck = "uptime_check",
        /// A fetch of robots.txt.
        RobotsCheck = "robots_check",
        /// A fetch of the sitemaps.
        SitemapCheck = "sitemap_check",
        /// The recent days of search data, anew.
        GscSync = "gsc_sync",
    }
}

wire_enum! {
    /// How far a run is.
    RunStatus {
        /// It waits for a worker.
        Queued = "queued",
        /// It is being done.
        Running = "running",
        /// It is done.
        Succeeded = "succeeded",
        /// Some of its items are done, the others failed.
        Partial = "partial",
        /// It failed.
        Failed = "failed",
        /// It was called off.
        Canceled = "canceled",
        /// It is done, and its result is no longer kept.
        Expired = "expired",
    }
}

/// A run as it is stored: its jobs' outcomes, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The id by which its caller queries it.
    pub id: RunId,
    /// The domain that it is about.
    pub domain_id: DomainId,
    /// The work that it does.
    pub kind: RunKind,
    /// How far it is.
    pub status: RunStatus,
    /// When it was requested.
    pub requested_at: OffsetDateTime,
    /// When it began; `None` while it is queued.
    pub started_at: Option<OffsetDateTime>,
    /// When it ended; `None` until it has.
    pub finished_at: Option<OffsetDateTime>,
    /// When its result is no longer kept.
    pub expires_at: Option<OffsetDateTime>,
    /// How many of its items are done; `None` where it has none.
    pub items: Option<RunItems>,
    /// Why it or a part of it failed, as the suffix of a problem.
    pub error_code: Option<String>,
    /// The same in words.
    pub error_detail: Option<String>,
    /// Who requested it.
    pub requested_by: Requester,
    /// Credits charged for it.
    pub credits_charged: u32,
}

/// The credential that asked for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Whether it is an API key or an access token.
    pub kind: CredentialKind,
    /// The key, or the grant behind the token.
    pub credential_id: CredentialId,
}

impl From<&Identity> for Requester {
    fn from(identity: &Identity) -> Self {
        Self {
            kind: identity.kind,
            credential_id: identity.credential_id,
        }
    }
}

impl Run {
    /// A new run of a domain that nobody has begun.
    #[must_use]
    pub fn requested(kind: RunKind, by: &Keyed<DomainAccess>, now: OffsetDateTime) -> Self {
        Self {
            id: RunId::generate(),
            domain_id: by.id(),
            kind,
            status: RunStatus::Queued,
            requested_at: now,
            started_at: None,
            finished_at: None,
            expires_at: None,
            items: None,
            error_code: None,
            error_detail: None,
            requested_by: by.identity().into(),
            credits_charged: by.slip().cost(),
        }
    }

    /// The run as it is at that moment. A result expires to the second, even before upkeep notes it.
    #[must_use]
    pub fn at(mut self, now: OffsetDateTime) -> Self {
        let has_result = matches!(self.status, RunStatus::Succeeded | RunStatus::Partial);
        if has_result && self.expires_at.is_some_and(|expires_at| expires_at <= now) {
            self.status = RunStatus::Expired;
        }
        self
    }
}

/// How many items of a run, or of one of its jobs, are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunItems {
    /// How many there are.
    pub total: u32,
    /// How many of them are done.
    pub completed: u32,
    /// How many of them failed. A run with failed and completed items is `partial`; one without completed items has failed.
    pub failed: u32,
}

impl RunItems {
    /// So many items that nobody has begun.
    #[must_use]
    pub fn of(total: u32) -> Self {
        Self {
            total,
            ..Self::default()
        }
    }

    /// How much of it is done, 0 to 100.
    #[must_use]
    pub fn progress_pct(self) -> f64 {
        let over = self.completed.saturating_add(self.failed);
        if over >= self.total {
            100.0
        } else {
            100.0 * f64::from(over) / f64::from(self.total)
        }
    }
}

/// A run that is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// The run in its first state: queued.
    pub run: Run,
    /// Its jobs, one at least. A job may be done several times, so each has to have the same effect every time.
    pub jobs: Vec<NewJob>,
    /// How long its result is kept once it is there; `None`: as long as the other data of its module.
    pub result_kept: Option<Duration>,
}

/// Keeps runs.
#[async_trait]
pub trait RunStore: Send + Sync {
    /// Records a run with its jobs, and charges for it, in one transaction.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewRun,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, SettleError>;

    /// A run of the domain as it is at the moment. `None`: the domain has none of that kind and id.
    async fn find(
        &self,
        domain: &DomainAccess,
        kind: RunKind,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<Run>, StoreError>;

    /// The domain's newest run of a kind, as it is at the moment.
    async fn last(
        &self,
        domain: &DomainAccess,
        kind: RunKind,
        now: OffsetDateTime,
    ) -> Result<Option<Run>, StoreError>;

    /// Stores the progress of a job of a run: how many items it has, and how many of them are done. The run sums up those of
    /// all its jobs; a total that was given when it was requested stays. `false`: nobody waits for it any more, since the run
    /// was canceled or another worker has the job; the rest need not be done.
    async fn progress(&self, job: &ClaimedJob, items: RunItems) -> Result<bool, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_of_all_items_whether_they_failed_or_not() {
        let items = |total, completed, failed| {
            let items = RunItems {
                total,
                completed,
                failed,
            };
            items.progress_pct()
        };
        assert_eq!(items(8, 0, 0), 0.0);
        assert_eq!(items(8, 1, 1), 25.0);
        assert_eq!(items(8, 6, 2), 100.0);
        assert_eq!(items(0, 0, 0), 100.0);
        assert_eq!(items(8, u32::MAX, 9), 100.0);
    }
}
