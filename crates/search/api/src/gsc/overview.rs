//! GET /domains/{domain_id}/gsc/overview

use pharos_domain::{
    identity::DomainAccess,
    module_block::{SearchBlock, SearchFigures},
    window::{Change, CompareMode, Meta},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedFull},
    operation::{ApiResult, Example},
    spec::{Compare, OperationSpec, Window},
};
use pharos_search::gsc::{
    days::{Aggregation, DataState, DayReads, History, Seen},
    figures::{Figures, SearchType, share_pct},
    property::PropertyStore,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{BASE, DayPublic, EXAMPLE, OfSearchType, data_through, days_of, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getGscOverview",
    path: "/domains/{domain_id}/gsc/overview",
    summary: "Clicks, impressions, CTR and position, in all and by day",
    description: "The upstream's days are final two to three days later: days after `data_through` are provisional, and `data_state` is \
                  then `all`, as it is of a window that begins before what was imported. It hides rare queries: the anonymized figures are the totals less those of all queries that it tells. A \
                  day without figures is null, but 0 where the day is final and the property had something in another search type. \
                  `comparison` is there with compare_previous; the figures of days before what was imported are null.",
    window: Window::Full,
    compare: Compare::Mode,
    ..BASE
};

pub(super) async fn view(
    access: DomainAccess,
    ComparedFull(asked): ComparedFull,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
) -> ApiResult<SearchOverviewPublic> {
    let property = linked(&access, &properties).await?;
    let window = asked.window.window;
    let windows: Vec<_> = std::iter::once(window)
        .chain(asked.shown.map(|shown| shown.window))
        .collect();
    let stored = days.days(&access, SearchType::ALL, &windows).await?;
    let history = History::new(property, stored);
    let totals = history.total(search_type, window);
    let seen = match totals {
        None => None,
        Some(_) => Some(days.seen(&access, search_type, window).await?),
    };
    let comparison = asked.shown.map(|shown| {
        let before = history.base(search_type, shown.window).filter(|_| shown.is_kept);
        ComparisonPublic::new(totals, before, shown.mode)
    });
    let of = |search_type| history.total(search_type, window).map(SearchFigures::from);
    let hidden = Hidden::of(search_type, totals, seen);
    Ok(SearchOverviewPublic {
        search_type,
        clicks: totals.map(|totals| totals.clicks),
        impressions: totals.map(|totals| totals.impressions),
        ctr: totals.and_then(|totals| totals.ctr()),
        position: totals.and_then(|totals| totals.position()),
        queries_count: seen.filter(|_| search_type.is_ranked()).map(|seen| seen.queries),
        pages_count: seen.map(|seen| seen.pages),
        anonymized_clicks: hidden.map(|hidden| hidden.clicks),
        anonymized_impressions: hidden.map(|hidden| hidden.impressions),
        anonymized_clicks_pct: hidden.and_then(|hidden| hidden.clicks_pct),
        comparison,
        by_search_type: SearchBlock {
            web: of(SearchType::Web),
            discover: of(SearchType::Discover),
            news: of(SearchType::News),
        },
        items: days_of(&history, search_type, &asked.window),
        data_state: history.property().data_state(search_type, window),
        aggregation: Aggregation::of_totals(search_type),
        meta: asked.meta(data_through(history.property(), search_type, &asked.window)),
    })
}

/// The clicks and impressions of queries that the upstream does not tell.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    clicks: u64,
    impressions: u64,
    clicks_pct: Option<f64>,
}

impl Hidden {
    /// `None` where nothing is known, and for types without queries.
    fn of(search_type: SearchType, totals: Option<Figures>, seen: Option<Seen>) -> Option<Self> {
        let (totals, seen) = totals.zip(seen).filter(|_| search_type.is_ranked())?;
        // The upstream counts queries by property, as it does the totals: more than those they can't be.
        let clicks = totals.clicks.saturating_sub(seen.query_clicks);
        Some(Self {
            clicks,
            impressions: totals.impressions.saturating_sub(seen.query_impressions),
            clicks_pct: share_pct(clicks, totals.clicks),
        })
    }
}

/// The figures of a property in a search type.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchOverview)]
pub(super) struct SearchOverviewPublic {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Clicks; null where nothing is known of the days.
    #[schema(required, minimum = 0)]
    clicks: Option<u64>,
    /// Impressions; null where nothing is known of the days.
    #[schema(required, minimum = 0)]
    impressions: Option<u64>,
    /// Clicks ÷ impressions, 0 to 1; null without impressions.
    #[schema(required, minimum = 0, maximum = 1)]
    ctr: Option<f64>,
    /// The mean position of an impression from 1, lower is better; null without impressions, and of discover and google_news.
    #[schema(required, minimum = 1)]
    position: Option<f64>,
    /// How many different queries the upstream told of; null where nothing is known, and of discover and google_news.
    #[schema(required, minimum = 0)]
    queries_count: Option<u64>,
    /// How many different pages were seen; null where nothing is known.
    #[schema(required, minimum = 0)]
    pages_count: Option<u64>,
    /// The clicks of queries that the upstream hides, since few people ask them; null of discover and google_news.
    #[schema(required, minimum = 0)]
    anonymized_clicks: Option<u64>,
    /// The impressions of such queries; null of discover and google_news.
    #[schema(required, minimum = 0)]
    anonymized_impressions: Option<u64>,
    /// Their share of the clicks, in percent; null without clicks.
    #[schema(required, minimum = 0, maximum = 100)]
    anonymized_clicks_pct: Option<f64>,
    /// The window beside the days that it is compared with; left out without compare_previous.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    comparison: Option<ComparisonPublic>,
    /// The same days in other search types.
    by_search_type: SearchBlock,
    /// The days of the window, in order.
    items: Vec<DayPublic>,
    /// Whether the figures may still change.
    data_state: DataState,
    /// How impressions are counted.
    aggregation: Aggregation,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// A window beside the days that it is compared with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchOverviewComparison)]
pub(super) struct ComparisonPublic {
    /// Clicks.
    clicks: Change,
    /// Impressions.
    impressions: Change,
    /// Clicks ÷ impressions, 0 to 1.
    ctr: Change,
    /// The mean position. A negative change means that the ranking improved.
    position: Change,
    /// How the days were chosen.
    compare_mode: CompareMode,
}

impl ComparisonPublic {
    pub(super) fn new(now: Option<Figures>, before: Option<Figures>, compare_mode: CompareMode) -> Self {
        let change = |of: fn(Figures) -> Option<f64>| Change::of(now.and_then(of), before.and_then(of));
        Self {
            clicks: change(|figures| Some(figures.clicks as f64)),
            impressions: change(|figures| Some(figures.impressions as f64)),
            ctr: change(|figures| figures.ctr()),
            position: change(|figures| figures.position()),
            compare_mode,
        }
    }
}

impl Example for ComparisonPublic {
    fn example() -> Self {
        let figures = |clicks, impressions| Figures {
            clicks,
            impressions,
            position_sum: 10_752.0,
        };
        let (now, before) = (figures(128, 2_560), figures(100, 2_500));
        Self::new(Some(now), Some(before), CompareMode::PreviousPeriod)
    }
}

impl Example for SearchOverviewPublic {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            clicks: Some(EXAMPLE.clicks),
            impressions: Some(EXAMPLE.impressions),
            ctr: EXAMPLE.ctr,
            position: EXAMPLE.position,
            queries_count: Some(311),
            pages_count: Some(64),
            anonymized_clicks: Some(32),
            anonymized_impressions: Some(656),
            anonymized_clicks_pct: Some(25.0),
            comparison: None,
            by_search_type: SearchBlock {
                web: Some(EXAMPLE),
                discover: None,
                news: None,
            },
            items: vec![DayPublic::EXAMPLE],
            data_state: DataState::Final,
            aggregation: Aggregation::ByProperty,
            meta: Meta::example(),
        }
    }
}
