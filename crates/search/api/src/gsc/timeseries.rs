//! GET /domains/{domain_id}/gsc/timeseries

use pharos_domain::{
    day::Day, experiments::BegunExperiments, identity::DomainAccess, releases::SiteReleases, window::Meta,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_search::gsc::{
    annotations::{Annotation, AnnotationKind, annotations, days_of_utc},
    days::{DataState, DayReads, History, PartFilter},
    figures::{Device, SearchType},
    points::{Point, SeriesGranularity, points},
    property::PropertyStore,
};
use serde::{Deserialize, Serialize};
use time::macros::date;
use utoipa::{IntoParams, ToSchema};

use super::parts::{BASE, KnownFigures, OfSearchType, PlaceFilters, data_through, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getGscTimeseries",
    path: "/domains/{domain_id}/gsc/timeseries",
    summary: "Clicks, impressions, CTR and position, piece by piece",
    description: "Every piece of the window is there. Weeks begin on Monday, months on the 1st; the first piece may begin before the \
                  window, and holds only what lies in it. With a filter, a final day on which the property had something else is 0; all \
                  points of a query or page that never occurred are null. Impressions are counted by property, with a page by page. \
                  `annotations` has the updates of its ranking that Google told of, experiments of the site on the day of their \
                  change, and its releases (`deploy`).",
    window: Window::Dates,
    ..BASE
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct TimeseriesParameters {
    /// How long the pieces are; left out: a day.
    #[param(inline, value_type = Option<SeriesGranularity>)]
    granularity: SeriesGranularity,
    /// Exactly this page.
    #[param(min_length = 1, max_length = 2_000)]
    page: Option<String>,
    /// Exactly this query.
    #[param(min_length = 1, max_length = 2_000)]
    query: Option<String>,
}

impl Default for TimeseriesParameters {
    fn default() -> Self {
        Self {
            granularity: SeriesGranularity::Day,
            page: None,
            query: None,
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "each argument is an extractor: a parameter of the request, or a port"
)]
pub(super) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(parameters): Query<TimeseriesParameters>,
    Query(places): Query<PlaceFilters>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
    experiments: Port<dyn BegunExperiments>,
    releases: Port<dyn SiteReleases>,
) -> ApiResult<SearchTimeseriesPublic> {
    let TimeseriesParameters {
        granularity,
        page,
        query,
    } = parameters;
    let property = linked(&access, &properties).await?;
    let window = asked.window;
    let stored = days.days(&access, SearchType::ALL, &[window]).await?;
    let history = History::new(property, stored);
    let filters = FiltersPublic {
        page: page.clone(),
        query: query.clone(),
        country: places.country.map(|country| country.as_str().to_owned()),
        device: places.device,
    };
    let part = PartFilter {
        query,
        page,
        country: places.country,
        device: places.device,
    };
    let pieces = if part.is_whole() {
        points(&history, window, granularity, |date| {
            history.day(search_type, date)
        })
    } else if part.query.is_none() || search_type.is_ranked() {
        let found = days.series(&access, search_type, window, &part).await?;
        points(&history, window, granularity, |date| {
            history.part(search_type, date, found.as_ref()?)
        })
    } else {
        // Types without queries have none of this one either.
        points(&history, window, granularity, |_| None)
    };
    let begun = experiments.begun(&access, window).await?;
    let released = releases.released(&access, days_of_utc(window)).await?;
    Ok(SearchTimeseriesPublic {
        search_type,
        granularity,
        filters,
        points: pieces.into_iter().map(PointPublic::from).collect(),
        annotations: annotations(window, begun, released)
            .into_iter()
            .map(AnnotationPublic::from)
            .collect(),
        data_state: history.property().data_state(search_type, window),
        meta: asked.meta(None, data_through(history.property(), search_type, &asked)),
    })
}

/// Figures piece by piece.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchTimeseries)]
pub(super) struct SearchTimeseriesPublic {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// How long the pieces are.
    granularity: SeriesGranularity,
    /// The filters that were asked for.
    filters: FiltersPublic,
    /// The pieces of the window, in order.
    points: Vec<PointPublic>,
    /// The events on days of the window, in order.
    annotations: Vec<AnnotationPublic>,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// The filters of a time series; one that was not asked for is null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchTimeseriesFilters)]
pub(super) struct FiltersPublic {
    /// Exactly this page.
    #[schema(required)]
    page: Option<String>,
    /// Exactly this query.
    #[schema(required)]
    query: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    #[schema(required)]
    country: Option<String>,
    /// The device.
    #[schema(required, inline)]
    device: Option<Device>,
}

/// A piece of a time series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPoint)]
pub(super) struct PointPublic {
    /// The first day of the day, week or month. It may lie before the window, of whose days alone the piece consists.
    bucket_start: Day,
    #[serde(flatten)]
    figures: KnownFigures,
    /// Whether no figure of it can change any more.
    is_final: bool,
}

impl From<Point> for PointPublic {
    fn from(point: Point) -> Self {
        Self {
            bucket_start: Day(point.start),
            figures: point.figures.into(),
            is_final: point.is_final,
        }
    }
}

/// Something that happened on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchAnnotation)]
pub(super) struct AnnotationPublic {
    /// The day that is noted.
    date: Day,
    /// The kind of the event.
    kind: AnnotationKind,
    /// Its name for people.
    label: String,
}

impl From<Annotation> for AnnotationPublic {
    fn from(Annotation { date, kind, label }: Annotation) -> Self {
        Self {
            date: Day(date),
            kind,
            label,
        }
    }
}

impl Example for SearchTimeseriesPublic {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            granularity: SeriesGranularity::Day,
            filters: FiltersPublic {
                page: None,
                query: None,
                country: Some("DE".to_owned()),
                device: Some(Device::Mobile),
            },
            points: vec![PointPublic {
                bucket_start: Day(date!(2026 - 03 - 27)),
                figures: KnownFigures::EXAMPLE,
                is_final: true,
            }],
            annotations: vec![AnnotationPublic {
                date: Day(date!(2026 - 03 - 27)),
                kind: AnnotationKind::SearchUpdate,
                label: "March 2026 core update".to_owned(),
            }],
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
