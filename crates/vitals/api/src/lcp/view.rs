//! GET /domains/{domain_id}/rum/lcp

use pharos_domain::{day::Day, identity::DomainAccess};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        lcp::{LcpDay, LcpDevice, LcpMeans, LcpParts, LcpReport, LcpShares, LcpType, PaintKind},
    },
    chosen::DeviceName,
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
    id: "getRumLcp",
    path: "/domains/{domain_id}/rum/lcp",
    summary: "Largest Contentful Paint and its parts",
    description: "Percentiles of the parts do not add up to that of the whole; means (`mean_*`) do, and `*_share_pct` are theirs. Parts of a \
                  resource are null, and in means 0, where the paint has none. Only views whose browser tells of paints count.",
    ..READ
};

pub(crate) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumLcpPublic> {
    let views = chosen(&asked, page, filters);
    Ok(RumLcpPublic {
        percentile: "p75",
        report: causes.lcp(&access, &views).await?,
        meta: meta(&access, &asked, &*reads).await?,
    })
}

/// Largest Contentful Paint and its parts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumLcp)]
pub(crate) struct RumLcpPublic {
    /// Which percentile the figures are.
    #[schema(value_type = String)]
    percentile: &'static str,
    #[serde(flatten)]
    report: LcpReport,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl RumLcpPublic {
    /// The figures alone.
    pub(crate) fn into_report(self) -> LcpReport {
        self.report
    }
}

impl Example for RumLcpPublic {
    fn example() -> Self {
        Self {
            percentile: "p75",
            report: {
                let parts = LcpParts {
                    lcp_ms: Some(2_310.4),
                    ttfb_ms: Some(412.3),
                    resource_load_delay_ms: Some(620.0),
                    resource_load_duration_ms: Some(810.5),
                    element_render_delay_ms: Some(240.1),
                };
                LcpReport {
                    sample_count: 4_690,
                    low_sample: false,
                    parts,
                    means: LcpMeans {
                        mean_ttfb_ms: Some(400.0),
                        mean_resource_load_delay_ms: Some(600.0),
                        mean_resource_load_duration_ms: Some(800.0),
                        mean_element_render_delay_ms: Some(200.0),
                    },
                    shares: LcpShares {
                        ttfb_share_pct: Some(20.0),
                        resource_load_delay_share_pct: Some(30.0),
                        resource_load_duration_share_pct: Some(40.0),
                        element_render_delay_share_pct: Some(10.0),
                    },
                    resource_types: vec![LcpType {
                        kind: PaintKind::Image,
                        pageviews: 4_690,
                        share_pct: Some(100.0),
                        lcp_ms: Some(2_310.4),
                    }],
                    by_device: vec![LcpDevice {
                        device: DeviceName::Mobile,
                        pageviews: 4_690,
                        parts,
                    }],
                    fetch_priority_high_pct: Some(82.4),
                    lazy_loaded_pct: Some(3.1),
                    preload_pct: Some(40.0),
                    items: vec![LcpDay {
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
