//! GET /domains/{domain_id}/rum/third-parties

use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    loads::{VitalsLoads, third_parties::ThirdParty},
    providers::ProviderCategory,
    store::VitalsReads,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use crate::{
    chosen::{LIST, RankedRoot, chosen, meta},
    filters::{PageFilter, ViewFilters},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumThirdParties",
    path: "/domains/{domain_id}/rum/third-parties",
    summary: "Third parties by provider",
    description: "Hosts of other sites than the page's, put together by who provides them (the list of the project third-party-web; else the \
                  site above the host), of the 5,000 hosts of most requests. Main-thread time is told by Chromium alone.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    loads: Port<dyn VitalsLoads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumThirdPartyPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = loads.third_parties(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(|row| RumThirdPartyPublic { row });
    Ok(Page::single(items.collect()).with(root))
}

/// The resources of one provider that views loaded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumThirdParty)]
pub(crate) struct RumThirdPartyPublic {
    #[serde(flatten)]
    row: ThirdParty,
}

impl Example for RumThirdPartyPublic {
    fn example() -> Self {
        Self {
            row: ThirdParty {
                provider: "Google Tag Manager".to_owned(),
                category: ProviderCategory::TagManager,
                hosts: vec!["www.googletagmanager.com".to_owned()],
                requests: 4_702,
                pages_count: 96,
                share_of_views_pct: Some(97.71),
                transfer_bytes: None,
                p75_duration_ms: Some(142.0),
                render_blocking_requests: 0,
                long_task_ms: Some(18_402.0),
                script_duration_ms: Some(9_120.5),
                error_count: 3,
                first_seen_at: datetime!(2026-03-02 00:04:11 UTC).into(),
            },
        }
    }
}
