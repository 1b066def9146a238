//! GET /domains/{domain_id}/rum/inp/elements

use pharos_domain::{
    collect::view::{Interaction, LoadState},
    identity::DomainAccess,
    page::Page,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        inp::{InpElement, InpPhases},
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
    id: "listRumInpElements",
    path: "/domains/{domain_id}/rum/inp/elements",
    summary: "The elements that people interacted with",
    description: "By element and type of interaction, those with most slow interactions first. One interaction a view counts, its slowest. \
                  `element` is null where it had left the page.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumInpElementPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = causes.inp_elements(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(RumInpElementPublic::from);
    Ok(Page::single(items.collect()).with(root))
}

/// An element that was the target of slowest interactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumInpElement)]
pub(crate) struct RumInpElementPublic {
    #[serde(flatten)]
    row: InpElement,
}

impl From<InpElement> for RumInpElementPublic {
    fn from(row: InpElement) -> Self {
        Self { row }
    }
}

impl Example for RumInpElementPublic {
    fn example() -> Self {
        Self {
            row: InpElement {
                element: Some("button#buy".to_owned()),
                element_id: Some("buy".to_owned()),
                element_class: None,
                interaction_type: Some(Interaction::Pointer),
                interactions: 412,
                slow_interactions: 96,
                poor_interactions: 11,
                low_sample: false,
                phases: InpPhases {
                    inp_ms: Some(168.0),
                    input_delay_ms: Some(14.0),
                    processing_duration_ms: Some(96.0),
                    presentation_delay_ms: Some(58.0),
                },
                load_state_top: Some(LoadState::Complete),
                pages_count: 8,
                sample_url: "https://shop.example/p/:product".to_owned(),
            },
        }
    }
}
