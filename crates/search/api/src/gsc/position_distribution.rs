//! GET /domains/{domain_id}/gsc/position-distribution

use pharos_domain::{day::Day, identity::DomainAccess, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked, PlaceFilter,
        positions::{BANDS, Band, BandShare},
    },
    days::DataState,
    figures::SearchType,
    property::PropertyStore,
};
use serde::Serialize;
use time::{Date, macros::date};
use utoipa::ToSchema;

use super::parts::{BASE, OfSearchType, PlaceFilters, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getGscPositionDistribution",
    path: "/domains/{domain_id}/gsc/position-distribution",
    summary: "How many queries the site stands where for",
    description: "Over the last 28 days, counted by property. A query is in the band of its mean position, which is not rounded; the last \
                  position of a band belongs to it. `items` take the mean of each day, so a query may be in other bands there. \
                  Search types without queries have neither bands nor days.",
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn view(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(places): Query<PlaceFilters>,
    properties: Port<dyn PropertyStore>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<PositionDistributionPublic> {
    let property = linked(&access, &properties).await?;
    let root = WindowRoot::new(search_type, &property, &asked);
    if !search_type.is_ranked() {
        return Ok(PositionDistributionPublic::new(Vec::new(), Vec::new(), root));
    }
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let places = PlaceFilter {
        country: places.country,
        device: places.device,
    };
    let found = reads.positions(&access, rows, places).await?;
    let is_known = !found.days.is_empty();
    let shares = found.shares(property.reach.reaches(search_type, asked.window.preceding()));
    let current = shares
        .into_iter()
        .map(|share| BandPublic::new(share, is_known))
        .collect();
    let items = asked
        .window
        .dates()
        .map(|date| BandDayPublic::new(date, found.days.get(&date)))
        .collect();
    Ok(PositionDistributionPublic::new(current, items, root))
}

/// How many queries the site stands where for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPositionDistribution)]
pub(super) struct PositionDistributionPublic {
    /// The bands, the best first.
    current: Vec<BandPublic>,
    /// Every day of the window.
    items: Vec<BandDayPublic>,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl PositionDistributionPublic {
    fn new(current: Vec<BandPublic>, items: Vec<BandDayPublic>, root: WindowRoot) -> Self {
        let WindowRoot {
            search_type,
            data_state,
            meta,
        } = root;
        Self {
            current,
            items,
            search_type,
            data_state,
            meta,
        }
    }
}

/// The figures of the queries of a band.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPositionBandRow)]
pub(super) struct BandPublic {
    /// The band.
    band: Band,
    /// How many queries are in it; null where nothing is known of the window.
    #[schema(required, minimum = 0)]
    queries: Option<u64>,
    /// Their impressions; null where nothing is known of the window.
    #[schema(required, minimum = 0)]
    impressions: Option<u64>,
    /// Their clicks; null where nothing is known of the window.
    #[schema(required, minimum = 0)]
    clicks: Option<u64>,
    /// The share of its queries in all, in percent; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
    /// How many queries more it has than in the 28 days before; null where nothing is known of one of them.
    #[schema(required)]
    queries_change: Option<i64>,
}

impl BandPublic {
    fn new(share: BandShare, is_known: bool) -> Self {
        let BandShare {
            band,
            figures,
            share_pct,
            queries_change,
        } = share;
        Self {
            band,
            queries: is_known.then_some(figures.queries),
            impressions: is_known.then_some(figures.impressions),
            clicks: is_known.then_some(figures.clicks),
            share_pct,
            queries_change: queries_change.filter(|_| is_known),
        }
    }
}

/// How many queries the bands have on a day; null where nothing is known of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchPositionDay)]
pub(super) struct BandDayPublic {
    /// The day, as the upstream calls it: in Pacific time.
    date: Day,
    /// Up to position 3; null where nothing is known of the day.
    #[schema(required, minimum = 0)]
    top_3: Option<u64>,
    /// Beyond 3, up to 10.
    #[serde(rename = "4_10")]
    #[schema(required, minimum = 0)]
    to_10: Option<u64>,
    /// Beyond 10, up to 20.
    #[serde(rename = "11_20")]
    #[schema(required, minimum = 0)]
    to_20: Option<u64>,
    /// Beyond 20, up to 50.
    #[serde(rename = "21_50")]
    #[schema(required, minimum = 0)]
    to_50: Option<u64>,
    /// Beyond 50.
    #[serde(rename = "51_plus")]
    #[schema(required, minimum = 0)]
    beyond_50: Option<u64>,
}

impl BandDayPublic {
    fn new(date: Date, queries: Option<&[u64; BANDS]>) -> Self {
        let [top_3, to_10, to_20, to_50, beyond_50] =
            queries.map_or([None; BANDS], |queries| queries.map(Some));
        Self {
            date: Day(date),
            top_3,
            to_10,
            to_20,
            to_50,
            beyond_50,
        }
    }
}

impl Example for PositionDistributionPublic {
    fn example() -> Self {
        let band = BandPublic {
            band: Band::To10,
            queries: Some(212),
            impressions: Some(48_200),
            clicks: Some(1_310),
            share_pct: Some(26.5),
            queries_change: Some(14),
        };
        let day = BandDayPublic::new(date!(2026 - 03 - 29), Some(&[81, 130, 95, 140, 60]));
        Self::new(vec![band], vec![day], WindowRoot::example())
    }
}
