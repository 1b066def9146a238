//! GET /domains/{domain_id}/rum/requests

use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    loads::{VitalsLoads, requests::RequestFigures},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    chosen::{LIST, RankedRoot, chosen, meta},
    filters::{PageFilter, ViewFilters},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumRequests",
    path: "/domains/{domain_id}/rum/requests",
    summary: "Requests of scripts, by method, host and path",
    description: "Requests by `fetch` and `XMLHttpRequest`. In a path numbers, ids and what was redacted are `:id`. Browsers tell no method, and \
                  no status where the other server does not allow it: what is not known counts in no column of statuses. Chromium \
                  tells nothing of a `fetch` whose body the page leaves unread.",
    ..LIST
};

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    loads: Port<dyn VitalsLoads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumRequestPublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = loads.requests(&access, &views).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(|row| RumRequestPublic { row });
    Ok(Page::single(items.collect()).with(root))
}

/// Requests of one method, host and path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumRequest)]
pub(crate) struct RumRequestPublic {
    #[serde(flatten)]
    row: RequestFigures,
}

impl Example for RumRequestPublic {
    fn example() -> Self {
        Self {
            row: RequestFigures {
                method: None,
                path_template: "/api/carts/:id".to_owned(),
                host: "shop.example".to_owned(),
                requests: 2_140,
                low_sample: false,
                p50_ms: Some(84.0),
                p75_ms: Some(131.5),
                p95_ms: Some(402.0),
                status_2xx: 2_096,
                status_3xx: 0,
                status_4xx: 31,
                status_5xx: 13,
                failed: 0,
                failure_rate_pct: Some(2.06),
                avg_response_bytes: Some(1_820.4),
                pages_count: 14,
            },
        }
    }
}
