//! GET /domains/{domain_id}/gsc/pages/detail

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_search::gsc::{
    days::{DataState, DayReads, PartFilter},
    figures::{Figures, SearchType, share_pct},
    property::PropertyStore,
    values::{Dimension, ValueReads},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::gsc::{
    one_value::{OneValue, top_countries, top_devices},
    overview::ComparisonPublic,
    parts::{
        BASE, CountryPublic, DayPublic, DevicePublic, EXAMPLE, KnownFigures, OfSearchType, data_through,
        linked,
    },
    search_appearances::AppearancePublic,
};

/// How many queries are told at most.
const MOST_QUERIES: u16 = 50;

pub(in crate::gsc) const SPEC: OperationSpec = OperationSpec {
    id: "getGscPage",
    path: "/domains/{domain_id}/gsc/pages/detail",
    summary: "One page: its queries, devices, countries, looks and days",
    description: "Over the last 28 days, beside the 28 before; counted by page. Rare queries are hidden by the upstream: \
                  `anonymized_clicks` are the clicks of the page less those of all queries that it tells. A page that never occurred is \
                  answered with nulls and empty lists.",
    window: Window::Fixed,
    ..BASE
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(in crate::gsc) struct PageParameters {
    /// Exactly this page, as the upstream writes its URL.
    #[param(min_length = 1, max_length = 2_000)]
    url: String,
}

pub(in crate::gsc) async fn view(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(PageParameters { url }): Query<PageParameters>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
    values: Port<dyn ValueReads>,
) -> ApiResult<SearchPageDetailPublic> {
    let property = linked(&access, &properties).await?;
    let window = asked.window;
    let detail = values
        .detail(&access, search_type, Dimension::Page, &url, window, MOST_QUERIES)
        .await?;
    let part = PartFilter {
        page: Some(url.clone()).filter(|_| detail.is_some()),
        ..PartFilter::default()
    };
    let one = OneValue::read(&access, &days, property, search_type, &asked, &part).await?;
    let detail = detail.unwrap_or_default();
    let told = detail.partner_clicks;
    let page_clicks = one.totals.map(|totals| totals.clicks);
    let hidden = page_clicks.map(|clicks| clicks.saturating_sub(told));
    Ok(SearchPageDetailPublic {
        page: url,
        search_type,
        totals: one.totals.into(),
        comparison: one.comparison,
        queries: detail
            .partners
            .into_iter()
            .map(|(query, figures)| PageQueryPublic::new(query, figures, page_clicks))
            .collect(),
        anonymized_clicks: hidden.filter(|_| search_type.is_ranked()),
        devices: top_devices(&detail.places),
        countries: top_countries(&detail.places),
        search_appearances: detail
            .appearances
            .into_iter()
            .map(AppearancePublic::from)
            .collect(),
        items: one.items,
        data_state: one.property.data_state(search_type, window),
        meta: asked.meta(
            Some(&asked.preceding()),
            data_through(&one.property, search_type, &asked),
        ),
    })
}

/// A page in detail.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPageDetail)]
pub(in crate::gsc) struct SearchPageDetailPublic {
    /// Its URL.
    page: String,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// The figures of its days; null where it never occurred, or nothing is known of the days.
    totals: KnownFigures,
    /// The window beside as many days before.
    comparison: ComparisonPublic,
    /// The 50 queries with the most clicks.
    queries: Vec<PageQueryPublic>,
    /// The clicks of queries that the upstream hides; null where nothing is known, and of discover and google_news.
    #[schema(required, minimum = 0)]
    anonymized_clicks: Option<u64>,
    /// The devices, the most clicks first.
    devices: Vec<DevicePublic>,
    /// The ten countries with the most clicks.
    countries: Vec<CountryPublic>,
    /// The looks that its result had, the most clicks first.
    search_appearances: Vec<AppearancePublic>,
    /// The days of the window, in order.
    items: Vec<DayPublic>,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// A query that a page was shown for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchQueryOfPage)]
pub(in crate::gsc) struct PageQueryPublic {
    /// The query that the page is shown for.
    query: String,
    #[serde(flatten)]
    figures: SearchFigures,
    /// Its share of the clicks of the page, in percent; null without clicks.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
}

impl PageQueryPublic {
    fn new(query: String, figures: Figures, page_clicks: Option<u64>) -> Self {
        Self {
            query,
            figures: figures.into(),
            share_pct: page_clicks.and_then(|clicks| share_pct(figures.clicks, clicks)),
        }
    }
}

impl Example for SearchPageDetailPublic {
    fn example() -> Self {
        Self {
            page: "https://shop.example/shoes/".to_owned(),
            search_type: SearchType::Web,
            totals: KnownFigures::EXAMPLE,
            comparison: ComparisonPublic::example(),
            queries: vec![PageQueryPublic {
                query: "red shoes".to_owned(),
                figures: EXAMPLE,
                share_pct: Some(100.0),
            }],
            anonymized_clicks: Some(0),
            devices: vec![DevicePublic::example()],
            countries: vec![CountryPublic::example()],
            search_appearances: vec![AppearancePublic::example()],
            items: vec![DayPublic::EXAMPLE],
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
