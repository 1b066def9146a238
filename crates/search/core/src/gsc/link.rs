//! The property that a domain is linked to, as an import needs it, and what imports store.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Date, Duration, OffsetDateTime};

use super::{
    figures::{Figures, SearchType},
    property::{PropertyStatus, SyncStatus},
};
use crate::google::account::Account;

/// The link that an import is about. If the domain is linked anew or to another property meanwhile, the import no longer has a
/// link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkRef<'a> {
    /// The domain that is linked.
    pub domain: DomainId,
    /// The property's name at the upstream.
    pub site_url: &'a str,
    /// When it was linked.
    pub linked_at: OffsetDateTime,
}

/// A linked property.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The domain that is linked.
    pub domain: DomainId,
    /// The workspace that the domain is of.
    pub workspace: WorkspaceId,
    /// The property's name at the upstream.
    pub site_url: String,
    /// The account that reads it; `None`: it was unlinked, or its credentials can't be opened.
    pub account: Option<Account>,
    /// Whether data come in.
    pub status: PropertyStatus,
    /// The search types to import.
    pub search_types: Vec<SearchType>,
    /// When it was linked. Data that the upstream had by then are imported.
    pub linked_at: OffsetDateTime,
    /// The newest day whose figures are final.
    pub data_through: Option<Date>,
    /// The oldest day of each search type that was imported together with all days after it.
    pub reached: HashMap<SearchType, Date>,
    /// Past days whose answers could not be read, and that are due for another attempt.
    pub missed: Vec<(SearchType, Date)>,
    /// When the newest days are due.
    pub newest_due_at: OffsetDateTime,
    /// How many imports in a row failed.
    pub failures: u32,
}

impl Link {
    /// Which link it is.
    #[must_use]
    pub fn of(&self) -> LinkRef<'_> {
        LinkRef {
            domain: self.domain,
            site_url: &self.site_url,
            linked_at: self.linked_at,
        }
    }
}

/// A claim of a link, which whoever imports it renews while that takes.
#[derive(Clone, Debug)]
pub struct Lease(Arc<Mutex<OffsetDateTime>>);

impl Lease {
    /// One that ends then.
    #[must_use]
    pub fn until(end: OffsetDateTime) -> Self {
        Self(Arc::new(Mutex::new(end)))
    }

    /// Its end, by which the claim is told from others.
    #[must_use]
    pub fn end(&self) -> OffsetDateTime {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it end later.
    pub fn renewed(&self, end: OffsetDateTime) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }
}

/// A link that is due.
#[derive(Clone, Debug)]
pub struct DueLink {
    /// The domain whose figures are due.
    pub domain: DomainId,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// Until when it is nobody else's.
    pub lease: Lease,
}

/// Up to when the upstream has data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The newest day that was imported and is final.
    pub data_through: Option<Date>,
    /// The newest day that was imported and may still change.
    pub provisional_through: Option<Date>,
    /// The first day that the upstream calls incomplete.
    pub first_incomplete_date: Option<Date>,
    /// The first hour that the upstream calls incomplete.
    pub first_incomplete_hour: Option<OffsetDateTime>,
}

impl Marks {
    /// Whether anything is known of how far data are.
    #[must_use]
    pub fn is_known(&self) -> bool {
        *self != Self::default()
    }
}

/// When a link is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The claim that this is the end of.
    pub leased_until: OffsetDateTime,
    /// When anything is.
    pub at: OffsetDateTime,
    /// When the newest days are.
    pub newest_at: OffsetDateTime,
    /// How many imports in a row failed.
    pub failures: u32,
}

/// The end of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct Synced {
    /// The domain that was read.
    pub domain: DomainId,
    /// The property that it was of.
    pub site_url: String,
    /// When that was linked.
    pub linked_at: OffsetDateTime,
    /// When it ended.
    pub at: OffsetDateTime,
    /// How the import of the newest days ended; `None`: this import was not about them.
    pub outcome: Option<SyncStatus>,
    /// Up to when there are data; `None`: the import did not learn that.
    pub marks: Option<Marks>,
    /// Whether data arrive. People get a notification when they stop.
    pub status: PropertyStatus,
    /// Why not all was imported, for people.
    pub failure: Option<String>,
    /// When the link is due next; `None`: the import was requested outside of the schedule.
    pub next: Option<Next>,
}

/// Why the property of a domain could not be imported whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFailure {
    /// The hostname of the domain.
    pub hostname: String,
    /// The reason.
    pub why: String,
}

/// The health of the links of all domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkHealth {
    /// How many properties are linked by an account.
    pub linked: u64,
    /// How many of them have to be linked again, or may not be read any more.
    pub lost: u64,
    /// How many of the others had an incomplete last import.
    pub failing: u64,
    /// The reason of the one of these that was imported last.
    pub failure: Option<LinkFailure>,
    /// How many have been due for more than an hour without an import.
    pub overdue: u64,
}

/// Keeps links, and what was imported.
#[async_trait]
pub trait LinkStore: Send + Sync {
    /// Makes links due that lie further ahead than links may.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims links that are due.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueLink>, StoreError>;

    /// When the next link is due that nobody has.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Has a claim hold for so long from now. `false`: it is another's by now.
    async fn renew(&self, claimed: &DueLink, lease: Duration) -> Result<bool, StoreError>;

    /// Gives claims back.
    async fn release(&self, claimed: &[&DueLink]) -> Result<(), StoreError>;

    /// The link of a domain; `None`: there is none, or the domain was deleted.
    async fn link(&self, domain: DomainId) -> Result<Option<Link>, StoreError>;

    /// Replaces the hours of a search type from `from` on, and deletes earlier ones. `false`: the domain no longer has this
    /// link, and nothing has changed.
    async fn replace_hours(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        from: OffsetDateTime,
        hours: &[(OffsetDateTime, Figures)],
    ) -> Result<bool, StoreError>;

    /// Stores the oldest day of a search type that was imported together with all days after it. It stores nothing for a search
    /// type that is no longer imported. `false`: the domain no longer has this link, and nothing has changed.
    async fn reached(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError>;

    /// Stores a day whose answers could not be read. It is tried again once a day. `false` as above.
    async fn missed(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError>;

    /// The health of all links.
    async fn health(&self) -> Result<LinkHealth, StoreError>;

    /// Stores the ends of imports. It skips those whose claim is another's by now, and those whose link is gone. An end that
    /// can't be stored is set aside, and its domain waits for a day.
    async fn settle(&self, synced: &[Synced]) -> Result<(), StoreError>;
}
