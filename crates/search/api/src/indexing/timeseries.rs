//! GET /domains/{domain_id}/indexing/timeseries

use std::collections::BTreeMap;

use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, DateRange, Meta},
};
use pharos_http::{
    extract::{port::Port, window::Days},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use pharos_search::indexing::store::{
    reads::{DayStanding, IndexingReads},
    urls::IndexingUrls,
};
use serde::Serialize;
use time::{Date, macros::date};
use utoipa::ToSchema;

use super::{monitored_alone, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getIndexingTimeseries",
    path: "/domains/{domain_id}/indexing/timeseries",
    module: Module::Indexing,
    summary: "How many monitored URLs were in Google's index, day by day",
    description: concat!(
        "As they stood after the last inspection of each UTC day, by the newest inspection of each URL. A day without an \
         inspection has nulls. ",
        monitored_alone!()
    ),
    scope: Some(Scope::ReadIndexing),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    window: Window::Days,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    Days(asked): Days,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
) -> ApiResult<IndexingTimeseriesPublic> {
    let _ = site(&*urls, &access).await?;
    let days = reads.days(&access, asked.window).await?;
    let through = days.keys().next_back().copied().map(DataThrough::from);
    Ok(IndexingTimeseriesPublic {
        points: points(asked.window, &days),
        meta: asked.meta(None, through),
    })
}

/// Each day of the window.
fn points(window: DateRange, days: &BTreeMap<Date, DayStanding>) -> Vec<PointPublic> {
    window
        .dates()
        .map(|day| PointPublic::new(day, days.get(&day)))
        .collect()
}

/// How many URLs were in the index, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingTimeseries)]
pub(crate) struct IndexingTimeseriesPublic {
    /// A point a day, the oldest first.
    points: Vec<PointPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// How the monitored URLs stood on a day. All but the date is null where nothing was inspected.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingPoint)]
pub(crate) struct PointPublic {
    /// The day, UTC.
    date: Day,
    /// Those that had been inspected by then.
    #[schema(required, minimum = 0)]
    inspected: Option<u64>,
    /// Those in Google's index.
    #[schema(required, minimum = 0)]
    indexed: Option<u64>,
    /// Those that were not.
    #[schema(required, minimum = 0)]
    not_indexed: Option<u64>,
    /// Those that Google gave no verdict of.
    #[schema(required, minimum = 0)]
    unknown: Option<u64>,
    /// `indexed` in percent of `inspected`.
    #[schema(required, minimum = 0, maximum = 100)]
    indexed_pct: Option<f64>,
}

impl PointPublic {
    fn new(day: Date, standing: Option<&DayStanding>) -> Self {
        Self {
            date: Day(day),
            inspected: standing.map(|standing| standing.inspected),
            indexed: standing.map(|standing| standing.indexed),
            not_indexed: standing.map(DayStanding::not_indexed),
            unknown: standing.map(|standing| standing.unknown),
            indexed_pct: standing.and_then(DayStanding::indexed_pct),
        }
    }
}

impl Example for IndexingTimeseriesPublic {
    fn example() -> Self {
        let standing = DayStanding {
            inspected: 1_000,
            indexed: 800,
            ..DayStanding::default()
        };
        Self {
            points: vec![
                PointPublic::new(date!(2026 - 03 - 30), None),
                PointPublic::new(date!(2026 - 03 - 31), Some(&standing)),
            ],
            meta: Meta::example(),
        }
    }
}
