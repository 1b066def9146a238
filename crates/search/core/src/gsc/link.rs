//! The property that a domain is linked to, as an import needs it, and the records that imports leave behind.

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

/// Which link an import is of. Meanwhile somebody may link the domain to another property, or anew: then the import is of none.
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
    /// When it was linked: what the upstream had by then is imported.
    pub linked_at: OffsetDateTime,
    /// The newest day whose figures are final.
    pub data_through: Option<Date>,
    /// The oldest day that was imported of a search type, with all after it.
    pub reached: HashMap<SearchType, Date>,
    /// Days of the past whose answers could not be read, and that are to be tried again by now.
    pub missed: Vec<(SearchType, Date)>,
    /// When the newest days are due.
    pub newest_due_at: OffsetDateTime,
    /// How often in a row imports failed.
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

/// How far the upstream's data are.
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
    /// How often in a row imports failed.
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
    /// How the import of the newest days ended; `None`: it was not one of these.
    pub outcome: Option<SyncStatus>,
    /// How far data are; `None`: nothing was learned of that.
    pub marks: Option<Marks>,
    /// Whether data come in. People are told when they do no more.
    pub status: PropertyStatus,
    /// Why not all was imported, for people.
    pub failure: Option<String>,
    /// When the link is due next; `None`: it was asked for beside the schedule.
    pub next: Option<Next>,
}

/// How the links of all domains are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkHealth {
    /// How many properties are linked by an account.
    pub linked: u64,
    /// How many of them have to be linked again, or may not be read any more.
    pub lost: u64,
    /// How many could not be imported whole last.
    pub failing: u64,
    /// How many have been due for more than an hour, and nobody imports them.
    pub overdue: u64,
}

/// Keeps links, and what was imported.
#[async_trait]
pub trait LinkStore: Send + Sync {
    /// Has links that lie further ahead than any may be due by now.
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

    /// Replaces the hours of a search type from `from` on, and forgets those before. `false`: the domain is no longer linked so, and
    /// nothing has changed.
    async fn replace_hours(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        from: OffsetDateTime,
        hours: &[(OffsetDateTime, Figures)],
    ) -> Result<bool, StoreError>;

    /// Notes the oldest day that was imported of a search type, with all after it. `false`: the domain is no longer linked so, and
    /// nothing has changed. Nothing is noted of a type that is no longer imported.
    async fn reached(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError>;

    /// Notes a day whose answers could not be read: it is tried again once a day. `false` as above.
    async fn missed(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
    ) -> Result<bool, StoreError>;

    /// How all of them are.
    async fn health(&self) -> Result<LinkHealth, StoreError>;

    /// Stores the ends of imports. One whose claim is another's by now changes nothing, and none of a link that is no more; one
    /// that can't be stored is set aside, and its domain waits for a day.
    async fn settle(&self, synced: &[Synced]) -> Result<(), StoreError>;
}
