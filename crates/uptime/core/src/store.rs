//! The ports to what is stored of monitors and checks.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{CheckId, DomainId, IncidentId, RunId, UserId},
    page::{Page, PageRequest},
    runs::Run,
    store::StoreError,
};
use time::{Duration, OffsetDateTime};

use crate::{
    availability::Stretch,
    certificate::Sighting,
    check::{Check, Outcome},
    history::RegionPlace,
    incident::{Incident, IncidentClass, IncidentDetail, IncidentStatus, Severity},
    monitor::{
        Monitor,
        settings::{MonitorSettings, SettingFault},
    },
    state::{RegionState, Span},
    status::is_active,
};

/// A pure function from the present settings (`None`: no monitor yet) to the next.
pub type SettingsChange<'a> =
    dyn Fn(Option<&MonitorSettings>) -> Result<MonitorSettings, Vec<SettingFault>> + Send + Sync + 'a;

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
        change: &SettingsChange<'_>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<Result<Monitor, Vec<SettingFault>>, SettleError>;

    /// What is known of the site, for its status; spans since `spans_since`. `None`: no monitor.
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
        change: &SettingsChange<'_>,
        now: OffsetDateTime,
    ) -> Result<Result<Monitor, Vec<SettingFault>>, StoreError>;
}

/// What is known of a site.
#[derive(Clone, Debug)]
pub struct MonitorKnowledge {
    /// Its monitor.
    pub monitor: Monitor,
    /// Its regions: what they know, and when they check next.
    pub regions: Vec<RegionKnowledge>,
    /// The spans of all regions, by start.
    pub spans: Vec<Span>,
    /// The incidents that reach into the time of the spans.
    pub incidents: Vec<IncidentSpan>,
    /// When the registration of the domain's name ends.
    pub registration_ends_at: Option<OffsetDateTime>,
}

impl MonitorKnowledge {
    /// The incident that is open: of a domain there is one at most.
    #[must_use]
    pub fn open_incident(&self) -> Option<&IncidentSpan> {
        self.incidents
            .iter()
            .find(|incident| incident.resolved_at.is_none())
    }

    /// Up to when it is known what the regions that check now found: the last check of the one that is furthest behind,
    /// of `region` alone where one is named. Where none checks now, the last of all. `None` before the first.
    #[must_use]
    pub fn checked_through(&self, region: Option<&str>, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let asked = self
            .regions
            .iter()
            .filter(|known| region.is_none_or(|region| known.region == region));
        let checked = |known: &RegionKnowledge| Some(known.state.as_ref()?.last_check_at);
        let active = asked
            .clone()
            .filter(|known| is_active(known, &self.monitor.settings, now));
        let last = active.filter_map(checked).min();
        last.or_else(|| asked.filter_map(checked).max())
            .map(|at| at.min(now))
    }
}

/// When an incident was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncidentSpan {
    /// Its id.
    pub id: IncidentId,
    /// How bad it is.
    pub severity: Severity,
    /// Its first failing check.
    pub started_at: OffsetDateTime,
    /// Its first passing check; `None` while it goes on.
    pub resolved_at: Option<OffsetDateTime>,
}

/// What one region knows of a site.
#[derive(Clone, Debug)]
pub struct RegionKnowledge {
    /// The region.
    pub region: String,
    /// What it knows; `None` before its first check.
    pub state: Option<RegionState>,
    /// When it checks next.
    pub next_check_at: Option<OffsetDateTime>,
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
    /// Only those that reach into the time from here…
    pub from: OffsetDateTime,
    /// …to here, exclusive.
    pub until: OffsetDateTime,
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
    /// How many there are of each class that was seen, whatever class the filter names: among the newest
    /// [`INCIDENTS_READ`] of all classes, and of the class that the filter names among its own newest.
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

    /// How many outages each region saw that reach into the stretch of time.
    async fn count_by_region(
        &self,
        domain: &DomainAccess,
        stretch: Stretch,
    ) -> Result<Vec<(String, u32)>, StoreError>;

    /// An incident of the domain with its course and its first [`INCIDENT_CHECKS`] failing checks.
    async fn detail(
        &self,
        domain: &DomainAccess,
        id: IncidentId,
    ) -> Result<Option<IncidentDetail>, StoreError>;
}

/// Takes runs.
#[async_trait]
pub trait RunStore: Send + Sync {
    /// Asks for a check of the domain's site from each of these regions, at once and beside the schedule.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        regions: &[String],
        now: OffsetDateTime,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, SettleError>;
}

/// A check that is due, claimed by this process.
#[derive(Clone, Debug)]
pub struct DueCheck {
    /// The domain.
    pub domain_id: DomainId,
    /// The settings of its monitor.
    pub settings: MonitorSettings,
    /// When it was due.
    pub due_at: OffsetDateTime,
}

/// A check that was done.
#[derive(Clone, Debug)]
pub struct FinishedCheck {
    /// The check.
    pub check: Check,
    /// When it was due; `None` for a run, which leaves the schedule alone.
    pub due_at: Option<OffsetDateTime>,
    /// The end of the certificate that was seen.
    pub certificate_valid_until: Option<OffsetDateTime>,
    /// The headers of the answer that tell who answered.
    pub response_headers: BTreeMap<String, String>,
    /// What was seen of the site's TLS; `None` leaves what is stored.
    pub sighting: Option<Arc<Sighting>>,
}

/// Hands out due checks and takes their results.
#[async_trait]
pub trait ScheduleStore: Send + Sync {
    /// Makes a region known, or what is said of it: checks can run from it. Its checks that are due, or leased, further
    /// ahead than they can be are due now: a clock was set back that had been wrong.
    async fn register_region(&self, place: &RegionPlace, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Claims at most `limit` checks of `region` that are due, the longest due first. Nobody else gets them before
    /// `lease` is over. Monitors that are disabled, and domains that are deleted, are never due; nor is anything before
    /// the store's own clock says so, where `now` is ahead of it.
    async fn claim(
        &self,
        region: &str,
        now: OffsetDateTime,
        lease: Duration,
        limit: usize,
    ) -> Result<Vec<DueCheck>, StoreError>;

    /// When the next check of `region` is due, by the clock that says that it is `now`.
    async fn next_due(&self, region: &str, now: OffsetDateTime)
    -> Result<Option<OffsetDateTime>, StoreError>;

    /// The settings of a domain's monitor; `None` where there is none, or the domain is deleted.
    async fn settings(&self, domain: DomainId) -> Result<Option<MonitorSettings>, StoreError>;

    /// Stores finished checks with what they change (`state::observe`, `status::is_down`), and sets when each that was
    /// due is due next: its due time and whole intervals, after `now`, or [`RECHECK`] from then
    /// while the site's state is undecided. Where a region's verdict turns, those that differ check at once. A run has
    /// one check of a region: a second one is dropped. What a clock stamped that is ahead of the store's is stamped by
    /// that. A check that can't be stored is set aside, and stops no other: the answer is the ids of those. After an
    /// error all of them may come again.
    ///
    /// [`RECHECK`]: crate::state::RECHECK
    async fn complete(
        &self,
        finished: &[FinishedCheck],
        now: OffsetDateTime,
    ) -> Result<Vec<CheckId>, StoreError>;

    /// Gives claimed checks back: this process stops before it could do them.
    async fn release(&self, region: &str, domains: &[DomainId]) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::{
        monitor::settings::MonitorSettings,
        state::{RegionState, SpanState},
    };

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    /// A site that is checked once a minute, by regions whose last checks are so many seconds ago.
    fn known(regions: &[(&str, i64)]) -> MonitorKnowledge {
        let region = |(region, ago): &(&str, i64)| {
            let last_check_at = NOW - Duration::seconds(*ago);
            RegionKnowledge {
                region: (*region).to_owned(),
                state: Some(RegionState {
                    is_down: false,
                    since: last_check_at,
                    failing: None,
                    passing_since: None,
                    paused_at: None,
                    consecutive_failures: 0,
                    consecutive_passes: 1,
                    consecutive_forbidden: 0,
                    last_success_at: Some(last_check_at),
                    last_check_at,
                    holds_until: Some(last_check_at + Duration::minutes(2)),
                    stored_until: None,
                    retry_index: 0,
                    last_outcome: Outcome::Up,
                    current: SpanState::Up,
                    last_status_code: Some(200),
                    last_response_ms: Some(120.5),
                    last_error_class: None,
                    last_error_message: None,
                    certificate_valid_until: None,
                }),
                next_check_at: None,
            }
        };
        MonitorKnowledge {
            monitor: Monitor {
                settings: MonitorSettings::defaults(&"shop.example".parse().unwrap(), &[]),
                created_at: NOW - Duration::DAY,
                updated_at: NOW - Duration::DAY,
                updated_by: None,
            },
            regions: regions.iter().map(region).collect(),
            spans: Vec::new(),
            incidents: Vec::new(),
            registration_ends_at: None,
        }
    }

    /// Both check now; a third has been silent for an hour and keeps nobody waiting.
    #[test]
    fn it_is_known_what_the_region_furthest_behind_has_found() {
        let known = known(&[("asia", 3_600), ("eu", 5), ("us", 50)]);
        let ago = |seconds| Some(NOW - Duration::seconds(seconds));
        assert_eq!(known.checked_through(None, NOW), ago(50));
        assert_eq!(known.checked_through(Some("eu"), NOW), ago(5));
        assert_eq!(known.checked_through(Some("asia"), NOW), ago(3_600));
        assert_eq!(known.checked_through(Some("mars"), NOW), None);
        let later = NOW + Duration::HOUR;
        assert_eq!(known.checked_through(None, later), ago(5), "none checks any more");
    }

    /// Its clock may be ahead of this node's.
    #[test]
    fn nothing_is_known_of_what_is_to_come() {
        assert_eq!(known(&[("eu", -3)]).checked_through(None, NOW), Some(NOW));
        assert_eq!(known(&[]).checked_through(None, NOW), None);
    }
}
