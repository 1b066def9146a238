//! GET /domains/{domain_id}/gsc/content-decay

use std::collections::HashMap;

use pharos_domain::{day::Day, identity::DomainAccess, page::Page, window::ResolvedWindow};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked, LostQuery,
        decay::{self, Decay, DecayStatus},
    },
    config::ConfigStore,
    property::PropertyStore,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

use super::parts::{BASE, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscContentDecay",
    path: "/domains/{domain_id}/gsc/content-decay",
    summary: "Pages that are clicked less and less",
    description: "Over the last 13 complete weeks, Monday to Sunday, of those that are final, counted by page: the 100 pages that lost \
                  most clicks since their best week; none where not all of these weeks were imported. A page decays where its best week had at least 10 clicks, at least 20 % of \
                  them are gone in the last one, and the line through all weeks falls. `status`: `collapsed`, at least 80 % are gone; \
                  `declining`, the line through the last four weeks falls by at least 2 % of the best week a week; else `plateau`. \
                  Pages of `excluded_paths` of the settings are left out.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<91>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<Page<ContentDecayPublic, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let config = configs.config(&access).await?;
    let (window, is_whole) = decay::weeks_of(&property, search_type, asked.window.last());
    let asked = ResolvedWindow { window, ..asked };
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let pages = if is_whole {
        reads.weekly_pages(&access, rows, &config).await?
    } else {
        Vec::new()
    };
    let found = decay::ranked(&pages, asked.window);
    let peaks: Vec<_> = found.iter().map(|page| (page.id, page.peak_week_start)).collect();
    let mut lost: HashMap<i64, Vec<LostQueryPublic>> = HashMap::new();
    for query in reads.lost_queries(&access, rows, &peaks).await? {
        lost.entry(query.page).or_default().push(query.into());
    }
    let items = found
        .into_iter()
        .map(|page| {
            let queries = lost.remove(&page.id).unwrap_or_default();
            ContentDecayPublic::new(page, queries)
        })
        .collect();
    Ok(Page::single(items).with(WindowRoot::new(search_type, &property, &asked)))
}

/// A page that is clicked less and less.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchContentDecay)]
pub(super) struct ContentDecayPublic {
    /// Its URL.
    page: String,
    /// The clicks of the last week.
    #[schema(minimum = 0)]
    clicks_current: u64,
    /// Those of the best.
    #[schema(minimum = 0)]
    clicks_peak: u64,
    /// The Monday of the best week; of several that are as good the last.
    peak_week_start: Day,
    /// How much of the best week's clicks is gone, in percent.
    #[schema(minimum = 0, maximum = 100)]
    decline_pct: f64,
    /// How many weeks ago the best one was.
    #[schema(minimum = 1)]
    weeks_declining: u32,
    /// By how many clicks a week the line through all weeks rises; negative: it falls.
    slope_clicks_per_week: f64,
    /// The position of the last week less that of the best: positive is worse. Null where it has none.
    #[schema(required)]
    position_change: Option<f64>,
    /// The impressions of the last week against those of the best, in percent of these; null where the best had none.
    #[schema(required)]
    impressions_change_pct: Option<f64>,
    /// How it is doing.
    status: DecayStatus,
    /// The queries that brought it most clicks more in the best week than in the last, five at most.
    #[schema(max_items = 5)]
    top_lost_queries: Vec<LostQueryPublic>,
}

/// A query that brought a page more clicks once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchLostQuery)]
pub(super) struct LostQueryPublic {
    /// The query that brings the page less than before.
    query: String,
    /// Its clicks in the page's best week.
    #[schema(minimum = 0)]
    clicks_peak: u64,
    /// Its clicks in the last.
    #[schema(minimum = 0)]
    clicks_current: u64,
}

impl From<LostQuery> for LostQueryPublic {
    fn from(lost: LostQuery) -> Self {
        let LostQuery {
            page: _,
            query,
            clicks_peak,
            clicks_current,
        } = lost;
        Self {
            query,
            clicks_peak,
            clicks_current,
        }
    }
}

impl ContentDecayPublic {
    fn new(found: Decay, top_lost_queries: Vec<LostQueryPublic>) -> Self {
        let Decay {
            id: _,
            page,
            clicks_current,
            clicks_peak,
            peak_week_start,
            decline_pct,
            weeks_declining,
            slope_clicks_per_week,
            position_change,
            impressions_change_pct,
            status,
        } = found;
        Self {
            page,
            clicks_current,
            clicks_peak,
            peak_week_start: Day(peak_week_start),
            decline_pct,
            weeks_declining,
            slope_clicks_per_week,
            position_change,
            impressions_change_pct,
            status,
            top_lost_queries,
        }
    }
}

impl Example for ContentDecayPublic {
    fn example() -> Self {
        Self {
            page: "https://shop.example/guide".to_owned(),
            clicks_current: 40,
            clicks_peak: 100,
            peak_week_start: Day(date!(2026 - 01 - 12)),
            decline_pct: 60.0,
            weeks_declining: 10,
            slope_clicks_per_week: -4.8,
            position_change: Some(3.0),
            impressions_change_pct: Some(-60.0),
            status: DecayStatus::Declining,
            top_lost_queries: vec![LostQueryPublic {
                query: "how to tie shoes".to_owned(),
                clicks_peak: 41,
                clicks_current: 9,
            }],
        }
    }
}
