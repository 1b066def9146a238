//! GET /domains/{domain_id}/rum/impact

use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Window},
};
use pharos_vitals::{
    block::HEADLINE_PERCENT,
    chosen::MOST_ROWS,
    impact::{Impact, ImpactMetric, ImpactReads, SuspectedCause},
    metric::{Metric, Rating, share_pct},
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::slices::{BASE, SlicesRoot};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumImpact",
    path: "/domains/{domain_id}/rum/impact",
    summary: "The pages with most views outside the good band",
    description: "Over the last 28 days. A row is of one page and one metric; `p75` is exact. `suspected_cause` is the part that has the \
                  greatest sum over the views outside the good band: a subpart of LCP or INP; of CLS whether it is media that moved.",
    window: Window::Fixed,
    ..BASE
};

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct ImpactParameters {
    /// The metric; left out: all three.
    #[param(inline)]
    metric: Option<ImpactMetric>,
}

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(parameters): Query<ImpactParameters>,
    impacts: Port<dyn ImpactReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumImpactPublic, SlicesRoot>> {
    let root = SlicesRoot::read(&access, &asked, &reads).await?;
    let mut found = impacts
        .impact(
            &access,
            asked.window,
            parameters.metric,
            MOST_ROWS + 1,
            HEADLINE_PERCENT,
        )
        .await?;
    let is_truncated = found.len() > MOST_ROWS;
    found.truncate(MOST_ROWS);
    let root = root.of_rows(found.len(), is_truncated);
    let items = found.into_iter().map(RumImpactPublic::from).collect();
    Ok(Page::single(items).with(root))
}

/// A page that views outside the good band of a metric are of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumImpact)]
pub(super) struct RumImpactPublic {
    /// Its address, without the query.
    url: String,
    /// Its views in which the metric was measured.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// The metric that the row is about.
    metric: ImpactMetric,
    /// The 75th percentile, in the metric's unit.
    #[schema(minimum = 0)]
    p75: f64,
    /// The band of that.
    rating: Rating,
    /// Poor views.
    #[schema(minimum = 0)]
    poor_views: u64,
    /// Views between good and poor.
    #[schema(minimum = 0)]
    needs_improvement_views: u64,
    /// Both.
    #[schema(minimum = 0)]
    affected_views: u64,
    /// Their share of the views of all pages that are outside the good band of this metric, in percent.
    #[schema(minimum = 0, maximum = 100)]
    affected_share_pct: f64,
    /// By how much the percentile lies above the bound of the good band, in the metric's unit; negative where it is good.
    gap_to_good: f64,
    /// The most likely cause of the bad values; null where the browser did not say.
    #[schema(required)]
    suspected_cause: Option<SuspectedCause>,
}

impl From<Impact> for RumImpactPublic {
    fn from(impact: Impact) -> Self {
        let Impact {
            url,
            metric: of,
            views,
            affected,
            poor,
            all_affected,
            percentile,
            cause,
        } = impact;
        let metric = Metric::from(of);
        let percentile = metric.rounded(percentile);
        Self {
            url,
            pageviews: views,
            metric: of,
            p75: percentile,
            rating: metric.rating(percentile),
            poor_views: poor,
            needs_improvement_views: affected.saturating_sub(poor),
            affected_views: affected,
            affected_share_pct: share_pct(affected, all_affected).unwrap_or(0.0),
            gap_to_good: metric.rounded(percentile - metric.bands().good),
            suspected_cause: cause,
        }
    }
}

impl Example for RumImpactPublic {
    fn example() -> Self {
        Self::from(Impact {
            url: "https://shop.example/cart".to_owned(),
            metric: ImpactMetric::Lcp,
            views: 1_604,
            affected: 412,
            poor: 130,
            all_affected: 824,
            percentile: 3_140.2,
            cause: Some(SuspectedCause::LateDiscovery),
        })
    }
}
