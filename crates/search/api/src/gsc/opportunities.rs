//! GET /domains/{domain_id}/gsc/opportunities

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    analysis::{
        AnalysisReads, Asked,
        opportunities::{self, Effort, Opportunity, Reason},
        positions::Band,
    },
    config::ConfigStore,
    curve::CurveReads,
    property::PropertyStore,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{BASE, EXAMPLE, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscOpportunities",
    path: "/domains/{domain_id}/gsc/opportunities",
    summary: "Queries for which more would be clicked a little further up",
    description: "Over the last 28 days, counted by property: the 100 queries between positions 3 and 20 that would bring most clicks \
                  besides at their target, by the CTR curve of `ctr-gaps`. The target is 3 for positions up to 10, and 10 for those up \
                  to 20. Queries with fewer than `min_impressions` of the settings, and those whose page is one of `excluded_paths`, \
                  are left out. `effort` is low up to 2 positions from the target, medium up to 5. `reason` is the first of these that \
                  holds: `decaying`, it stood at least one position better in the 28 days before; `low_ctr`, it is clicked less than \
                  expected where it stands, by 1.96 standard deviations; `thin_coverage`, less than 5 % of the impressions of its page \
                  are of this query; else `striking_distance`.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    properties: Port<dyn PropertyStore>,
    configs: Port<dyn ConfigStore>,
    curves: Port<dyn CurveReads>,
    reads: Port<dyn AnalysisReads>,
) -> ApiResult<Page<OpportunityPublic, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let root = WindowRoot::new(search_type, &property, &asked);
    if !search_type.is_ranked() {
        return Ok(Page::single(Vec::new()).with(root));
    }
    let config = configs.config(&access).await?;
    let curve = curves.ctr_curve(&access, search_type, asked.window).await?;
    let rows = Asked {
        search_type,
        window: asked.window,
    };
    let least = config.settings.min_impressions;
    let candidates = reads.candidates(&access, rows, least, &curve).await?;
    let found = opportunities::ranked(candidates, &curve, |page| config.is_excluded(page));
    let items = found.into_iter().map(OpportunityPublic::from).collect();
    Ok(Page::single(items).with(root))
}

/// A query for which more would be clicked a little further up.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchOpportunity)]
pub(super) struct OpportunityPublic {
    /// The query that the page is shown for.
    query: String,
    /// The page that is shown for it with most clicks; null where the upstream does not tell.
    #[schema(required)]
    page: Option<String>,
    #[serde(flatten)]
    figures: SearchFigures,
    /// Where it stands.
    band: Band,
    /// The CTR that is expected at the target, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    expected_ctr_at_target: f64,
    /// Where it could stand.
    #[schema(minimum = 1)]
    target_position: u8,
    /// How many clicks more 28 days would bring there.
    #[schema(minimum = 0)]
    potential_clicks: f64,
    /// How much it takes.
    effort: Effort,
    /// Why it is an opportunity.
    reason: Reason,
}

impl From<Opportunity> for OpportunityPublic {
    fn from(found: Opportunity) -> Self {
        let Opportunity {
            query,
            page,
            figures,
            band,
            target,
            expected_ctr,
            potential_clicks,
            effort,
            reason,
        } = found;
        Self {
            query,
            page,
            figures: figures.into(),
            band,
            expected_ctr_at_target: expected_ctr,
            target_position: target,
            potential_clicks,
            effort,
            reason,
        }
    }
}

impl Example for OpportunityPublic {
    fn example() -> Self {
        Self {
            query: "red shoes".to_owned(),
            page: Some("https://shop.example/shoes".to_owned()),
            figures: EXAMPLE,
            band: Band::To10,
            expected_ctr_at_target: 0.11,
            target_position: 3,
            potential_clicks: 153.6,
            effort: Effort::Low,
            reason: Reason::StrikingDistance,
        }
    }
}
