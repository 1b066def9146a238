//! GET /domains/{domain_id}/gsc/ctr-gaps

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked,
        ctr_gaps::{self, Gap},
    },
    config::ConfigStore,
    curve::{CtrCurve, CurvePoint, CurveReads, CurveSource},
    days::DataState,
    figures::{Figures, SearchType},
    property::PropertyStore,
    values::Dimension,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    parts::{BASE, EXAMPLE, WindowRoot, linked},
    rankings::OfRankings,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscCtrGaps",
    path: "/domains/{domain_id}/gsc/ctr-gaps",
    summary: "Results that are clicked less than others where they stand",
    description: "Over the last 28 days: the 100 queries, or pages, up to position 20 and with at least 100 impressions that miss most \
                  clicks; where `min_impressions` of the settings is more, that many are needed. Expected is what the curve has at their mean position, on the line between whole positions. The curve is \
                  the CTR of the site's queries by rounded position, weighted by impressions and made non-increasing; a site with fewer \
                  than 10,000 impressions gets published averages (`generic`). `z_score` says by how many standard deviations of a \
                  binomial the clicks are fewer: below −1.96 chance explains it once in 40. Pages of `excluded_paths` of the settings \
                  are left out.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfRankings {
        search_type,
        dimension,
    }): Query<OfRankings>,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    curves: Port<dyn CurveReads>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<Page<CtrGapPublic, CtrGapsRoot>> {
    let property = linked(&access, &properties).await?;
    let curve = curves.ctr_curve(&access, search_type, asked.window).await?;
    let config = configs.config(&access).await?;
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let found = if search_type.is_ranked() {
        reads
            .below_curve(&access, rows, dimension, &curve, &config)
            .await?
    } else {
        Vec::new()
    };
    let items = ctr_gaps::ranked(found, &curve)
        .into_iter()
        .map(|(value, figures, gap)| CtrGapPublic::new(dimension, value, figures, gap))
        .collect();
    let root = WindowRoot::new(search_type, &property, &asked);
    Ok(Page::single(items).with(CtrGapsRoot::new(&curve, root)))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchCtrGapsRoot)]
pub(super) struct CtrGapsRoot {
    /// The CTR that is expected at positions 1 to 20.
    curve: Vec<CurvePointPublic>,
    /// Where the curve comes from.
    curve_source: CurveSource,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl CtrGapsRoot {
    fn new(curve: &CtrCurve, root: WindowRoot) -> Self {
        let WindowRoot {
            search_type,
            data_state,
            meta,
        } = root;
        Self {
            curve: curve.points().map(CurvePointPublic::from).collect(),
            curve_source: curve.source(),
            search_type,
            data_state,
            meta,
        }
    }
}

/// A position of the curve.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchCurvePoint)]
pub(super) struct CurvePointPublic {
    /// The position.
    #[schema(minimum = 1, maximum = 20)]
    position: u8,
    /// The CTR that is expected there, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    expected_ctr: f64,
    /// The impressions that the site's queries have there.
    #[schema(minimum = 0)]
    sample_impressions: u64,
}

impl From<CurvePoint> for CurvePointPublic {
    fn from(point: CurvePoint) -> Self {
        let CurvePoint {
            position,
            expected_ctr,
            sample_impressions,
        } = point;
        Self {
            position,
            expected_ctr,
            sample_impressions,
        }
    }
}

/// A result that is clicked less than others where it stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchCtrGap)]
pub(super) struct CtrGapPublic {
    /// The query; left out where pages are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    query: Option<String>,
    /// The URL of the page; left out where queries are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    page: Option<String>,
    #[serde(flatten)]
    figures: SearchFigures,
    /// The CTR that is expected where it stands, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    expected_ctr: f64,
    /// That less the CTR that it has.
    #[schema(minimum = 0, maximum = 1)]
    ctr_gap: f64,
    /// The clicks that it would have had besides.
    #[schema(minimum = 0)]
    missed_clicks: f64,
    /// By how many standard deviations its clicks differ from what is expected; negative: fewer. Null where every or no result
    /// is expected to be clicked.
    #[schema(required)]
    z_score: Option<f64>,
}

impl CtrGapPublic {
    fn new(dimension: Dimension, value: String, figures: Figures, gap: Gap) -> Self {
        let (query, page) = match dimension {
            Dimension::Query => (Some(value), None),
            Dimension::Page => (None, Some(value)),
        };
        let Gap {
            expected_ctr,
            ctr_gap,
            missed_clicks,
            z_score,
        } = gap;
        Self {
            query,
            page,
            figures: figures.into(),
            expected_ctr,
            ctr_gap,
            missed_clicks,
            z_score,
        }
    }
}

impl Example for CtrGapPublic {
    fn example() -> Self {
        Self {
            query: Some("red shoes".to_owned()),
            page: None,
            figures: EXAMPLE,
            expected_ctr: 0.078,
            ctr_gap: 0.028,
            missed_clicks: 71.68,
            z_score: Some(-5.28),
        }
    }
}

impl Example for CtrGapsRoot {
    fn example() -> Self {
        let point = CurvePointPublic {
            position: 1,
            expected_ctr: 0.31,
            sample_impressions: 8_120,
        };
        let root = WindowRoot::example();
        Self {
            curve: vec![point],
            curve_source: CurveSource::OwnSite,
            search_type: root.search_type,
            data_state: root.data_state,
            meta: root.meta,
        }
    }
}
