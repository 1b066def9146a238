//! GET /domains/{domain_id}/rum/inp

use pharos_domain::{
    collect::view::{Interaction, LoadState},
    day::Day,
    identity::DomainAccess,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    causes::{
        VitalsCauses,
        inp::{InpDay, InpLoadState, InpPhases, InpReport, InpShares, InpType, InpWork},
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
    id: "getRumInp",
    path: "/domains/{domain_id}/rum/inp",
    summary: "Interaction to Next Paint and its phases",
    description: "One interaction a view counts, its slowest. Percentiles of the phases do not add up to that of the \
                  whole; `*_share_pct` are shares of the sum of means. Chromium alone tells how the browser spent \
                  them.",
    ..READ
};

pub(crate) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    causes: Port<dyn VitalsCauses>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumInpPublic> {
    let views = chosen(&asked, page, filters);
    Ok(RumInpPublic {
        percentile: "p75",
        report: causes.inp(&access, &views).await?,
        meta: meta(&access, &asked, &*reads).await?,
    })
}

/// Interaction to Next Paint and its phases.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumInp)]
pub(crate) struct RumInpPublic {
    /// Which percentile the figures are.
    #[schema(value_type = String)]
    percentile: &'static str,
    #[serde(flatten)]
    report: InpReport,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl RumInpPublic {
    /// The figures alone.
    pub(crate) fn into_report(self) -> InpReport {
        self.report
    }
}

impl Example for RumInpPublic {
    fn example() -> Self {
        Self {
            percentile: "p75",
            report: {
                let phases = InpPhases {
                    inp_ms: Some(168.0),
                    input_delay_ms: Some(14.0),
                    processing_duration_ms: Some(96.0),
                    presentation_delay_ms: Some(58.0),
                };
                InpReport {
                    sample_count: 1_904,
                    low_sample: false,
                    phases,
                    shares: InpShares {
                        input_delay_share_pct: Some(9.1),
                        processing_duration_share_pct: Some(56.4),
                        presentation_delay_share_pct: Some(34.5),
                    },
                    work: InpWork {
                        script_duration_ms: Some(88.0),
                        style_layout_duration_ms: Some(21.0),
                        paint_duration_ms: Some(12.0),
                        unattributed_duration_ms: Some(9.0),
                    },
                    interacted_views_pct: Some(39.57),
                    by_interaction_type: vec![InpType {
                        interaction_type: Interaction::Pointer,
                        interactions: 1_904,
                        share_pct: Some(100.0),
                        inp_ms: Some(168.0),
                    }],
                    by_load_state: vec![InpLoadState {
                        load_state: LoadState::Complete,
                        interactions: 1_904,
                        inp_ms: Some(168.0),
                    }],
                    items: vec![InpDay {
                        date: Day(date!(2026 - 03 - 31)),
                        interactions: 1_904,
                        phases,
                    }],
                }
            },
            meta: RumMeta::exact(),
        }
    }
}
