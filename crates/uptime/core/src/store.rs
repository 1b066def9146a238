//! The ports to what callers read of monitors, checks and incidents, and change.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{DomainId, IncidentId, RunId, UserId},
    page::{Page, PageRequest},
    settings::{ChangeError, SettingsChange},
    store::StoreError,
    time_range::TimeRange,
};
use time::OffsetDateTime;

use crate::{
    check::{Check, Outcome},
    incident::{Incident, IncidentClass, IncidentDetail, IncidentStatus},
    knowledge::MonitorKnowledge,
    monitor::{Monitor, settings::MonitorSettings},
};

/// Keeps the monitors of domains.
#[async_trait]
pub trait MonitorStore: Send + Sync {
    /// The domain's monitor.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<Monitor>, StoreError>;

    /// Changes the domain's monitor, or creates it, and charges for it, in one transaction: two changes at once don't
    /// lose either. Faults change nothing and cost nothing. A monitor that is enabled, or whose regions grow, is due
    /// at once.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, MonitorSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<Monitor, ChangeError>;

    /// The site as it is known, for its status; spans since `spans_since`. `None`: no monitor.
    async fn status(
        &self,
        domain: &DomainAccess,
        spans_since: OffsetDateTime,
    ) -> Result<Option<MonitorKnowledge>, StoreError>;

    /// The regions that checks can run from, by key.
    async fn regions(&self) -> Result<Vec<String>, StoreError>;
}

/// Changes monitors where Pharos does so itself, and nobody pays.
#[async_trait]
pub trait MonitorAdmin: Send + Sync {
    /// Changes the domain's monitor, or creates it, as [`MonitorStore::update`] does.
    async fn update(
        &self,
        domain: DomainId,
        change: &SettingsChange<'_, MonitorSettings>,
        now: OffsetDateTime,
    ) -> Result<Monitor, ChangeError>;
}

/// Which checks a list shows.
#[derive(Clone, Debug, Default)]
pub struct CheckFilter {
    /// Only those that came to this.
    pub outcome: Option<Outcome>,
    /// Only those from this region.
    pub region: Option<String>,
    /// Only those that this run asked for.
    pub run_id: Option<RunId>,
}

/// Reads checks.
#[async_trait]
pub trait CheckStore: Send + Sync {
    /// The checks of a domain, the newest first.
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &CheckFilter,
        page: &PageRequest,
    ) -> Result<Page<Check>, StoreError>;
}

/// Which incidents a list shows.
#[derive(Clone, Copy, Debug)]
pub struct IncidentFilter {
    /// Only those that reach into this.
    pub range: TimeRange,
    /// Only those of this class.
    pub class: Option<IncidentClass>,
    /// Only those that are open, or over.
    pub status: Option<IncidentStatus>,
}

/// Incidents, page by page.
#[derive(Clone, Debug)]
pub struct IncidentList {
    /// The page, the newest first.
    pub page: Page<Incident>,
    /// How many there are of each class, whatever class the filter names: among the newest [`INCIDENTS_READ`] of all
    /// classes, and of the class that the filter names among its own newest. Where `is_truncated`, only classes that
    /// were seen are in it.
    pub class_counts: BTreeMap<IncidentClass, u32>,
    /// How many were looked through: the newest [`INCIDENTS_READ`] at most.
    pub scanned: u32,
    /// Whether there are more, of whatever class, than were looked through: then a class that was not seen may be
    /// there all the same.
    pub is_truncated: bool,
}

/// How many incidents a list looks through.
pub const INCIDENTS_READ: u32 = 2_000;

/// How many checks of an incident are shown.
pub const INCIDENT_CHECKS: usize = 50;

/// Reads incidents.
#[async_trait]
pub trait IncidentStore: Send + Sync {
    /// The incidents of a domain that the filter lets through.
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &IncidentFilter,
        page: &PageRequest,
    ) -> Result<IncidentList, StoreError>;

    /// How many outages each region saw that reach into the range.
    async fn count_by_region(
        &self,
        domain: &DomainAccess,
        range: TimeRange,
    ) -> Result<Vec<(String, u32)>, StoreError>;

    /// An incident of the domain with its course and its first [`INCIDENT_CHECKS`] failing checks.
    async fn detail(
        &self,
        domain: &DomainAccess,
        id: IncidentId,
    ) -> Result<Option<IncidentDetail>, StoreError>;
}
