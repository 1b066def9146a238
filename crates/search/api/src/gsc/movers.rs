//! GET /domains/{domain_id}/gsc/movers

use pharos_domain::{identity::DomainAccess, page::Page, window::change, wire_enum};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    curve::{CtrCurve, CurveReads},
    property::PropertyStore,
    rankings::{Driver, Movement, Mover, RankingReads, moved},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    parts::{BASE, linked},
    rankings::{OfRankings, RankingsRoot, between},
};

/// How many rows an answer has at most.
const MOST_ROWS: u16 = 100;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscMovers",
    path: "/domains/{domain_id}/gsc/movers",
    summary: "Queries or pages whose clicks changed the most",
    description: "Over the last 28 days, against the 28 before: the 100 largest changes among values that were seen in both. Each change is \
                  split into three parts of six decimals that add up to it. Demand is the change of impressions at the old CTR; \
                  rank the impressions at the difference of what the site's CTR curve expects at both positions; CTR is the rest. `driver` is the part that \
                  is at least 60 % of all three, each without its sign; without one it is `mixed`.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct MoversParameters {
    /// Which way clicks moved; left out: both.
    #[param(inline, value_type = Option<Movement>)]
    direction: Movement,
}

impl Default for MoversParameters {
    fn default() -> Self {
        Self {
            direction: Movement::Both,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(parameters): Query<OfRankings>,
    Query(MoversParameters { direction }): Query<MoversParameters>,
    properties: Port<dyn PropertyStore>,
    rankings: Port<dyn RankingReads>,
    curves: Port<dyn CurveReads>,
) -> ApiResult<Page<MoverPublic, RankingsRoot>> {
    let OfRankings {
        search_type,
        dimension,
    } = parameters;
    let property = linked(&access, &properties).await?;
    let between = between(search_type, dimension, &asked);
    let root = RankingsRoot::new(&between, &property, &asked);
    let found = moved(&*rankings, &access, &property, &between, direction, MOST_ROWS).await?;
    if found.is_empty() {
        return Ok(Page::single(Vec::new()).with(root));
    }
    let curve = curves.ctr_curve(&access, search_type, asked.window).await?;
    let items = found
        .into_iter()
        .map(|mover| MoverPublic::new(mover, &curve))
        .collect();
    Ok(Page::single(items).with(root))
}

wire_enum! {
    /// Which way clicks moved.
    Direction as "SearchDirection" {
        /// There are more.
        Up = "up",
        /// There are fewer.
        Down = "down",
    }
}

/// A query or page whose clicks changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchMover)]
pub(super) struct MoverPublic {
    /// The query, or the URL of the page.
    value: String,
    /// Which way its clicks moved.
    direction: Direction,
    /// Clicks in the window.
    #[schema(minimum = 0)]
    clicks: u64,
    /// Its clicks on the days before.
    #[schema(minimum = 0)]
    clicks_previous: u64,
    /// How many clicks more it has; fewer are negative.
    clicks_change: i64,
    /// How many impressions more it has.
    impressions_change: i64,
    /// Its mean position; null without impressions, and of discover and google_news.
    #[schema(required, minimum = 1)]
    position: Option<f64>,
    /// Its mean position on the days before; null without impressions on them, and of discover and google_news.
    #[schema(required, minimum = 1)]
    position_previous: Option<f64>,
    /// The position less that of the days before: negative is better. Null where it has none on one of both.
    #[schema(required)]
    position_change: Option<f64>,
    /// The part that most of the change is owed to.
    driver: Driver,
    /// The clicks that are owed to how often it was seen.
    clicks_from_demand: f64,
    /// The clicks that are owed to where it stood.
    clicks_from_rank: f64,
    /// The clicks that are owed to how often it was clicked where it stood.
    clicks_from_ctr: f64,
}

impl MoverPublic {
    fn new(mover: Mover, curve: &CtrCurve) -> Self {
        let parts = mover.drivers(curve);
        let (position, before) = (mover.figures.position(), mover.before.position());
        let clicks_change = mover.clicks_change();
        Self {
            direction: if clicks_change < 0 {
                Direction::Down
            } else {
                Direction::Up
            },
            clicks: mover.figures.clicks,
            clicks_previous: mover.before.clicks,
            clicks_change,
            impressions_change: mover.impressions_change(),
            position,
            position_previous: before,
            position_change: change(position, before),
            driver: parts.driver(),
            clicks_from_demand: parts.demand,
            clicks_from_rank: parts.rank,
            clicks_from_ctr: parts.ctr,
            value: mover.value,
        }
    }
}

impl Example for MoverPublic {
    fn example() -> Self {
        Self {
            value: "red shoes".to_owned(),
            direction: Direction::Up,
            clicks: 40,
            clicks_previous: 10,
            clicks_change: 30,
            impressions_change: 100,
            position: Some(2.0),
            position_previous: Some(4.0),
            position_change: Some(-2.0),
            driver: Driver::Mixed,
            clicks_from_demand: 10.0,
            clicks_from_rank: 15.4,
            clicks_from_ctr: 4.6,
        }
    }
}
