//! GET /domains/{domain_id}/gsc/cannibalization

use pharos_domain::{
    identity::DomainAccess,
    module_block::SearchFigures,
    page::{Page, PageRequest},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked,
        cannibalization::{Cannibalized, RivalPage, Severity},
    },
    config::ConfigStore,
    property::PropertyStore,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{BASE, EXAMPLE, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscCannibalization",
    path: "/domains/{domain_id}/gsc/cannibalization",
    summary: "Queries for which several pages of the site are shown",
    description: "Over the last 28 days, the queries with most impressions first. Those of a query are counted by property, those of its \
                  pages by page, so these may come to more. Every page that is shown is listed, the one with most clicks first, and of \
                  the same with most impressions; so is the top page of a day told. `severity`: `high`, at least 40 % of the impressions \
                  are of other pages than the one that is shown most, and the top page changed on at least 7 days; `medium`, at least \
                  20 %, or it changed on at least 3 days; else `low`. Queries with fewer than `min_impressions`, and pages of \
                  `excluded_paths`, are left out, as the settings say.",
    paging: Paging::cursor(1_000),
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    page: PageRequest<i64, i64>,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<Page<CannibalizationPublic, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let config = configs.config(&access).await?;
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let found = reads.served(&access, rows, &config, &page).await?;
    let root = WindowRoot::new(search_type, &property, &asked);
    let judged = found.map(|served| CannibalizationPublic::from(Cannibalized::of(served)));
    Ok(judged.with(root))
}

/// A query for which several pages are shown.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchCannibalization)]
pub(super) struct CannibalizationPublic {
    /// The query that several pages are shown for.
    query: String,
    /// Its impressions, counted by property.
    #[schema(minimum = 0)]
    impressions: u64,
    /// Its clicks, counted by property.
    #[schema(minimum = 0)]
    clicks: u64,
    /// The pages that are shown for it.
    pages: Vec<RivalPagePublic>,
    /// How many they are.
    #[schema(minimum = 2)]
    pages_count: usize,
    /// On how many days the top page was another than on the day before that had one.
    #[schema(minimum = 0)]
    switch_count: u32,
    /// How much the pages get in each other's way.
    severity: Severity,
    /// The page that is clicked most: to be kept where the others are merged into one. Null where nobody clicked.
    #[schema(required)]
    recommended_page: Option<String>,
}

/// A page that is shown for a query.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchRivalPage)]
pub(super) struct RivalPagePublic {
    /// Its URL.
    page: String,
    #[serde(flatten)]
    figures: SearchFigures,
    /// Its share of the clicks of these pages, in percent; null where nobody clicked.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
    /// On how many days it was the top page.
    #[schema(minimum = 0)]
    days_top: u32,
}

impl From<Cannibalized> for CannibalizationPublic {
    fn from(found: Cannibalized) -> Self {
        let Cannibalized {
            query,
            figures,
            pages,
            switch_count,
            severity,
            recommended_page,
        } = found;
        Self {
            query,
            impressions: figures.impressions,
            clicks: figures.clicks,
            pages_count: pages.len(),
            pages: pages.into_iter().map(RivalPagePublic::from).collect(),
            switch_count,
            severity,
            recommended_page,
        }
    }
}

impl From<RivalPage> for RivalPagePublic {
    fn from(page: RivalPage) -> Self {
        let RivalPage {
            page,
            figures,
            share_pct,
            days_top,
        } = page;
        Self {
            page,
            figures: figures.into(),
            share_pct,
            days_top,
        }
    }
}

impl Example for CannibalizationPublic {
    fn example() -> Self {
        let page = |page: &str, share_pct, days_top| RivalPagePublic {
            page: page.to_owned(),
            figures: EXAMPLE,
            share_pct: Some(share_pct),
            days_top,
        };
        Self {
            query: "red shoes".to_owned(),
            impressions: 2_560,
            clicks: 128,
            pages: vec![
                page("https://shop.example/shoes", 62.5, 17),
                page("https://shop.example/blog/shoes", 37.5, 11),
            ],
            pages_count: 2,
            switch_count: 9,
            severity: Severity::High,
            recommended_page: Some("https://shop.example/shoes".to_owned()),
        }
    }
}
