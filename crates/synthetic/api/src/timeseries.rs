//! GET /domains/{domain_id}/synthetic/timeseries

use pharos_domain::{
    identity::DomainAccess,
    ids::SyntheticUrlId,
    module::Module,
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    window::{DataThrough, Meta},
};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, listed},
        window::PeriodDays,
    },
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use pharos_synthetic::{
    figure::{LabMetric, LabUnit},
    series::{EngineChange, Grain, MOST_POINTS, Point, SeriesQuery},
    store::LabStore,
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use crate::{
    configured,
    schemas::{LabMetricNames, LabProfileId},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getSyntheticTimeseries",
    path: "/domains/{domain_id}/synthetic/timeseries",
    module: Module::Synthetic,
    summary: "Figures of lab tests over time",
    description: "A series for each tracked URL, profile and metric; those of a URL that is tracked no longer are left out. Points \
                  are medians of the tests that succeeded in a day or a week, by when they ended; days without any are left \
                  out. Another major version of Lighthouse may weigh scores otherwise: `engine_changes` says from which test on one \
                  measured. Don't compare points across it.",
    scope: Some(Scope::ReadSynthetic),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    window: Window::PeriodDays,
    problems: &[Suffix::SyntheticNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct SeriesParameters {
    /// Only this tracked URL.
    #[param(value_type = Option<String>, format = Uuid)]
    url_id: Option<SyntheticUrlId>,
    /// Only this profile.
    #[param(inline, value_type = Option<LabProfileId>)]
    profile_id: Option<String>,
    /// Which metrics, by their names with commas between: the scores (`performance_score`, `accessibility_score`,
    /// `best_practices_score`, `seo_score`), the metrics of a run, `total_bytes`, `request_count`; left out: `performance_score`,
    /// `lcp_ms`, `tbt_ms` and `cls`.
    #[param(inline, value_type = Option<LabMetricNames>)]
    metrics: Option<String>,
    /// The time that a point stands for; left out: a day.
    #[param(inline, value_type = Option<Grain>)]
    granularity: Grain,
}

impl Default for SeriesParameters {
    fn default() -> Self {
        Self {
            url_id: None,
            profile_id: None,
            metrics: None,
            granularity: Grain::Day,
        }
    }
}

/// The metrics where none are named.
const USUAL: [LabMetric; 4] = [
    LabMetric::PerformanceScore,
    LabMetric::LcpMs,
    LabMetric::TbtMs,
    LabMetric::Cls,
];

impl SeriesParameters {
    /// The metrics, each once, in the order in which they were asked for.
    fn metrics(&self) -> Vec<LabMetric> {
        match &self.metrics {
            None => USUAL.to_vec(),
            Some(names) => listed(names),
        }
    }
}

pub(super) async fn view(
    access: DomainAccess,
    PeriodDays(asked): PeriodDays,
    Query(parameters): Query<SeriesParameters>,
    store: Port<dyn LabStore>,
) -> ApiResult<LabTimeseriesPublic> {
    let metrics = parameters.metrics();
    let query = SeriesQuery {
        window: asked.window,
        url_id: parameters.url_id,
        profile_id: parameters.profile_id.as_deref(),
        metrics: &metrics,
        grain: parameters.granularity,
    };
    let points = store.series(&access, &query).await?;
    if points.is_empty() {
        configured(&*store, &access).await?;
    }
    if points.len() > MOST_POINTS {
        let why = format!(
            "there are more than {MOST_POINTS} points; ask for fewer days, one URL, or a coarser granularity"
        );
        return Err(Problem::invalid(vec![Fault::parameter("granularity", why)]));
    }
    let changes = store.engine_changes(&access, &query).await?;
    let through = points.iter().map(|point| point.newest).max();
    Ok(LabTimeseriesPublic {
        series: series(points),
        engine_changes: changes.into_iter().filter_map(EngineChangePublic::new).collect(),
        meta: asked.meta(None, through.map(DataThrough::from)),
    })
}

/// Points that follow each other are of one series, as long as they are of one URL, profile and metric.
fn series(points: Vec<Point>) -> Vec<LabSeriesPublic> {
    let mut all: Vec<LabSeriesPublic> = Vec::new();
    for point in points {
        let Point {
            url_id,
            profile_id,
            metric,
            bucket_start,
            median,
            min,
            max,
            runs,
            newest: _,
        } = point;
        let goes_on = all.last().is_some_and(|last| {
            last.url_id == url_id && last.profile_id == profile_id && last.metric == metric
        });
        if !goes_on {
            all.push(LabSeriesPublic {
                url_id,
                profile_id,
                metric,
                unit: metric.unit(),
                points: Vec::new(),
            });
        }
        if let Some(last) = all.last_mut() {
            last.points.push(LabPointPublic {
                bucket_start: bucket_start.into(),
                median,
                min,
                max,
                runs,
            });
        }
    }
    all
}

/// Figures of lab tests over time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabTimeseries)]
pub(super) struct LabTimeseriesPublic {
    /// A series for each tracked URL, profile and metric that has points.
    series: Vec<LabSeriesPublic>,
    /// The tests from which on another major version of Lighthouse measured, the oldest first.
    engine_changes: Vec<EngineChangePublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// A test that another major version of Lighthouse did than the one before it of the same URL on the same profile.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabEngineChange)]
pub(super) struct EngineChangePublic {
    /// The tracked URL.
    url_id: SyntheticUrlId,
    /// The id of the profile that the test was made with.
    profile_id: String,
    /// When the test ended.
    changed_at: Timestamp,
    /// The major version of Lighthouse from here on.
    #[schema(minimum = 0)]
    engine_major: u32,
}

impl EngineChangePublic {
    /// `None`: the version is no number, which no Lighthouse has.
    fn new(change: EngineChange) -> Option<Self> {
        let EngineChange {
            url_id,
            profile_id,
            at,
            major,
        } = change;
        Some(Self {
            url_id,
            profile_id,
            changed_at: at.into(),
            engine_major: major.parse().ok()?,
        })
    }
}

/// A figure of a tracked URL on a profile over time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabSeries)]
pub(super) struct LabSeriesPublic {
    /// The tracked URL.
    url_id: SyntheticUrlId,
    /// The id of the profile that the runs were made with.
    profile_id: String,
    /// The figure that the points are of.
    metric: LabMetric,
    /// The unit of the values.
    unit: LabUnit,
    /// The points, the oldest first.
    points: Vec<LabPointPublic>,
}

/// The tests of a day or a week, or one test.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabPoint)]
pub(super) struct LabPointPublic {
    /// When its day or week begins; of a test, when it ended.
    bucket_start: Timestamp,
    /// The median; null where no test has the figure.
    #[schema(required)]
    median: Option<f64>,
    /// The least; null where no test has the figure.
    #[schema(required)]
    min: Option<f64>,
    /// The greatest; null where no test has the figure.
    #[schema(required)]
    max: Option<f64>,
    /// How many tests succeeded.
    #[schema(minimum = 0)]
    runs: u64,
}

impl Example for LabTimeseriesPublic {
    fn example() -> Self {
        Self {
            series: series(vec![Point {
                url_id: SyntheticUrlId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
                profile_id: "mobile".to_owned(),
                metric: LabMetric::PerformanceScore,
                bucket_start: datetime!(2026-03-30 00:00:00 UTC),
                median: Some(91.0),
                min: Some(88.0),
                max: Some(93.0),
                runs: 4,
                newest: datetime!(2026-03-30 21:13:04 UTC),
            }]),
            engine_changes: vec![EngineChangePublic {
                url_id: SyntheticUrlId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
                profile_id: "mobile".to_owned(),
                changed_at: datetime!(2026-03-30 03:13:04 UTC).into(),
                engine_major: 13,
            }],
            meta: Meta::example(),
        }
    }
}
