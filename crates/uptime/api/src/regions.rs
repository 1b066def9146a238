//! GET /domains/{domain_id}/uptime/regions

use std::collections::BTreeMap;

use pharos_domain::{
    identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp, window::Meta,
};
use pharos_http::{
    extract::{port::Port, window::PeriodDays},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};
use pharos_uptime::{
    availability::{availability, spans_until_now, walls},
    check::Outcome,
    history::{
        Figures, HistoryStore, Question, RegionPlace,
        tally::{Depth, Tallies},
    },
    state::Span,
    status::is_active,
    store::{IncidentStore, MonitorStore},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::{data_through, missing};

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
) -> ApiResult<UptimeRegionPage> {
    let (start, end) = (window.window.start(), window.window.end());
    let now = window.horizon.now;
    let question = [Question {
        stretch: (start, end),
        depth: Depth::Response,
    }];
    let (known, told, places) = tokio::try_join!(
        monitors.status(&access, start),
        history.tell(&access, &question, &[], None),
        history.places(),
    )?;
    // One long read after the other: a heavy query has one connection, or the heavy queries of a workspace take them all.
    let affected = incidents.count_by_region(&access, (start, end)).await?;
    let known = known.ok_or_else(missing)?;
    let found: BTreeMap<&str, Figures> = told
        .tallies
        .iter()
        .flat_map(Tallies::by_region)
        .map(|(region, tally)| (region, tally.figures()))
        .collect();
    let (spans, walls) = (spans_until_now(&known, now), walls(&known.incidents, now));
    let mut keys: Vec<String> = known.regions.iter().map(|region| region.region.clone()).collect();
    keys.extend(found.keys().map(|region| (*region).to_owned()));
    keys.sort_unstable();
    keys.dedup();
    let regions = keys.into_iter().map(|key| {
        let own: Vec<Span> = spans.iter().filter(|span| span.region == key).cloned().collect();
        let Figures { counts, response, .. } = found.get(key.as_str()).copied().unwrap_or_default();
        let current = known.regions.iter().find(|region| region.region == key);
        let last = current.and_then(|region| region.state.as_ref());
        let place = places.iter().find(|place| place.key == key);
        UptimeRegionPublic {
            name: name(place, &key),
            continent: place
                .and_then(|place| place.continent.clone())
                .unwrap_or_else(|| "unknown".to_owned()),
            country: place.and_then(|place| place.country.clone()),
            active: current.is_some_and(|region| is_active(region, &known.monitor.settings, now)),
            uptime_pct: availability(&own, &walls, start, end.min(now)).uptime_pct(),
            avg_response_ms: response.avg,
            p95_response_ms: response.p95,
            checks_total: counts.total,
            checks_down: counts.down,
            incident_count: affected
                .iter()
                .find(|(region, _)| *region == key)
                .map_or(0, |(_, count)| *count),
            last_check_at: last.map(|state| state.last_check_at.into()),
            last_outcome: last.map(|state| state.last_outcome),
            region: key,
        }
    });
    Ok(UptimeRegionPage {
        items: regions.collect(),
        next_cursor: None,
        has_more: false,
        meta: window.meta(None, data_through(&known, None, window.window, now)),
    })
}

fn name(place: Option<&RegionPlace>, key: &str) -> String {
    place
        .and_then(|place| place.name.clone())
        .unwrap_or_else(|| key.to_owned())
}

/// The regions of a site, all on one page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeRegionPage)]
pub(super) struct UptimeRegionPage {
    /// The regions, by key.
    items: Vec<UptimeRegionPublic>,
    /// Always null.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Always false.
    has_more: bool,
    /// The window.
    meta: Meta,
}

/// A site as one region sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeRegion)]
pub(super) struct UptimeRegionPublic {
    /// Its key.
    region: String,
    /// What people call it.
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
    /// The mean time of answers in milliseconds. Failed checks are not among them.
    #[schema(required)]
    avg_response_ms: Option<f64>,
    /// The 95th percentile of the same.
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
    /// What that came to.
    #[schema(required)]
    last_outcome: Option<Outcome>,
}

impl Example for UptimeRegionPage {
    fn example() -> Self {
        Self {
            items: vec![UptimeRegionPublic {
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
            }],
            next_cursor: None,
            has_more: false,
            meta: Meta::example(),
        }
    }
}
