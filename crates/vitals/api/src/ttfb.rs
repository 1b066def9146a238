//! GET /domains/{domain_id}/rum/ttfb

use pharos_domain::{day::Day, identity::DomainAccess};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        ttfb::{ServerTimingFigures, TtfbDay, TtfbParts, TtfbPiece, TtfbReport},
    },
    store::VitalsReads,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

use crate::{
    chosen::{READ, chosen, meta},
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRumTtfb",
    path: "/domains/{domain_id}/rum/ttfb",
    summary: "Time to First Byte and its parts",
    description: "Percentiles of the parts do not add up to that of the whole. `server_timing` is what the site's own server sends by \
                  `Server-Timing`.",
    ..READ
};

pub(crate) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumTtfbPublic> {
    let views = chosen(&asked, page, filters);
    Ok(RumTtfbPublic {
        percentile: "p75",
        report: causes.ttfb(&access, &views).await?,
        meta: meta(&access, &asked, &*reads).await?,
    })
}

/// Time to First Byte and its parts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumTtfb)]
pub(crate) struct RumTtfbPublic {
    /// Which percentile the figures are.
    #[schema(value_type = String)]
    percentile: &'static str,
    #[serde(flatten)]
    report: TtfbReport,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl Example for RumTtfbPublic {
    fn example() -> Self {
        Self {
            percentile: "p75",
            report: {
                let parts = TtfbParts {
                    ttfb_ms: Some(412.3),
                    waiting_ms: Some(12.0),
                    cache_ms: Some(4.0),
                    dns_ms: Some(21.0),
                    connection_ms: Some(96.0),
                    request_ms: Some(280.5),
                };
                TtfbReport {
                    sample_count: 4_690,
                    low_sample: false,
                    parts,
                    server_timing: vec![ServerTimingFigures {
                        name: "db".to_owned(),
                        avg_ms: Some(41.2),
                        p75_ms: Some(52.0),
                        pageviews: 4_102,
                    }],
                    redirected_pct: Some(6.3),
                    by_country: vec![TtfbPiece {
                        key: Some("DE".to_owned()),
                        pageviews: 4_690,
                        ttfb_ms: Some(412.3),
                    }],
                    by_protocol: vec![TtfbPiece {
                        key: Some("h2".to_owned()),
                        pageviews: 4_690,
                        ttfb_ms: Some(412.3),
                    }],
                    items: vec![TtfbDay {
                        date: Day(date!(2026 - 03 - 31)),
                        pageviews: 4_690,
                        parts,
                    }],
                }
            },
            meta: RumMeta::exact(),
        }
    }
}
