//! GET /domains/{domain_id}/gsc/hourly

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use pharos_search::gsc::{
    figures::{Figures, SearchType},
    hours::{HourStore, newest_hours},
    property::PropertyStore,
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use super::parts::linked;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getGscHourly",
    path: "/domains/{domain_id}/gsc/hourly",
    module: Module::Gsc,
    summary: "The last ten days by hour",
    description: "The last 240 hours of one search type, the present one included. Hours of Search Console are in Pacific time; \
                  here they are UTC. None of them is final, and hours without data are left out. They come in with each \
                  import.",
    scope: Some(Scope::ReadGsc),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    window: Window::Fixed,
    problems: &[Suffix::GscPropertyNotLinked],
    ..OperationSpec::GET
};

/// The search type.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct HourlyParameters {
    /// Where in Google's products the site appeared; left out: the search for pages.
    #[param(inline, value_type = Option<SearchType>)]
    search_type: SearchType,
}

impl Default for HourlyParameters {
    fn default() -> Self {
        Self {
            search_type: SearchType::Web,
        }
    }
}

pub(crate) async fn view(
    access: DomainAccess,
    Query(parameters): Query<HourlyParameters>,
    properties: Port<dyn PropertyStore>,
    hours: Port<dyn HourStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<GscHourlyPublic> {
    let property = linked(&access, &properties).await?;
    let now = clock.now();
    let window = newest_hours(now);
    let HourlyParameters { search_type } = parameters;
    let found = hours.hours(&access, search_type, window).await?;
    let points = found.into_iter();
    Ok(GscHourlyPublic {
        search_type,
        points: points.map(GscHourPublic::from).collect(),
        first_incomplete_hour: property.first_incomplete_hour.map(Timestamp::from),
        meta: GscHourlyMeta {
            range_start: window.from.into(),
            range_end: window.until.into(),
            generated_at: now.into(),
            period: None,
            clamped_from: None,
            compare_range_start: None,
            compare_range_end: None,
            compare_mode: None,
            range_end_partial: true,
            data_through: property
                .first_incomplete_hour
                .map(|first| first.min(window.until).into()),
        },
    })
}

/// The last ten days by hour.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GscHourly)]
pub(crate) struct GscHourlyPublic {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// The hours that have data, the oldest first.
    #[schema(max_items = 240)]
    points: Vec<GscHourPublic>,
    /// The first hour that Search Console calls incomplete; null where it says of none.
    #[schema(required)]
    first_incomplete_hour: Option<Timestamp>,
    /// The window in force, which the figures are of.
    meta: GscHourlyMeta,
}

/// The figures of an hour.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GscHour)]
pub(crate) struct GscHourPublic {
    /// When it began, UTC.
    hour: Timestamp,
    /// Clicks.
    #[schema(minimum = 0)]
    clicks: u64,
    /// Impressions.
    #[schema(minimum = 0)]
    impressions: u64,
    /// Clicks ÷ impressions, 0 to 1; null without impressions.
    #[schema(required, minimum = 0, maximum = 1)]
    ctr: Option<f64>,
    /// The mean position of an impression from 1, lower is better; null without impressions, and where there is no ranked
    /// list.
    #[schema(required, minimum = 1)]
    position: Option<f64>,
    /// Always false: hours may still change.
    is_final: bool,
}

impl From<(OffsetDateTime, Figures)> for GscHourPublic {
    fn from((hour, figures): (OffsetDateTime, Figures)) -> Self {
        Self {
            hour: hour.into(),
            clicks: figures.clicks,
            impressions: figures.impressions,
            ctr: figures.ctr(),
            position: figures.position(),
            is_final: false,
        }
    }
}

/// The window of hours. Nothing of it can be chosen.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GscHourlyMeta)]
pub(crate) struct GscHourlyMeta {
    /// When the first hour begins.
    range_start: Timestamp,
    /// When the last hour ends.
    range_end: Timestamp,
    /// When the answer was computed. One that comes from the cache was computed earlier.
    generated_at: Timestamp,
    /// Always null.
    #[schema(required)]
    period: Option<String>,
    /// Always null.
    #[schema(required)]
    clamped_from: Option<String>,
    /// Always null.
    #[schema(required)]
    compare_range_start: Option<String>,
    /// Always null.
    #[schema(required)]
    compare_range_end: Option<String>,
    /// Always null.
    #[schema(required)]
    compare_mode: Option<String>,
    /// Always true: the last hour is not over.
    range_end_partial: bool,
    /// Up to when the data is complete; null where Search Console does not say.
    #[schema(required)]
    data_through: Option<Timestamp>,
}

impl Example for GscHourlyPublic {
    fn example() -> Self {
        let now = datetime!(2026-03-31 09:15:00 UTC);
        let window = newest_hours(now);
        let figures = Figures {
            clicks: 12,
            impressions: 240,
            position_sum: 1_008.0,
        };
        Self {
            search_type: SearchType::Web,
            points: vec![(datetime!(2026-03-31 04:00:00 UTC), figures).into()],
            first_incomplete_hour: Some(datetime!(2026-03-31 05:00:00 UTC).into()),
            meta: GscHourlyMeta {
                range_start: window.from.into(),
                range_end: window.until.into(),
                generated_at: now.into(),
                period: None,
                clamped_from: None,
                compare_range_start: None,
                compare_range_end: None,
                compare_mode: None,
                range_end_partial: true,
                data_through: Some(datetime!(2026-03-31 05:00:00 UTC).into()),
            },
        }
    }
}
