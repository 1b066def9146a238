//! GET /domains/{domain_id}/gsc/lost-rankings

use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
    window::DateRange,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    days::{DayReads, History},
    property::PropertyStore,
    rankings::{LostRanking, LostReason, RankingReads, lost},
    values::Dimension,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

use super::{
    parts::{BASE, linked},
    rankings::{OfRankings, RankingsRoot, between},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscLostRankings",
    path: "/domains/{domain_id}/gsc/lost-rankings",
    summary: "Queries or pages that are not seen in the results any more",
    description: "Those with impressions in the base window, as many days right before the window, and none in the window; the \
                  most clicks first. Where nothing was imported of the window nothing can be told to be lost. `likely_reason`: \
                  `deindexed`, inspections found since the base window began that the page left Google's index, and it still is \
                  not in it; `consolidated`, other pages are shown for at least half of what the page was shown for, by \
                  impressions; `rank_lost`, it stood 5 positions worse on its last day than on average; `demand_gone`, the pages \
                  of at least half of a query's impressions are still shown, or no query of the page is; `unknown`, none of \
                  these. Null where inspections tell nothing and the upstream did not tell what it was shown with.",
    paging: Paging::cursor(1_000),
    window: Window::Dates,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<OfRankings>,
    page: PageRequest<i64, i64>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
    rankings: Port<dyn RankingReads>,
) -> ApiResult<Page<LostRankingPublic, RankingsRoot>> {
    let OfRankings {
        search_type,
        dimension,
    } = parameters;
    let property = linked(&access, &properties).await?;
    let stored = days.days(&access, &[search_type], &[asked.window]).await?;
    let history = History::new(property, stored);
    let between = between(search_type, dimension, &asked);
    let found = lost(&*rankings, &access, &history, &between, &page).await?;
    let listed = Page::cut(found, &page, |ranking| Position {
        // No count comes near the bound.
        key: i64::try_from(ranking.base.clicks).unwrap_or(i64::MAX),
        id: ranking.id.0,
    });
    let root = RankingsRoot::new(&between, history.property(), &asked);
    Ok(listed
        .map(|ranking| LostRankingPublic::new(ranking, dimension, asked.window))
        .with(root))
}

/// A query or page that is not seen any more.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchLostRanking)]
pub(super) struct LostRankingPublic {
    /// The query, or the URL of the page.
    value: String,
    /// The last day of the base window on which it was seen.
    last_seen_on: Day,
    /// Its clicks in the base window.
    #[schema(minimum = 0)]
    base_clicks: u64,
    /// Its impressions in the base window.
    #[schema(minimum = 0)]
    base_impressions: u64,
    /// Its mean position in the base window; null where it has none.
    #[schema(required, minimum = 1)]
    base_position: Option<f64>,
    /// How many days lie between the last day on which it was seen and the end of the window, that one included.
    #[schema(minimum = 1)]
    days_absent: i64,
    /// The likely reason; null where none can be derived.
    #[schema(required)]
    likely_reason: Option<LostReason>,
}

impl LostRankingPublic {
    fn new(ranking: LostRanking, dimension: Dimension, window: DateRange) -> Self {
        Self {
            likely_reason: ranking.likely_reason(dimension),
            last_seen_on: Day(ranking.last_seen_on),
            base_clicks: ranking.base.clicks,
            base_impressions: ranking.base.impressions,
            base_position: ranking.base.position(),
            days_absent: (window.last() - ranking.last_seen_on).whole_days(),
            value: ranking.value,
        }
    }
}

impl Example for LostRankingPublic {
    fn example() -> Self {
        Self {
            value: "red sandals".to_owned(),
            last_seen_on: Day(date!(2026 - 02 - 20)),
            base_clicks: 14,
            base_impressions: 210,
            base_position: Some(6.5),
            days_absent: 37,
            likely_reason: Some(LostReason::DemandGone),
        }
    }
}
