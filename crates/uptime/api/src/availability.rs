//! GET /domains/{domain_id}/uptime/availability

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::{Change, DataThrough, Granularity, Meta, TimeBucket},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedFull},
    operation::{ApiResult, Example},
    spec::{Bucket, Compare, Credits, OperationSpec, Window},
};
use pharos_uptime::{
    availability::{past::Past, summary::SummaryChanges},
    history::{HistoryQuery, HistoryStore, aggregate::Depth},
    store::MonitorStore,
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use super::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeAvailability",
    path: "/domains/{domain_id}/uptime/availability",
    module: Module::Uptime,
    summary: "For how long the site was up and down",
    description: "Weighted by time, not by checks: what a check finds holds until the next, for two intervals at most. \
                  The site is down while more than half of its regions see it down (all of them, with one or two), \
                  from the first failing check of a confirmed incident to its first passing one. Maintenance, pauses, \
                  time in which the prober was blocked and time without checks count neither as up nor as down. Percentiles have \
                  three significant digits. `comparison` is there with compare_previous.",
    scope: Some(Scope::ReadUptime),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 60,
    window: Window::Full,
    compare: Compare::Mode,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct AvailabilityQuery {
    /// How long the pieces of `items` are; left out: a day.
    #[serde(default = "day")]
    #[param(inline, value_type = Option<Granularity>)]
    granularity: Granularity,
}

fn day() -> Granularity {
    Granularity::Day
}

pub(super) async fn view(
    access: DomainAccess,
    ComparedFull(asked): ComparedFull,
    Query(query): Query<AvailabilityQuery>,
    monitors: Port<dyn MonitorStore>,
    history: Port<dyn HistoryStore>,
) -> ApiResult<UptimeAvailabilityPublic> {
    let now = asked.window.horizon.now;
    let window = asked.window.window;
    let compared = asked.shown.map(|shown| shown.window);
    let since = compared.map_or(window.start(), |compared| compared.start().min(window.start()));
    let buckets: Vec<TimeBucket> = window.buckets(query.granularity).collect();
    let windows = [window].into_iter().chain(compared);
    let queries: Vec<HistoryQuery> = windows
        .map(|days| HistoryQuery {
            range: days.time_range(),
            depth: Depth::Response,
        })
        .collect();
    let mut edges: Vec<OffsetDateTime> = buckets.iter().map(|bucket| bucket.range.from).collect();
    edges.extend(buckets.last().map(|bucket| bucket.range.until));
    let (known, found) = tokio::try_join!(
        monitors.status(&access, since),
        history.aggregate(&access, &queries, &edges, None),
    )?;
    let known = known.ok_or_else(missing)?;
    let mut figures = found
        .aggregates
        .into_iter()
        .map(|regions| regions.together().figures());
    let past = Past::new(&known, now);
    let current = past.summary(window.time_range(), figures.next().unwrap_or_default());
    let comparison = asked.shown.map(|shown| {
        let figures = figures.next().unwrap_or_default();
        // Nothing is known of days that are no longer kept.
        let earlier = shown
            .is_kept
            .then(|| past.summary(shown.window.time_range(), figures));
        current.changes_since(earlier.as_ref()).into()
    });
    let target = known.monitor.settings.sla_target_pct;
    let items = buckets
        .iter()
        .zip(past.between(&edges))
        .zip(found.totals)
        .map(|((bucket, (time, outages)), total)| AvailabilityItemPublic {
            bucket_start: bucket.start.into(),
            uptime_pct: time.uptime_pct(),
            downtime_seconds: time.down.whole_seconds(),
            incident_count: outages,
            checks_total: total,
        })
        .collect();
    let through = known.data_through(None, window, now);
    Ok(UptimeAvailabilityPublic {
        uptime_pct: current.uptime_pct(),
        downtime_seconds: current.time.down.whole_seconds(),
        maintenance_seconds: current.time.maintenance.whole_seconds(),
        unobserved_seconds: current.unobserved.whole_seconds(),
        checks_total: current.figures.counts.total,
        checks_up: current.figures.counts.up,
        checks_down: current.figures.counts.down,
        checks_degraded: current.figures.counts.degraded,
        incident_count: current.outages.count,
        longest_incident_seconds: current.outages.longest_seconds,
        mttr_seconds: current.outages.mttr_seconds,
        mtbf_seconds: current.outages.mtbf_seconds,
        avg_response_ms: current.figures.response.avg,
        p95_response_ms: current.figures.response.p95,
        sla_target_pct: target,
        sla_met: current.meets(target),
        comparison,
        items,
        meta: asked.meta(through.map(DataThrough::from)),
    })
}

/// For how long a site was up and down.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeAvailability)]
pub(super) struct UptimeAvailabilityPublic {
    /// 100 × up ÷ (up + down); null where the whole window is neither.
    #[schema(required, minimum = 0, maximum = 100)]
    uptime_pct: Option<f64>,
    /// How long the site was down.
    #[schema(minimum = 0)]
    downtime_seconds: i64,
    /// How long it was in maintenance.
    #[schema(minimum = 0)]
    maintenance_seconds: i64,
    /// For how long no check ran that should have. Pauses are not among it.
    #[schema(minimum = 0)]
    unobserved_seconds: i64,
    /// How many checks ran, from all regions.
    #[schema(minimum = 0)]
    checks_total: u64,
    /// How many of them found the site as expected.
    #[schema(minimum = 0)]
    checks_up: u64,
    /// How many of them failed, whether confirmed or not.
    #[schema(minimum = 0)]
    checks_down: u64,
    /// How many of them found the site as expected, but slow.
    #[schema(minimum = 0)]
    checks_degraded: u64,
    /// The outages that reach into the window.
    #[schema(minimum = 0)]
    incident_count: u32,
    /// How long the longest of them lasted, all of it; one that is open until now. Null without an
    /// outage.
    #[schema(required, minimum = 0)]
    longest_incident_seconds: Option<i64>,
    /// Mean time to recover: how long those that are over lasted. Null where no outage is over.
    #[schema(required, minimum = 0)]
    mttr_seconds: Option<f64>,
    /// Mean time between failures: from the end of one to the beginning of the next. Null with fewer
    /// than two outages.
    #[schema(required, minimum = 0)]
    mtbf_seconds: Option<f64>,
    /// How long answers took, in milliseconds: the mean. Failed checks are not among them. Null without an answer.
    #[schema(required, minimum = 0)]
    avg_response_ms: Option<f64>,
    /// The 95th percentile of the same; null without an answer.
    #[schema(required, minimum = 0)]
    p95_response_ms: Option<f64>,
    /// The availability that was promised, from the settings; null where none was.
    #[schema(required)]
    sla_target_pct: Option<f64>,
    /// Whether it was met; null without a target, or where nothing was observed.
    #[schema(required)]
    sla_met: Option<bool>,
    /// The figures beside those of the days before; left out without compare_previous.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    comparison: Option<AvailabilityComparisonPublic>,
    /// The pieces of the window, in order.
    items: Vec<AvailabilityItemPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// Availability beside that of other days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeAvailabilityComparison)]
pub(super) struct AvailabilityComparisonPublic {
    /// Availability in percent; its change in percentage points.
    uptime_pct: Change,
    /// Outages.
    incident_count: Change,
    /// Downtime in seconds.
    downtime_seconds: Change,
    /// The mean time of answers in milliseconds.
    avg_response_ms: Change,
}

impl From<SummaryChanges> for AvailabilityComparisonPublic {
    fn from(changes: SummaryChanges) -> Self {
        let SummaryChanges {
            uptime_pct,
            incident_count,
            downtime_seconds,
            avg_response_ms,
        } = changes;
        Self {
            uptime_pct,
            incident_count,
            downtime_seconds,
            avg_response_ms,
        }
    }
}

/// A piece of the window.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeAvailabilityItem)]
pub(super) struct AvailabilityItemPublic {
    /// When its hour, day or week begins, UTC.
    bucket_start: Timestamp,
    /// Availability in percent; null where nothing was observed.
    #[schema(required)]
    uptime_pct: Option<f64>,
    /// How long the site was down.
    #[schema(minimum = 0)]
    downtime_seconds: i64,
    /// The outages that reach into it: one that reaches into two pieces counts in both.
    #[schema(minimum = 0)]
    incident_count: u32,
    /// How many checks ran.
    #[schema(minimum = 0)]
    checks_total: u64,
}

impl Example for UptimeAvailabilityPublic {
    fn example() -> Self {
        Self {
            uptime_pct: Some(99.98),
            downtime_seconds: 180,
            maintenance_seconds: 3_600,
            unobserved_seconds: 0,
            checks_total: 40_317,
            checks_up: 40_309,
            checks_down: 3,
            checks_degraded: 5,
            incident_count: 1,
            longest_incident_seconds: Some(180),
            mttr_seconds: Some(180.0),
            mtbf_seconds: None,
            avg_response_ms: Some(182.4),
            p95_response_ms: Some(311.0),
            sla_target_pct: Some(99.9),
            sla_met: Some(true),
            comparison: None,
            items: vec![AvailabilityItemPublic {
                bucket_start: datetime!(2026-03-12 00:00 UTC).into(),
                uptime_pct: Some(99.79),
                downtime_seconds: 180,
                incident_count: 1,
                checks_total: 1_440,
            }],
            meta: Meta::example(),
        }
    }
}
