//! GET /domains/{domain_id}/gsc/queries

use pharos_domain::{
    country::CountryCode,
    identity::DomainAccess,
    module_block::SearchFigures,
    page::{OffsetPage, OffsetRequest, SortOrder, TotalName},
    window::Meta,
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedDates},
    operation::{ApiResult, Example},
    spec::{Compare, DEFAULT_PAGE_SIZE, OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    config::ConfigStore,
    days::{Aggregation, DataState, DayReads, PartFilter},
    figures::{Device, Figures, SearchType},
    place::Country,
    property::PropertyStore,
    values::{Dimension, Partners, ValueFigures, ValueReads, ValueSort, ValuesQuery, word_count},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::gsc::parts::{
    BASE, BeforePublic, EXAMPLE, KnownFigures, base_figures, data_through, linked, totals_of,
};

pub(in crate::gsc) const SPEC: OperationSpec = OperationSpec {
    id: "listGscQueries",
    path: "/domains/{domain_id}/gsc/queries",
    summary: "The queries that people searched for",
    description: "Queries are counted by property, with `page` by page. Rare ones are hidden by the upstream, so rows do not add up to the \
                  totals of the overview; `totals` is the sum of all rows that fit the filters, those of other pages of the list \
                  included; it is null where nothing is known of the days. discover and google_news have no queries. `…_previous` and the changes are there with compare_previous; \
                  those of days before what was imported are null.",
    paging: Paging::Offset {
        max: 1_000,
        default: DEFAULT_PAGE_SIZE,
    },
    window: Window::Dates,
    compare: Compare::Previous,
    ..BASE
};

wire_enum! {
    /// By what queries are ordered.
    QuerySort as "SearchQuerySort" {
        /// Clicks.
        Clicks = "clicks",
        /// Impressions.
        Impressions = "impressions",
        /// Clicks an impression.
        Ctr = "ctr",
        /// The mean position.
        Position = "position",
        /// The query itself.
        Query = "query",
    }
}

impl From<QuerySort> for ValueSort {
    fn from(sort: QuerySort) -> Self {
        match sort {
            QuerySort::Clicks => Self::Clicks,
            QuerySort::Impressions => Self::Impressions,
            QuerySort::Ctr => Self::Ctr,
            QuerySort::Position => Self::Position,
            QuerySort::Query => Self::Value,
        }
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(in crate::gsc) struct QueriesParameters {
    /// Where in Google's products the site appeared; left out: the search for pages.
    #[param(inline, value_type = Option<SearchType>)]
    search_type: SearchType,
    /// A part of the query, in whatever case.
    search: Option<String>,
    /// Only queries for the brand, or only others, as the settings tell them apart; where those say nothing of the brand, none is
    /// either.
    branded: Option<bool>,
    /// Exactly this page.
    #[param(min_length = 1, max_length = 2_000)]
    page: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    #[param(inline, value_type = Option<CountryCode>)]
    country: Option<Country>,
    /// The device.
    #[param(inline)]
    device: Option<Device>,
    /// By what queries are ordered; left out: clicks. Nulls come last.
    #[param(inline, value_type = Option<QuerySort>)]
    sort: QuerySort,
    /// In which direction; left out: the greatest first.
    #[param(inline, value_type = Option<SortOrder>)]
    order: SortOrder,
}

impl Default for QueriesParameters {
    fn default() -> Self {
        Self {
            search_type: SearchType::Web,
            search: None,
            branded: None,
            page: None,
            country: None,
            device: None,
            sort: QuerySort::Clicks,
            order: SortOrder::Descending,
        }
    }
}

/// The name of the total.
#[derive(Debug)]
pub(in crate::gsc) struct TotalQueries;

impl TotalName for TotalQueries {
    const NAME: &'static str = "total_queries";
}

#[expect(
    clippy::too_many_arguments,
    reason = "each argument is an extractor: a parameter of the request, or a port"
)]
pub(in crate::gsc) async fn list(
    access: DomainAccess,
    ComparedDates(asked): ComparedDates,
    Query(parameters): Query<QueriesParameters>,
    page: OffsetRequest,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    days: Port<dyn DayReads>,
    values: Port<dyn ValueReads>,
) -> ApiResult<OffsetPage<QueryPublic, TotalQueries, QueriesRoot>> {
    let property = linked(&access, &properties).await?;
    let config = configs.config(&access).await?;
    let (search_type, window) = (parameters.search_type, asked.window.window);
    let aggregation = if parameters.page.is_some() {
        Aggregation::ByPage
    } else {
        Aggregation::ByProperty
    };
    let root = |totals: Option<Figures>| QueriesRoot {
        search_type,
        totals: totals.into(),
        aggregation,
        data_state: property.data_state(search_type, window),
        meta: asked.meta(data_through(&property, search_type, &asked.window)),
    };
    let is_judged = parameters.branded.is_none() || config.brand().is_configured();
    let part = PartFilter {
        query: None,
        page: parameters.page,
        country: parameters.country,
        device: parameters.device,
    };
    if !search_type.is_ranked() || !is_judged {
        return Ok(OffsetPage::new(Vec::new(), 0, page).with(root(None)));
    }
    let query = ValuesQuery {
        search_type,
        dimension: Dimension::Query,
        window,
        part: &part,
        search: parameters.search.as_deref().filter(|search| !search.is_empty()),
        branded: parameters.branded.map(|wanted| (wanted, config.brand())),
        sort: parameters.sort.into(),
        order: parameters.order,
        page,
    };
    let found = values.list(&access, &query).await?;
    let ids: Vec<_> = found.items.iter().map(|item| item.id).collect();
    let mut partners = values.partners(&access, &query.rows(), &ids).await?;
    let before = base_figures(&access, &values, &property, &asked, &query.rows(), &ids).await?;
    let totals = totals_of(&access, &days, &property, &query.rows(), &found).await?;
    let queries = found.items.iter().map(|item| item.value.as_str());
    let branded = config.are_branded(queries).await?;
    let items = found.items.into_iter().zip(branded).map(|(item, is_branded)| {
        let before = before
            .as_ref()
            .map(|before| BeforePublic::new(item.figures, before.of(item.id)));
        let partners = partners.remove(&item.id);
        QueryPublic::new(item, is_branded, partners, before)
    });
    let items = items.collect();
    Ok(OffsetPage::new(items, found.total, page).with(root(totals)))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchQueriesRoot)]
pub(in crate::gsc) struct QueriesRoot {
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// The figures of all queries that fit the filters; null where nothing is known of the days.
    totals: KnownFigures,
    /// How impressions are counted.
    aggregation: Aggregation,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    meta: Meta,
}

/// A query that people asked.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchQuery)]
pub(in crate::gsc) struct QueryPublic {
    /// The words that people searched for.
    query: String,
    #[serde(flatten)]
    figures: SearchFigures,
    /// Whether it is one for the brand; null where the settings say nothing of that.
    #[schema(required)]
    is_branded: Option<bool>,
    /// How many pages were shown for it; null where the upstream does not tell.
    #[schema(required, minimum = 1)]
    pages_count: Option<u64>,
    /// The one of them with the most clicks; null where the upstream does not tell.
    #[schema(required)]
    top_page: Option<String>,
    /// How many words it has, as white space tells them apart.
    #[schema(minimum = 0)]
    word_count: usize,
    #[serde(flatten)]
    #[schema(value_type = BeforePublic)]
    before: Option<BeforePublic>,
}

impl QueryPublic {
    fn new(
        query: ValueFigures,
        is_branded: Option<bool>,
        partners: Option<Partners>,
        before: Option<BeforePublic>,
    ) -> Self {
        let (pages_count, top_page) = partners.map(|partners| (partners.count, partners.top)).unzip();
        Self {
            figures: query.figures.into(),
            is_branded,
            pages_count,
            top_page,
            word_count: word_count(&query.value),
            query: query.value,
            before,
        }
    }
}

impl Example for QueryPublic {
    fn example() -> Self {
        Self {
            query: "red shoes".to_owned(),
            figures: EXAMPLE,
            is_branded: Some(false),
            pages_count: Some(2),
            top_page: Some("https://shop.example/shoes/".to_owned()),
            word_count: 2,
            before: None,
        }
    }
}

impl Example for QueriesRoot {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            totals: KnownFigures::EXAMPLE,
            aggregation: Aggregation::ByProperty,
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
