//! GET /domains/{domain_id}/uptime/regions

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{Page, Windowed},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::DataThrough,
};
use pharos_http::{
    extract::{port::Port, window::PeriodDays},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};
use pharos_uptime::{
    check::Outcome,
    history::{Figures, HistoryQuery, HistoryStore, RegionPlace, aggregate::Depth},
    regions::{Found, RegionReport, reports},
    store::{IncidentStore, MonitorStore},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listUptimeRegions",
    path: "/domains/{domain_id}/uptime/regions",
    module: Module::Uptime,
    summary: "Availability and response times as each region sees them",
    description: "The regions that check the site now, and those that did within the window. `uptime_pct` is what the \
                  region saw by itself: the site is down for all only when most regions see it so. Percentiles have \
                  three significant digits.",
    scope: Some(Scope::ReadUptime),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 60,
    paging: Paging::Single,
    window: Window::PeriodDays,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

pub(super) async fn list(
    access: DomainAccess,
    PeriodDays(window): PeriodDays,
    monitors: Port<dyn MonitorStore>,
    history: Port<dyn HistoryStore>,
    incidents: Port<dyn IncidentStore>,
) -> ApiResult<Page<UptimeRegionPublic, Windowed>> {
    let (days, now) = (window.window, window.horizon.now);
    let query = [HistoryQuery {
        range: days.time_range(),
        depth: Depth::Response,
    }];
    let (known, found, places) = tokio::try_join!(
        monitors.status(&access, days.start()),
        history.aggregate(&access, &query, &[], None),
        history.places(),
    )?;
    // One long read after the other: a heavy query has one connection, or the heavy queries of a workspace take them all.
    let outages = incidents.count_by_region(&access, days.time_range()).await?;
    let known = known.ok_or_else(missing)?;
    let found = Found {
        known: &known,
        aggregates: &found.aggregates.into_iter().next().unwrap_or_default(),
        outages: &outages,
        places: &places,
    };
    let through = known.data_through(None, days, now);
    let meta = window.meta(None, through.map(DataThrough::from));
    let reports = reports(found, days.time_range(), now).into_iter();
    Ok(Page::single(reports.map(UptimeRegionPublic::from).collect()).with(Windowed { meta }))
}

/// A site as one region sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeRegion)]
pub(super) struct UptimeRegionPublic {
    /// The key by which checks and settings name the region.
    region: String,
    /// The name that people call it by.
    name: String,
    /// The continent that it is on; `unknown` where its operator does not say.
    continent: String,
    /// The country, ISO 3166-1 alpha-2; null where its operator does not say.
    #[schema(required)]
    country: Option<String>,
    /// Whether it checks the site now: it is to, and was not silent for longer than two intervals.
    active: bool,
    /// Availability as it saw it, in percent; null where it observed nothing.
    #[schema(required, minimum = 0, maximum = 100)]
    uptime_pct: Option<f64>,
    /// The mean time of answers in milliseconds. Failed checks are not among them. Null without an answer.
    #[schema(required)]
    avg_response_ms: Option<f64>,
    /// The 95th percentile of the same; null without an answer.
    #[schema(required)]
    p95_response_ms: Option<f64>,
    /// How many checks it ran.
    #[schema(minimum = 0)]
    checks_total: u64,
    /// How many of them failed.
    #[schema(minimum = 0)]
    checks_down: u64,
    /// The outages that it saw.
    #[schema(minimum = 0)]
    incident_count: u32,
    /// When its last check began; null where it is not to check any more, or has not yet.
    #[schema(required)]
    last_check_at: Option<Timestamp>,
    /// The outcome of its last check; null like `last_check_at`.
    #[schema(required)]
    last_outcome: Option<Outcome>,
}

impl From<RegionReport> for UptimeRegionPublic {
    fn from(report: RegionReport) -> Self {
        let RegionReport {
            place:
                RegionPlace {
                    key,
                    name,
                    continent,
                    country,
                },
            is_active,
            uptime_pct,
            figures: Figures { counts, response, .. },
            incident_count,
            last,
        } = report;
        Self {
            name: name.unwrap_or_else(|| key.clone()),
            continent: continent.unwrap_or_else(|| "unknown".to_owned()),
            country,
            active: is_active,
            uptime_pct,
            avg_response_ms: response.avg,
            p95_response_ms: response.p95,
            checks_total: counts.total,
            checks_down: counts.down,
            incident_count,
            last_check_at: last.map(|(at, _)| at.into()),
            last_outcome: last.map(|(_, outcome)| outcome),
            region: key,
        }
    }
}

impl Example for UptimeRegionPublic {
    fn example() -> Self {
        Self {
            region: "eu-central".to_owned(),
            name: "Frankfurt".to_owned(),
            continent: "Europe".to_owned(),
            country: Some("DE".to_owned()),
            active: true,
            uptime_pct: Some(99.98),
            avg_response_ms: Some(182.4),
            p95_response_ms: Some(311.0),
            checks_total: 40_317,
            checks_down: 3,
            incident_count: 1,
            last_check_at: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
            last_outcome: Some(Outcome::Up),
        }
    }
}
