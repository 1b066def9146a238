//! GET /domains/{domain_id}/rum/resources

use pharos_domain::{collect::view::ResourceType, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    loads::{
        VitalsLoads,
        resources::{PhaseMeans, ProtocolShare, ResourceFigures, ResourceGrouping},
    },
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::{LIST, RankedRoot, chosen, meta},
    filters::{PageFilter, ViewFilters},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumResources",
    path: "/domains/{domain_id}/rum/resources",
    summary: "The resources that pages load, by type, host or address",
    description: "Sizes and parts are those that the resource's server lets the page know (`Timing-Allow-Origin`); \
                  others are null and never 0. The script tells the 40 resources of a view that took longest, with \
                  addresses without their query.",
    ..LIST
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct ResourcesParameters {
    /// Whether resources of one row have their type, host or address in common; left out: their type.
    #[param(inline, value_type = Option<ResourceGrouping>)]
    group_by: ResourceGrouping,
}

impl Default for ResourcesParameters {
    fn default() -> Self {
        Self {
            group_by: ResourceGrouping::Type,
        }
    }
}

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<ResourcesParameters>,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    loads: Port<dyn VitalsLoads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumResourcePublic, RankedRoot>> {
    let views = chosen(&asked, page, filters);
    let found = loads.resources(&access, &views, parameters.group_by).await?;
    let root = RankedRoot::new(&found, meta(&access, &asked, &*reads).await?);
    let items = found.rows.into_iter().map(|row| RumResourcePublic { row });
    Ok(Page::single(items.collect()).with(root))
}

/// Resources of one type, host or address.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumResource)]
pub(crate) struct RumResourcePublic {
    #[serde(flatten)]
    row: ResourceFigures,
}

impl Example for RumResourcePublic {
    fn example() -> Self {
        Self {
            row: ResourceFigures {
                key: "script".to_owned(),
                resource_type: ResourceType::Script,
                requests: 38_400,
                pages_count: 96,
                low_sample: false,
                avg_duration_ms: Some(121.4),
                p75_duration_ms: Some(164.0),
                avg_transfer_bytes: Some(31_204.5),
                avg_decoded_bytes: Some(98_410.0),
                total_transfer_bytes: Some(1_198_252_800),
                cache_hit_pct: Some(61.2),
                render_blocking_pct: Some(8.4),
                protocol_split: vec![ProtocolShare {
                    protocol: Some("h2".to_owned()),
                    requests: 38_400,
                    share_pct: Some(100.0),
                }],
                phases: PhaseMeans {
                    dns_ms: Some(2.1),
                    connect_ms: Some(8.4),
                    tls_ms: Some(5.2),
                    ttfb_ms: Some(64.0),
                    download_ms: Some(31.8),
                },
                is_third_party: false,
                timing_restricted_pct: Some(12.5),
            },
        }
    }
}
