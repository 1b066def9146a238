//! GET /domains/{domain_id}/rum/cls/elements

use pharos_domain::{collect::view::LoadState, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        cls::{ClsElement, DeviceShares},
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
    id: "listRumClsElements",
    path: "/domains/{domain_id}/rum/cls/elements",
    summary: "The elements that moved",
    description: "The element that the largest shift of each view moved, those whose shifts come to most first. \
                  Firefox and Safari report no shifts: their views are no part of it.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumClsElementPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = causes.cls_elements(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(RumClsElementPublic::from);
    Ok(Page::single(items.collect()).with(root))
}

/// An element that the largest shifts of views moved.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumClsElement)]
pub(crate) struct RumClsElementPublic {
    #[serde(flatten)]
    row: ClsElement,
}

impl From<ClsElement> for RumClsElementPublic {
    fn from(row: ClsElement) -> Self {
        Self { row }
    }
}

impl Example for RumClsElementPublic {
    fn example() -> Self {
        Self {
            row: ClsElement {
                element: Some("div.banner".to_owned()),
                element_id: None,
                element_class: Some("banner".to_owned()),
                pageviews: 640,
                low_sample: false,
                shift_sum: 89.6,
                shift_avg: Some(0.14),
                cls_p75_pages: Some(0.1612),
                avg_shift_time_ms: Some(1_840.0),
                load_state: Some(LoadState::DomContentLoaded),
                devices: DeviceShares {
                    mobile_pct: Some(75.0),
                    desktop_pct: Some(25.0),
                    tablet_pct: Some(0.0),
                    other_pct: Some(0.0),
                },
                pages_count: 3,
                sample_url: "https://shop.example/".to_owned(),
            },
        }
    }
}
