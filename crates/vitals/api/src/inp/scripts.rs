//! GET /domains/{domain_id}/rum/inp/scripts

use pharos_domain::{
    collect::view::{InvokerType, Subpart},
    identity::DomainAccess,
    page::Page,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{VitalsCauses, inp::InpScript},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    chosen::{LIST, RankedRoot, chosen, meta},
    filters::{PageFilter, ViewFilters},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumInpScripts",
    path: "/domains/{domain_id}/rum/inp/scripts",
    summary: "The scripts that slow interactions waited for",
    description: "The script that took longest within each interaction above 200 ms, by long animation frames: only \
                  Chromium tells of them. Those that took most in all come first. `provider` is null where it is \
                  nobody that Pharos knows.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumInpScriptPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = causes.inp_scripts(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(|row| RumInpScriptPublic { row });
    Ok(Page::single(items.collect()).with(root))
}

/// A script that slow interactions waited for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumInpScript)]
pub(crate) struct RumInpScriptPublic {
    #[serde(flatten)]
    row: InpScript,
}

impl Example for RumInpScriptPublic {
    fn example() -> Self {
        Self {
            row: InpScript {
                script_url: Some("https://shop.example/app.js".to_owned()),
                function_name: Some("addToCart".to_owned()),
                invoker: Some("BUTTON#buy.onclick".to_owned()),
                invoker_type: Some(InvokerType::EventListener),
                provider: None,
                is_third_party: false,
                interactions: 96,
                total_duration_ms: Some(21_504.0),
                avg_duration_ms: Some(224.0),
                forced_style_layout_ms: Some(4_210.5),
                subpart: Some(Subpart::ProcessingDuration),
            },
        }
    }
}
