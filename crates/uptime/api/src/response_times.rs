//! GET /domains/{domain_id}/uptime/response-times

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::{DataThrough, Granularity, Meta},
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::PeriodDays},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use pharos_uptime::{
    history::{Figures, HistoryQuery, HistoryStore, PhaseTiming, Phases, Timing, aggregate::Depth, begun},
    store::MonitorStore,
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};

use super::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getUptimeResponseTimes",
    path: "/domains/{domain_id}/uptime/response-times",
    module: Module::Uptime,
    summary: "How long the site took to answer, and in which phase",
    description: "Only checks that passed count: a failure has no time. Percentiles lie between two neighbours by linear \
                  interpolation and have three significant digits, but never lie beyond the fastest and the slowest; \
                  everything else is exact. A piece without an answer has nulls and `sample_count` 0.",
    scope: Some(Scope::ReadUptime),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 60,
    window: Window::PeriodDays,
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

wire_enum! {
    /// How long the pieces are.
    ResponseTimeGranularity {
        /// An hour.
        Hour = "hour",
        /// A UTC day.
        Day = "day",
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct ResponseTimesQuery {
    /// How long the pieces of `items` are; left out: an hour.
    #[serde(default = "hour")]
    #[param(inline, value_type = Option<ResponseTimeGranularity>)]
    granularity: ResponseTimeGranularity,
    /// Only checks from this region.
    region: Option<String>,
}

fn hour() -> ResponseTimeGranularity {
    ResponseTimeGranularity::Hour
}

pub(super) async fn view(
    access: DomainAccess,
    PeriodDays(window): PeriodDays,
    Query(query): Query<ResponseTimesQuery>,
    monitors: Port<dyn MonitorStore>,
    history: Port<dyn HistoryStore>,
) -> ApiResult<UptimeResponseTimesPublic> {
    let ResponseTimesQuery { granularity, region } = query;
    let granularity = match granularity {
        ResponseTimeGranularity::Hour => Granularity::Hour,
        ResponseTimeGranularity::Day => Granularity::Day,
    };
    let (days, now) = (window.window, window.horizon.now);
    let buckets = begun(days, granularity, now);
    let all = HistoryQuery {
        range: days.time_range(),
        depth: Depth::Phases,
    };
    let pieces = buckets.iter().map(|bucket| HistoryQuery {
        range: bucket.range,
        depth: Depth::Response,
    });
    let queries: Vec<HistoryQuery> = [all].into_iter().chain(pieces).collect();
    // First: what comes in between is in the figures, and data_through does not promise it.
    let known = monitors.status(&access, now).await?;
    let known = known.ok_or_else(missing)?;
    let found = history
        .aggregate(&access, &queries, &[], region.as_deref())
        .await?;
    let mut figures = found
        .aggregates
        .into_iter()
        .map(|regions| regions.together().figures());
    let all = figures.next().unwrap_or_default();
    let items = buckets
        .iter()
        .zip(figures)
        .map(|(bucket, figures)| ResponseTimeItemPublic::new(bucket.start.into(), &figures))
        .collect();
    let through = known.data_through(region.as_deref(), days, now);
    Ok(UptimeResponseTimesPublic {
        summary: all.response.into(),
        phases: PhasesPublic::new(&all.phases),
        items,
        meta: window.meta(None, through.map(DataThrough::from)),
    })
}

/// How long a site took to answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeResponseTimes)]
pub(super) struct UptimeResponseTimesPublic {
    /// Over the whole window.
    summary: TimingPublic,
    /// In which phase the time went.
    phases: PhasesPublic,
    /// The pieces of the window, in order.
    items: Vec<ResponseTimeItemPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// How long answers took, in milliseconds; null without any.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeTiming)]
pub(super) struct TimingPublic {
    /// The mean.
    #[schema(required)]
    avg_ms: Option<f64>,
    /// The fastest.
    #[schema(required)]
    min_ms: Option<f64>,
    /// The median.
    #[schema(required)]
    p50_ms: Option<f64>,
    /// The 75th percentile.
    #[schema(required)]
    p75_ms: Option<f64>,
    /// The 90th percentile.
    #[schema(required)]
    p90_ms: Option<f64>,
    /// The 95th percentile.
    #[schema(required)]
    p95_ms: Option<f64>,
    /// The 99th percentile.
    #[schema(required)]
    p99_ms: Option<f64>,
    /// The slowest.
    #[schema(required)]
    max_ms: Option<f64>,
    /// How many answers.
    #[schema(minimum = 0)]
    sample_count: u64,
}

/// How long the phases took.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimePhases)]
pub(super) struct PhasesPublic {
    /// Looking up the name.
    dns: PhasePublic,
    /// The TCP handshake.
    connect: PhasePublic,
    /// The TLS handshake.
    tls: PhasePublic,
    /// From the request sent to the first byte of the answer.
    ttfb: PhasePublic,
    /// From the first byte to the last.
    download: PhasePublic,
}

/// How long a phase took, in milliseconds; null where no answer reached it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimePhase)]
pub(super) struct PhasePublic {
    /// The mean.
    #[schema(required)]
    avg_ms: Option<f64>,
    /// The 95th percentile.
    #[schema(required)]
    p95_ms: Option<f64>,
    /// Its mean in percent of the sum of all phases' means, to a tenth: rounded shares may add up to 99.9 or 100.1.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
}

/// A piece of the window; its times are null where no answer has them.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeResponseTimeItem)]
pub(super) struct ResponseTimeItemPublic {
    /// When its hour or day begins, UTC.
    bucket_start: Timestamp,
    /// The mean in milliseconds.
    #[schema(required)]
    avg_ms: Option<f64>,
    /// The median.
    #[schema(required)]
    p50_ms: Option<f64>,
    /// The 95th percentile.
    #[schema(required)]
    p95_ms: Option<f64>,
    /// The slowest.
    #[schema(required)]
    max_ms: Option<f64>,
    /// How many answers.
    #[schema(minimum = 0)]
    sample_count: u64,
    /// The mean of the name look-up.
    #[schema(required)]
    dns_ms: Option<f64>,
    /// The mean of the TCP handshake.
    #[schema(required)]
    connect_ms: Option<f64>,
    /// The mean of the TLS handshake.
    #[schema(required)]
    tls_ms: Option<f64>,
    /// To the first byte.
    #[schema(required)]
    ttfb_ms: Option<f64>,
    /// From the first byte to the last.
    #[schema(required)]
    download_ms: Option<f64>,
}

impl From<Timing> for TimingPublic {
    fn from(timing: Timing) -> Self {
        let Timing {
            samples,
            avg,
            min,
            p50,
            p75,
            p90,
            p95,
            p99,
            max,
        } = timing;
        Self {
            avg_ms: avg,
            min_ms: min,
            p50_ms: p50,
            p75_ms: p75,
            p90_ms: p90,
            p95_ms: p95,
            p99_ms: p99,
            max_ms: max,
            sample_count: samples,
        }
    }
}

impl PhasesPublic {
    fn new(phases: &Phases) -> Self {
        let Phases {
            dns,
            connect,
            tls,
            ttfb,
            download,
        } = phases;
        let phase = |phase: &PhaseTiming, share_pct| PhasePublic {
            avg_ms: phase.avg,
            p95_ms: phase.p95,
            share_pct,
        };
        let [of_dns, of_connect, of_tls, of_ttfb, of_download] = phases.shares();
        Self {
            dns: phase(dns, of_dns),
            connect: phase(connect, of_connect),
            tls: phase(tls, of_tls),
            ttfb: phase(ttfb, of_ttfb),
            download: phase(download, of_download),
        }
    }
}

impl ResponseTimeItemPublic {
    fn new(bucket_start: Timestamp, figures: &Figures) -> Self {
        let Figures { response, phases, .. } = figures;
        Self {
            bucket_start,
            avg_ms: response.avg,
            p50_ms: response.p50,
            p95_ms: response.p95,
            max_ms: response.max,
            sample_count: response.samples,
            dns_ms: phases.dns.avg,
            connect_ms: phases.connect.avg,
            tls_ms: phases.tls.avg,
            ttfb_ms: phases.ttfb.avg,
            download_ms: phases.download.avg,
        }
    }
}

impl Example for UptimeResponseTimesPublic {
    fn example() -> Self {
        let phase = |avg, p95| PhaseTiming {
            avg: Some(avg),
            p95: Some(p95),
        };
        let figures = Figures {
            response: Timing {
                samples: 60,
                avg: Some(182.4),
                min: Some(141.2),
                p50: Some(176.0),
                p75: Some(198.0),
                p90: Some(252.0),
                p95: Some(311.0),
                p99: Some(402.0),
                max: Some(433.8),
            },
            phases: Phases {
                dns: phase(11.2, 20.4),
                connect: phase(23.9, 31.0),
                tls: phase(48.1, 60.2),
                ttfb: phase(91.3, 188.0),
                download: phase(7.0, 12.9),
            },
            ..Figures::default()
        };
        Self {
            summary: figures.response.into(),
            phases: PhasesPublic::new(&figures.phases),
            items: vec![ResponseTimeItemPublic::new(
                datetime!(2026-03-31 09:00 UTC).into(),
                &figures,
            )],
            meta: Meta::example(),
        }
    }
}
