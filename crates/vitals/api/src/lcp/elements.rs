//! GET /domains/{domain_id}/rum/lcp/elements

use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        lcp::{LcpElement, LcpParts, PaintKind},
    },
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    chosen::{LIST, RankedRoot, chosen, meta},
    filters::{PageFilter, ViewFilters},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumLcpElements",
    path: "/domains/{domain_id}/rum/lcp/elements",
    summary: "The elements that were largest paints",
    description: "An element with its resource is a row; those of most views come first. Selectors, ids and classes are redacted, and \
                  addresses have no query.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumLcpElementPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = causes.lcp_elements(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(RumLcpElementPublic::from);
    Ok(Page::single(items.collect()).with(root))
}

/// An element that was the largest paint of views.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumLcpElement)]
pub(crate) struct RumLcpElementPublic {
    #[serde(flatten)]
    row: LcpElement,
}

impl From<LcpElement> for RumLcpElementPublic {
    fn from(row: LcpElement) -> Self {
        Self { row }
    }
}

impl Example for RumLcpElementPublic {
    fn example() -> Self {
        Self {
            row: LcpElement {
                element: Some("main>div.hero>img".to_owned()),
                element_id: None,
                element_class: Some("hero__image".to_owned()),
                resource_url: Some("https://cdn.shop.example/hero.avif".to_owned()),
                resource_type: PaintKind::Image,
                pageviews: 3_120,
                share_pct: Some(66.52),
                low_sample: false,
                parts: LcpParts {
                    lcp_ms: Some(2_310.4),
                    ttfb_ms: Some(412.3),
                    resource_load_delay_ms: Some(620.0),
                    resource_load_duration_ms: Some(810.5),
                    element_render_delay_ms: Some(240.1),
                },
                avg_bytes: Some(184_320.0),
                pages_count: 12,
                sample_url: "https://shop.example/".to_owned(),
            },
        }
    }
}
