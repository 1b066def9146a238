//! The port to the schedule: which checks are due, and what becomes of those that were done.

use async_trait::async_trait;
use pharos_domain::{
    ids::{CheckId, DomainId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::{finished::FinishedCheck, history::RegionPlace, monitor::settings::MonitorSettings};

/// A check that is due, claimed by this process.
#[derive(Clone, Debug)]
pub struct DueCheck {
    /// The domain whose site is to be probed.
    pub domain_id: DomainId,
    /// The settings of its monitor.
    pub settings: MonitorSettings,
    /// When they were changed last.
    pub settings_at: OffsetDateTime,
    /// When it is due.
    pub due_at: OffsetDateTime,
    /// How long after its claim that is.
    pub due_in: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// Hands out due checks and takes their results.
#[async_trait]
pub trait ScheduleStore: Send + Sync {
    /// Makes a region known, or what is said of it: checks can run from it. Its checks that are due, or leased, further
    /// ahead than they can be are due now: a clock was set back that had been wrong.
    async fn register_region(&self, place: &RegionPlace, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Claims checks of `region` that are due, or soon will be, the longest due first. Nobody else gets them before the
    /// lease is over. Monitors that are disabled, and domains that are deleted, are never due; nor is anything before
    /// the store's own clock says so, where `now` is ahead of it.
    async fn claim(&self, region: &str, claim: &DueClaim) -> Result<Vec<DueCheck>, StoreError>;

    /// When the next check of `region` is due, by the clock that says that it is `now`.
    async fn next_due(&self, region: &str, now: OffsetDateTime)
    -> Result<Option<OffsetDateTime>, StoreError>;

    /// The settings of a domain's monitor; `None` where there is none, or the domain is deleted.
    async fn settings(&self, domain: DomainId) -> Result<Option<MonitorSettings>, StoreError>;

    /// Stores finished checks with what they change (`state::observe`, `status::is_down`), and sets when each that was
    /// due is due next: its due time and whole intervals, after `now`, or [`RECHECK`] from then
    /// while the site's state is undecided. Where a region's verdict turns, those that differ check at once. A run has
    /// one check of a region: a second one is dropped. So is one that began after its monitor was changed or its domain
    /// deleted, with the settings of before: it is due anew at once. A check from a clock that is ahead of the store's
    /// is stamped by the store's. A check that can't be stored is set aside, and stops no other: the answer is the ids
    /// of those. After an error all of them may come again.
    ///
    /// [`RECHECK`]: crate::state::RECHECK
    async fn complete(
        &self,
        finished: &[FinishedCheck],
        now: OffsetDateTime,
    ) -> Result<Vec<CheckId>, StoreError>;

    /// Gives claimed checks back that were not done. One that another has claimed since stays theirs.
    async fn release(&self, region: &str, claimed: &[&DueCheck]) -> Result<(), StoreError>;
}
