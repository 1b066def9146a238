//! GET /domains/{domain_id}/uptime/availability

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::{Bucket as Piece, Change, Granularity, Meta, Window as Days},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedFull},
    operation::{ApiResult, Example},
    spec::{Bucket, Compare, Credits, OperationSpec, Window},
};
use pharos_uptime::{
    availability::{Availability, Incidents, Stretch, between, outages_between, spans_until_now, walls},
    history::{Figures, HistoryStore, Question, tally::Depth},
    state::Span,
    store::{MonitorKnowledge, MonitorStore},
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use super::{data_through, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeAvailability",
    path: "/domains/{domain_id}/uptime/availability",
    module: Module::Uptime,
    summary: "For how long the site was up and down",
    description: "Weighted by time, not by checks: what a check finds holds until the next, for two intervals at most. \
                  The site is down while more than half of its regions see it down (all of them, with one or two), \
                  from the first failing check of a confirmed incident to its first passing one. Maintenance, pauses, \
                  walls against the prober and time without checks count neither as up nor as down. Percentiles have \
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
    let pieces: Vec<Piece> = window.buckets(query.granularity).collect();
    let windows = [window].into_iter().chain(compared);
    let questions: Vec<Question> = windows
        .map(|days| Question {
            stretch: (days.start(), days.end()),
            depth: Depth::Response,
        })
        .collect();
    let mut edges: Vec<OffsetDateTime> = pieces.iter().map(|piece| piece.from).collect();
    edges.extend(pieces.last().map(|piece| piece.to));
    let (known, told) = tokio::try_join!(
        monitors.status(&access, since),
        history.tell(&access, &questions, &edges, None),
    )?;
    let known = known.ok_or_else(missing)?;
    let mut figures = told
        .tallies
        .into_iter()
        .map(|tallies| tallies.together().figures());
    let past = Past::new(&known, now);
    let current = past.summary(window, figures.next().unwrap_or_default());
    let earlier = compared.and_then(|_| figures.next()).unwrap_or_default();
    let comparison = compared.map(|compared| {
        // Of days that are no longer kept nothing is known.
        let previous = asked
            .shown
            .is_some_and(|shown| shown.is_kept)
            .then(|| past.summary(compared, earlier));
        let before = |read: fn(&Summary) -> Option<f64>| previous.as_ref().and_then(read);
        AvailabilityComparisonPublic {
            uptime_pct: Change::of_percentages(current.uptime_pct, before(|past| past.uptime_pct)),
            incident_count: Change::of(current.incidents(), before(Summary::incidents)),
            downtime_seconds: Change::of(current.downtime(), before(Summary::downtime)),
            avg_response_ms: Change::of(current.average(), before(Summary::average)),
        }
    });
    let target = known.monitor.settings.sla_target_pct;
    Ok(UptimeAvailabilityPublic {
        uptime_pct: current.uptime_pct,
        downtime_seconds: current.time.down.whole_seconds(),
        maintenance_seconds: current.time.maintenance.whole_seconds(),
        unobserved_seconds: current.unobserved_seconds,
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
        sla_met: target.and_then(|target| Some(current.uptime_pct? >= target)),
        comparison,
        items: past.items(&pieces, &edges, &told.totals),
        meta: asked.meta(data_through(&known, None, window, now)),
    })
}

/// What is known of the past of a site.
struct Past<'a> {
    known: &'a MonitorKnowledge,
    spans: Vec<Span>,
    walls: Vec<Stretch>,
    now: OffsetDateTime,
}

/// What a window of it comes to.
struct Summary {
    uptime_pct: Option<f64>,
    time: Availability,
    unobserved_seconds: i64,
    outages: Incidents,
    figures: Figures,
}

impl Summary {
    /// As a figure of a comparison. Counts are far below what a double holds.
    fn incidents(&self) -> Option<f64> {
        self.uptime_pct.map(|_| f64::from(self.outages.count))
    }

    fn average(&self) -> Option<f64> {
        self.figures.response.avg
    }

    fn downtime(&self) -> Option<f64> {
        self.uptime_pct.map(|_| self.time.down.as_seconds_f64().floor())
    }
}

impl<'a> Past<'a> {
    fn new(known: &'a MonitorKnowledge, now: OffsetDateTime) -> Self {
        Self {
            known,
            spans: spans_until_now(known, now),
            walls: walls(&known.incidents, now),
            now,
        }
    }

    fn summary(&self, window: Days, figures: Figures) -> Summary {
        let (start, end) = (window.start(), window.end());
        let time = between(&self.spans, &self.walls, &[start, end])
            .pop()
            .unwrap_or_default();
        // Before the monitor was there, and after now, nothing was missed.
        let begins = start.max(self.known.monitor.created_at);
        let monitored = (end.min(self.now) - begins).max(time::Duration::ZERO);
        Summary {
            uptime_pct: time.uptime_pct(),
            time,
            unobserved_seconds: (monitored - time.known()).whole_seconds().max(0),
            outages: Incidents::within(&self.known.incidents, (start, end), self.now),
            figures,
        }
    }

    /// The pieces of the window, which begin and end at `edges`.
    fn items(
        &self,
        pieces: &[Piece],
        edges: &[OffsetDateTime],
        totals: &[u64],
    ) -> Vec<AvailabilityItemPublic> {
        let times = between(&self.spans, &self.walls, edges);
        let outages = outages_between(&self.known.incidents, edges);
        let item = |(((piece, time), outages), total): (((&Piece, Availability), u32), &u64)| {
            AvailabilityItemPublic {
                bucket_start: piece.start.into(),
                uptime_pct: time.uptime_pct(),
                downtime_seconds: time.down.whole_seconds(),
                incident_count: outages,
                checks_total: *total,
            }
        };
        pieces
            .iter()
            .zip(times)
            .zip(outages)
            .zip(totals)
            .map(item)
            .collect()
    }
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
    /// Of them: as expected.
    #[schema(minimum = 0)]
    checks_up: u64,
    /// Of them: failed, whether confirmed or not.
    #[schema(minimum = 0)]
    checks_down: u64,
    /// Of them: as expected, but slow.
    #[schema(minimum = 0)]
    checks_degraded: u64,
    /// The outages that reach into the window.
    #[schema(minimum = 0)]
    incident_count: u32,
    /// How long the longest of them lasted, all of it; one that is open until now. Null without any.
    #[schema(required, minimum = 0)]
    longest_incident_seconds: Option<i64>,
    /// Mean time to recover: how long those that are over lasted. Null without any.
    #[schema(required, minimum = 0)]
    mttr_seconds: Option<f64>,
    /// Mean time between failures: from the end of one to the beginning of the next. Null with fewer than two.
    #[schema(required, minimum = 0)]
    mtbf_seconds: Option<f64>,
    /// How long answers took, in milliseconds. Failed checks are not among them.
    #[schema(required, minimum = 0)]
    avg_response_ms: Option<f64>,
    /// The 95th percentile of the same.
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
    comparison: Option<AvailabilityComparisonPublic>,
    /// The pieces of the window, in order.
    items: Vec<AvailabilityItemPublic>,
    /// The window.
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
