//! The ports to what is stored of field data.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    credits::{Charged, SettleError},
    hostname::Hostname,
    identity::DomainAccess,
    ids::{CruxUrlId, DomainId, RunId, WorkspaceId},
    settings::ChangeError,
    store::StoreError,
    wire_enum,
};
use pharos_due::work::DueClaim;
use time::{Date, Duration, OffsetDateTime};

use super::{
    FormFactor,
    figures::{Figures, Period},
    record::{Record, Subject},
    target::{NewTarget, OriginSource, Target, TargetStatus},
};

wire_enum! {
    /// How far apart the ends of periods lie.
    Grain {
        /// A day: what is new each day.
        Day = "day",
        /// A week, from Saturday to Saturday: the API's history.
        Week = "week",
    }
}

/// A period of one form factor, with its figures.
pub type Stored = (Period, Figures);

/// The newest figures by form factor.
pub type Newest = BTreeMap<FormFactor, Stored>;

/// How far apart the ends of the periods of one record may lie: its form factors are requested one after the other, and the
/// report may get a new day in between.
const ONE_RECORD: Duration = Duration::DAY;

/// An origin or page that is followed, with its newest figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The origin or the page.
    pub target: Target,
    /// The daily figures of its newest record. They lack form factors that the record no longer has, and are empty if the
    /// target is no longer in the report.
    pub newest: Newest,
    /// The end of the newest daily period that ever had figures.
    pub last_record_on: Option<Date>,
}

impl Followed {
    /// The target, with the last daily figures that each form factor ever had.
    #[must_use]
    pub fn new(target: Target, mut last: Newest) -> Self {
        let last_record_on = last.values().map(|(period, _)| period.end).max();
        let is_in_report = target.status != TargetStatus::NoData;
        last.retain(|_, (period, _)| {
            is_in_report && last_record_on.is_some_and(|end| end - period.end <= ONE_RECORD)
        });
        Self {
            target,
            newest: last,
            last_record_on,
        }
    }
}

/// The outcome of the last lookup of a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum LookedUp {
    /// No lookup is kept.
    Never,
    /// It was not in the report.
    Absent,
    /// Its record.
    Found(Box<Record>),
}

/// Reads and changes what is followed of a domain, and reads its figures.
#[async_trait]
pub trait CruxStore: Send + Sync {
    /// The domain's origin with its figures. `None`: nothing is collected, since the installation has no key of the API, or the
    /// domain is so new that no node has seen it yet.
    async fn origin(&self, domain: &DomainAccess) -> Result<Option<Followed>, StoreError>;

    /// The pages that are followed, the newest first, each with its figures.
    async fn pages(&self, domain: &DomainAccess) -> Result<Vec<Followed>, StoreError>;

    /// A page that is followed.
    async fn page(&self, domain: &DomainAccess, id: CruxUrlId) -> Result<Option<Followed>, StoreError>;

    /// A page that is followed, by its URL.
    async fn page_of(&self, domain: &DomainAccess, url: &str) -> Result<Option<Followed>, StoreError>;

    /// Follows a page. A page that is followed already stays as it is; it is a fault if the domain follows as many as it may.
    async fn follow(
        &self,
        domain: &Charged<DomainAccess>,
        page: &NewTarget,
        now: OffsetDateTime,
    ) -> Result<Followed, ChangeError>;

    /// Stops following a page, and deletes its figures. `false`: there is none with this id.
    async fn unfollow(
        &self,
        domain: &Charged<DomainAccess>,
        id: CruxUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// The last periods of what a domain follows, at most so many, the oldest first.
    async fn periods(
        &self,
        followed: &Followed,
        form_factor: FormFactor,
        grain: Grain,
        most: u16,
    ) -> Result<Vec<Stored>, StoreError>;

    /// The figures by form factor of the period that ended on a day, whether it was a daily or a weekly one.
    async fn ended_on(
        &self,
        followed: &Followed,
        end: Date,
    ) -> Result<BTreeMap<FormFactor, Figures>, StoreError>;

    /// The result of a lookup of a domain; `None`: there is none (yet), or the page is not in the report.
    async fn looked_up(&self, domain: &DomainAccess, run: RunId) -> Result<Option<Record>, StoreError>;

    /// The outcome of the last lookup of a subject.
    async fn last_looked_up(
        &self,
        domain: &DomainAccess,
        subject: &Subject,
        form_factor: FormFactor,
    ) -> Result<LookedUp, StoreError>;
}

/// Collects field data.
#[async_trait]
pub trait CruxCollection: Send + Sync {
    /// Schedules the collection, from `now` on, for the origins of at most `limit` domains that have none yet.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims targets that are due, the longest due first. Nobody else gets them before the lease is over.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueTarget>, StoreError>;

    /// When the next target is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Stores the outcomes of claims, and gives the claims back. Nothing is stored for a claim that another node holds by now.
    async fn complete(&self, collected: &[Collected]) -> Result<(), StoreError>;

    /// Gives back the claims of targets that were not queried.
    async fn release(&self, claimed: &[&DueTarget]) -> Result<(), StoreError>;

    /// Follows pages of a domain that follows none, all of them or none, without a charge, because Pharos itself wants them.
    async fn adopt(
        &self,
        domain: DomainId,
        workspace: WorkspaceId,
        pages: &[NewTarget],
        now: OffsetDateTime,
    ) -> Result<(), ChangeError>;

    /// The health of the collection.
    async fn health(&self) -> Result<CollectionHealth, StoreError>;

    /// The newest record of a subject that the domain follows or has looked up, of a period that ended on `since` or later; `None`:
    /// none is known.
    async fn known(
        &self,
        domain: DomainId,
        subject: &Subject,
        form_factor: FormFactor,
        since: Date,
    ) -> Result<Option<Record>, StoreError>;

    /// Keeps the result of a lookup of a subject. `None`: it is not in the report.
    async fn keep_lookup(
        &self,
        run: RunId,
        domain: DomainId,
        asked: (&Subject, FormFactor),
        record: Option<&Record>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;
}

/// The health of the collection of all domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionHealth {
    /// How many origins and pages are followed.
    pub followed: u64,
    /// How many of them could not be queried the last time.
    pub failing: u64,
    /// How many of these were queried after the API had last answered.
    pub failing_since: u64,
    /// Why that was of the one that was asked for last.
    pub failure: Option<String>,
    /// When the API last answered a query for one of them, whether it was in the report or not.
    pub fetched_at: Option<OffsetDateTime>,
    /// How many have been due for more than an hour without a query.
    pub overdue: u64,
}

/// A target that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueTarget {
    /// The page or site that is due.
    pub id: CruxUrlId,
    /// The domain that it is of.
    pub domain: DomainId,
    /// The domain's name.
    pub hostname: Hostname,
    /// The page; `None`: the domain's origin.
    pub url: Option<String>,
    /// The end of the newest weekly period that is stored.
    pub newest_week: Option<Date>,
    /// How many queries in a row failed.
    pub failures: u32,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Collected {
    /// The target.
    pub id: CruxUrlId,
    /// The domain that was asked about.
    pub domain: DomainId,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
    /// When it was requested.
    pub asked_at: OffsetDateTime,
    /// When to ask next.
    pub next_collection_at: OffsetDateTime,
    /// The result of asking.
    pub learned: Learned,
}

impl Collected {
    /// The same outcome by the clock that says that it is `present`, if it comes from a clock that is ahead.
    #[must_use]
    pub fn not_ahead_of(mut self, present: OffsetDateTime) -> Self {
        let ahead = self.asked_at - present;
        if ahead > Duration::ZERO {
            self.asked_at = present;
            self.next_collection_at = self.next_collection_at.saturating_sub(ahead);
        }
        self
    }
}

/// The result of asking.
#[derive(Clone, Debug, PartialEq)]
pub enum Learned {
    /// It is in the report.
    Figures {
        /// The origin that answered, and how it came about; `None` for a page.
        origin: Option<(String, OriginSource)>,
        /// The URL that the API made of the page's, if it is another.
        url_normalized: Option<String>,
        /// New and old figures. Those that are stored already are written anew.
        periods: Vec<Learnt>,
    },
    /// It is not in the report. The figures that were known stay.
    Absent,
    /// Nothing: what was known stays.
    Failure {
        /// How many queries in a row have failed by now.
        failures: u32,
        /// Why it did.
        reason: String,
    },
}

/// Figures that were learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Learnt {
    /// The devices.
    pub form_factor: FormFactor,
    /// Whether they are from the daily record or the weekly history.
    pub grain: Grain,
    /// The days that the figures are of.
    pub period: Period,
    /// The figures.
    pub figures: Figures,
}

impl Learned {
    /// The status that a target has by it.
    #[must_use]
    pub const fn status(&self) -> TargetStatus {
        match self {
            Self::Figures { .. } => TargetStatus::Active,
            Self::Absent => TargetStatus::NoData,
            Self::Failure { .. } => TargetStatus::Error,
        }
    }
}
