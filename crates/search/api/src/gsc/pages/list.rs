//! GET /domains/{domain_id}/gsc/pages

use pharos_domain::{
    country::CountryCode,
    identity::DomainAccess,
    module_block::SearchFigures,
    page::{OffsetPage, OffsetRequest, SortOrder, TotalName},
    page_facts::{IndexVerdict, PageIndexing, PageSpeed, PageTitles},
    window::Meta,
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedFull},
    operation::{ApiResult, Example},
    spec::{Compare, DEFAULT_PAGE_SIZE, OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    days::{Aggregation, DataState, DayReads, PartFilter},
    figures::{Device, Figures, SearchType},
    place::Country,
    property::PropertyStore,
    values::{Dimension, Partners, ValueFigures, ValueReads, ValueSort, ValuesQuery},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::gsc::parts::{
    BASE, BeforePublic, EXAMPLE, KnownFigures, base_figures, data_through, linked, totals_of,
};

pub(in crate::gsc) const SPEC: OperationSpec = OperationSpec {
    id: "listGscPages",
    path: "/domains/{domain_id}/gsc/pages",
    summary: "The pages that people saw in the results",
    description: "Pages are counted by page: a result that shows two of them is an impression of each, so rows add up to more than the \
                  totals of the overview. `totals` is the sum of all rows that fit the filters, those of other pages of the list \
                  included; it is null where nothing is known of the days. With `query` only what the upstream tells of it counts. `…_previous` and the changes are there with \
                  compare_previous; those of days before what was imported are null.",
    paging: Paging::Offset {
        max: 1_000,
        default: DEFAULT_PAGE_SIZE,
    },
    window: Window::Full,
    compare: Compare::Mode,
    ..BASE
};

wire_enum! {
    /// By what pages are ordered.
    PageSort as "SearchPageSort" {
        /// Clicks.
        Clicks = "clicks",
        /// Impressions.
        Impressions = "impressions",
        /// Clicks an impression.
        Ctr = "ctr",
        /// The mean position.
        Position = "position",
        /// The URL of the page.
        Page = "page",
    }
}

impl From<PageSort> for ValueSort {
    fn from(sort: PageSort) -> Self {
        match sort {
            PageSort::Clicks => Self::Clicks,
            PageSort::Impressions => Self::Impressions,
            PageSort::Ctr => Self::Ctr,
            PageSort::Position => Self::Position,
            PageSort::Page => Self::Value,
        }
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(in crate::gsc) struct PagesParameters {
    /// Where in Google's products the site appeared; left out: the search for pages.
    #[param(inline, value_type = Option<SearchType>)]
    search_type: SearchType,
    /// A part of the URL, in whatever case.
    search: Option<String>,
    /// Exactly this query.
    #[param(min_length = 1, max_length = 2_000)]
    query: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    #[param(inline, value_type = Option<CountryCode>)]
    country: Option<Country>,
    /// The device.
    #[param(inline)]
    device: Option<Device>,
    /// By what pages are ordered; left out: clicks. Nulls come last.
    #[param(inline, value_type = Option<PageSort>)]
    sort: PageSort,
    /// In which direction; left out: the greatest first.
    #[param(inline, value_type = Option<SortOrder>)]
    order: SortOrder,
}

impl Default for PagesParameters {
    fn default() -> Self {
        Self {
            search_type: SearchType::Web,
            search: None,
            query: None,
            country: None,
            device: None,
            sort: PageSort::Clicks,
            order: SortOrder::Descending,
        }
    }
}

/// The name of the total.
#[derive(Debug)]
pub(in crate::gsc) struct TotalPages;

impl TotalName for TotalPages {
    const NAME: &'static str = "total_pages";
}

#[expect(
    clippy::too_many_arguments,
    reason = "what other modules know of pages is asked of each of them"
)]
pub(in crate::gsc) async fn list(
    access: DomainAccess,
    ComparedFull(asked): ComparedFull,
    Query(parameters): Query<PagesParameters>,
    page: OffsetRequest,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
    values: Port<dyn ValueReads>,
    titles: Port<dyn PageTitles>,
    speed: Port<dyn PageSpeed>,
    indexing: Port<dyn PageIndexing>,
) -> ApiResult<OffsetPage<PagePublic, TotalPages, PagesRoot>> {
    let property = linked(&access, &properties).await?;
    let (search_type, window) = (parameters.search_type, asked.window.window);
    let root = |totals: Option<Figures>| PagesRoot {
        search_type,
        totals: totals.into(),
        aggregation: Aggregation::ByPage,
        data_state: property.data_state(search_type, window),
        meta: asked.meta(data_through(&property, search_type, &asked.window)),
    };
    let part = PartFilter {
        query: parameters.query,
        page: None,
        country: parameters.country,
        device: parameters.device,
    };
    if part.query.is_some() && !search_type.is_ranked() {
        return Ok(OffsetPage::new(Vec::new(), 0, page).with(root(None)));
    }
    let query = ValuesQuery {
        search_type,
        dimension: Dimension::Page,
        window,
        part: &part,
        search: parameters.search.as_deref().filter(|search| !search.is_empty()),
        branded: None,
        sort: parameters.sort.into(),
        order: parameters.order,
        page,
    };
    let found = values.list(&access, &query).await?;
    let ids: Vec<_> = found.items.iter().map(|item| item.id).collect();
    let mut partners = values.partners(&access, &query.rows(), &ids).await?;
    let before = base_figures(&access, &values, &property, &asked, &query.rows(), &ids).await?;
    let urls: Vec<&str> = found.items.iter().map(|item| item.value.as_str()).collect();
    let mut titles = titles.titles(&access, &urls).await?;
    let speed = speed.lcp_ms(&access, &urls, asked.window.horizon.now).await?;
    let verdicts = indexing.verdicts(&access, &urls).await?;
    let totals = totals_of(&access, &days, &property, &query.rows(), &found).await?;
    let items = found.items.into_iter().map(|item| {
        let before = before
            .as_ref()
            .map(|before| BeforePublic::new(item.figures, before.of(item.id)));
        let partners = partners.remove(&item.id);
        let title = titles.remove(&item.value);
        let lcp_ms = speed.get(&item.value).copied();
        let index_verdict = verdicts.get(&item.value).copied();
        PagePublic {
            title,
            index_verdict,
            lcp_ms,
            ..PagePublic::new(item, partners, before)
        }
    });
    let items = items.collect();
    Ok(OffsetPage::new(items, found.total, page).with(root(totals)))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPagesRoot)]
pub(in crate::gsc) struct PagesRoot {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// The figures of all pages that fit the filters; null where nothing is known of the days.
    totals: KnownFigures,
    /// How impressions are counted.
    aggregation: Aggregation,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// A page that people saw in the results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPage)]
pub(in crate::gsc) struct PagePublic {
    /// Its URL.
    page: String,
    /// Its newest title; null where web analytics does not know it or does not store titles.
    #[schema(required)]
    title: Option<String>,
    #[serde(flatten)]
    figures: SearchFigures,
    /// For how many queries it was shown; null where the upstream does not tell.
    #[schema(required, minimum = 1)]
    queries_count: Option<u64>,
    /// The one of them with the most clicks; null where the upstream does not tell.
    #[schema(required)]
    top_query: Option<String>,
    /// Whether it is in Google's index, by its newest inspection; null where it was never inspected.
    #[schema(required)]
    index_verdict: Option<IndexVerdict>,
    /// Its largest contentful paint in milliseconds, 75th percentile: the newest field data where the page is followed
    /// in the Chrome UX Report, else that of the views of the last seven days. Null where there is neither.
    #[schema(required, minimum = 0)]
    lcp_ms: Option<f64>,
    #[serde(flatten)]
    #[schema(value_type = BeforePublic)]
    before: Option<BeforePublic>,
}

impl PagePublic {
    fn new(page: ValueFigures, partners: Option<Partners>, before: Option<BeforePublic>) -> Self {
        let (queries_count, top_query) = partners.map(|partners| (partners.count, partners.top)).unzip();
        Self {
            page: page.value,
            title: None,
            index_verdict: None,
            lcp_ms: None,
            figures: page.figures.into(),
            queries_count,
            top_query,
            before,
        }
    }
}

impl Example for PagePublic {
    fn example() -> Self {
        Self {
            page: "https://shop.example/shoes/".to_owned(),
            title: Some("Shoes".to_owned()),
            index_verdict: Some(IndexVerdict::Pass),
            lcp_ms: Some(1_840.0),
            figures: EXAMPLE,
            queries_count: Some(38),
            top_query: Some("red shoes".to_owned()),
            before: None,
        }
    }
}

impl Example for PagesRoot {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            totals: KnownFigures::EXAMPLE,
            aggregation: Aggregation::ByPage,
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
