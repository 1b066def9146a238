//! The rotation through the URLs of all sites.

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, IndexingUrlId},
    problem::Suffix,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::{
    gsc::property::Permission,
    indexing::{
        inspection::Inspection,
        quota::{Granted, QuotaDay, Wanted},
        target::Source,
    },
};

/// How long inspections wait at most, while rounds follow each other, until the domain's day counts them.
const SHARED: Duration = Duration::MINUTE;

/// A URL that is to be inspected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The id that its inspection is stored by.
    pub id: IndexingUrlId,
    /// The URL.
    pub url: String,
    /// How many of its inspections in a row failed.
    pub failures: u32,
    /// Whether it is inspected daily, because it is valuable or changed at its last inspection.
    pub is_daily: bool,
}

/// The URLs of a site whose turn it is, and how many wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Those whose turn it is: some of those that are inspected daily, then those that were never inspected, by what the search
    /// sends to them, then those that have been due longest.
    pub urls: Vec<Pick>,
    /// Whether more of them were never inspected.
    pub more_new: bool,
    /// Whether more of them are due.
    pub more_due: bool,
    /// When the next is due that is not due now.
    pub next_due_at: Option<OffsetDateTime>,
    /// When the next of the URLs that are inspected daily is due.
    pub next_daily_at: Option<OffsetDateTime>,
}

/// An inspection that was made, or failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The URL.
    pub url: String,
    /// When it ended.
    pub at: OffsetDateTime,
    /// The inspection, or how it failed.
    pub outcome: Result<Box<Inspection>, InspectionFailure>,
}

/// A failure to inspect a URL, and what follows of it for the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InspectionFailure {
    /// The code for callers.
    pub code: Suffix,
    /// Whether it is of the URL alone: it counts among those of the URL in a row.
    pub is_of_the_url: bool,
    /// How long the URL is left alone; `None`: it stays due.
    pub pause: Option<Duration>,
}

/// A site that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSite {
    /// The domain that is due.
    pub domain: DomainId,
    /// The property that the domain is linked to.
    pub site_url: String,
    /// When it was linked to it.
    pub linked_at: OffsetDateTime,
    /// When its URLs were last gathered; `None`: never.
    pub gathered_at: Option<OffsetDateTime>,
    /// How many rounds in a row failed.
    pub failures: u32,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// A round of inspections of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The domain whose URLs are inspected.
    pub domain: DomainId,
    /// Until when the claim holds.
    pub leased_until: OffsetDateTime,
    /// When it began.
    pub began_at: OffsetDateTime,
    /// When it ended.
    pub at: OffsetDateTime,
    /// The inspections that were made, or failed.
    pub attempts: Vec<Attempt>,
    /// The inspections that were taken from the quota but not used: property, day, inspections.
    pub unused: Option<(String, QuotaDay, u32)>,
    /// How many rounds in a row have failed by now.
    pub failures: u32,
    /// Why this one failed; `None`: it did not.
    pub failure: Option<String>,
    /// When the next begins.
    pub next_round_at: OffsetDateTime,
}

impl Round {
    /// Whether how the domain stands is worked out after this one, where inspections wait for that since a moment. That reads all
    /// URLs of the domain: rounds that follow each other within a minute share it.
    #[must_use]
    pub fn is_counted(&self, since: OffsetDateTime) -> bool {
        self.at - since >= SHARED || self.next_round_at - self.at >= SHARED
    }

    /// The same round by the clock that says that it is `present`, if it comes from a clock that is ahead.
    #[must_use]
    pub fn not_ahead_of(mut self, present: OffsetDateTime) -> Self {
        let ahead = self.at - present;
        if ahead > Duration::ZERO {
            self.at = present;
            self.began_at = self.began_at.saturating_sub(ahead);
            self.next_round_at = self.next_round_at.saturating_sub(ahead);
            for attempt in &mut self.attempts {
                attempt.at = attempt.at.min(present);
            }
        }
        self
    }
}

/// The health of the rotation, for operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RotationHealth {
    /// Sites that are rotated through.
    pub sites: u64,
    /// Those whose last round failed.
    pub failing: u64,
    /// Why that of one of them did.
    pub failure: Option<String>,
    /// Sites that have been due for more than an hour without a round.
    pub overdue: u64,
}

/// The rotation through the URLs of all sites.
#[async_trait]
pub trait IndexingSchedule: Send + Sync {
    /// Schedules the rotation of at most `limit` linked domains that have none yet.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims sites that are due, the longest due first. Nobody else gets them before the lease is over.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError>;

    /// When the next site is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Monitors pages that the search shows, as far as there is room, and marks the valuable ones, if the domain is still
    /// linked to the property. `false`: the search shows no page below the property.
    async fn gather_pages(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError>;

    /// Notes that the URLs of a site were gathered, if its domain is still linked to the property.
    async fn gathered(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Monitors URLs of a source in this order, as far as there is room, if the domain is still linked to the property. Known
    /// URLs stay as they are, and are noted as still listed.
    async fn gather(
        &self,
        site: &DueSite,
        source: Source,
        urls: &[String],
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;

    /// Notes what the account may do with the property.
    async fn permitted(&self, site: &DueSite, permission: Permission) -> Result<(), StoreError>;

    /// Stops monitoring gathered URLs that nothing has listed for long, if the domain is still linked to the property.
    async fn let_go(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Stops monitoring URLs that do not lie below the property, if the domain is still linked to it.
    async fn let_go_outside(&self, site: &DueSite, now: OffsetDateTime) -> Result<(), StoreError>;

    /// The URLs of a site whose turn it is, at most so many.
    async fn pick(&self, domain: DomainId, most: u32, now: OffsetDateTime) -> Result<Picked, StoreError>;

    /// Takes inspections for a round of the site from the property's quota of the day, at most so many.
    async fn take(&self, site: &DueSite, day: QuotaDay, wanted: Wanted) -> Result<Granted, StoreError>;

    /// Stores rounds, and gives the claims back. If another node holds a claim by now, the findings still count, but the claim
    /// stays. Returns the domains whose days count more by now.
    async fn complete(&self, rounds: &[Round]) -> Result<Vec<DomainId>, StoreError>;

    /// Gives claims back of sites that were left alone.
    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError>;

    /// The health of the rotation.
    async fn health(&self) -> Result<RotationHealth, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn rounds_that_follow_each_other_are_counted_together() {
        let at = datetime!(2026-03-31 09:15 UTC);
        let round = |pause| Round {
            domain: DomainId::generate(),
            leased_until: at,
            began_at: at,
            at,
            attempts: Vec::new(),
            unused: None,
            failures: 0,
            failure: None,
            next_round_at: at + pause,
        };
        let (soon, later) = (Duration::seconds(5), Duration::MINUTE);
        assert!(!round(soon).is_counted(at));
        assert!(!round(soon).is_counted(at - Duration::seconds(59)));
        assert!(round(soon).is_counted(at - Duration::MINUTE));
        assert!(round(later).is_counted(at));
    }
}
