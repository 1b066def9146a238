//! GET /domains/{domain_id}/gsc/new-rankings

use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    module_block::SearchFigures,
    page::{OffsetPage, OffsetRequest, TotalName},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::{DEFAULT_PAGE_SIZE, OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    config::ConfigStore,
    property::PropertyStore,
    rankings::{self, NewRanking, RankingReads},
    values::Dimension,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

use super::{
    parts::{BASE, EXAMPLE, linked},
    rankings::{OfRankings, RankingsRoot, between},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscNewRankings",
    path: "/domains/{domain_id}/gsc/new-rankings",
    summary: "Queries or pages that are new in the results",
    description: "Those with impressions in the window and none in the base window, as many days right before; the most clicks first. \
                  Where the base window begins before what was imported nothing can be told to be new: the list is empty, and `total_new` is null.",
    paging: Paging::Offset {
        max: 1_000,
        default: DEFAULT_PAGE_SIZE,
    },
    window: Window::Dates,
    ..BASE
};

/// The name of the total.
#[derive(Debug)]
pub(super) struct TotalNew;

impl TotalName for TotalNew {
    const NAME: &'static str = "total_new";
    const NULL: Option<&'static str> = Some("where nothing can be told to be new");
}

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<OfRankings>,
    page: OffsetRequest,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    reads: Port<dyn RankingReads>,
) -> ApiResult<OffsetPage<NewRankingPublic, TotalNew, RankingsRoot>> {
    let OfRankings {
        search_type,
        dimension,
    } = parameters;
    let property = linked(&access, &properties).await?;
    let between = between(search_type, dimension, &asked);
    let root = RankingsRoot::new(&between, &property, &asked);
    let (found, total) = rankings::new(&*reads, &access, &property, &between, page).await?;
    let is_of_queries = dimension == Dimension::Query;
    let branded = if is_of_queries {
        let config = configs.config(&access).await?;
        let queries = found.iter().map(|ranking| ranking.value.as_str());
        config.are_branded(queries).await?
    } else {
        vec![None; found.len()]
    };
    let items = found
        .into_iter()
        .zip(branded)
        .map(|(ranking, is_branded)| NewRankingPublic::new(ranking, dimension, is_branded))
        .collect();
    Ok(OffsetPage::new(items, total, page).with(root))
}

/// A query or page that is new in the results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchNewRanking)]
pub(super) struct NewRankingPublic {
    /// Whether the value is a query or a page.
    dimension: Dimension,
    /// The query, or the URL of the page.
    value: String,
    /// The first day of the window on which it was seen.
    first_seen_on: Day,
    #[serde(flatten)]
    figures: SearchFigures,
    /// The best of its daily mean positions in the window; null where it has none.
    #[schema(required, minimum = 1)]
    best_position: Option<f64>,
    /// The page with the most clicks for a query; null where the upstream does not tell, and of pages.
    #[schema(required)]
    page: Option<String>,
    /// Whether a query is one for the brand; null where the settings say nothing of that, and of pages.
    #[schema(required)]
    is_branded: Option<bool>,
}

impl NewRankingPublic {
    fn new(ranking: NewRanking, dimension: Dimension, is_branded: Option<bool>) -> Self {
        let NewRanking {
            value,
            figures,
            first_seen_on,
            best_position,
            top_page,
        } = ranking;
        Self {
            dimension,
            value,
            first_seen_on: Day(first_seen_on),
            figures: figures.into(),
            best_position,
            page: top_page,
            is_branded,
        }
    }
}

impl Example for NewRankingPublic {
    fn example() -> Self {
        Self {
            dimension: Dimension::Query,
            value: "red shoes".to_owned(),
            first_seen_on: Day(date!(2026 - 03 - 12)),
            figures: EXAMPLE,
            best_position: Some(3.1),
            page: Some("https://shop.example/shoes/".to_owned()),
            is_branded: Some(false),
        }
    }
}
