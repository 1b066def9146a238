//! GET /domains/{domain_id}/rum/long-tasks

use pharos_domain::{
    collect::view::{FrameKind, InvokerType},
    identity::DomainAccess,
    page::Page,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    loads::{
        VitalsLoads,
        long_tasks::{LongTaskFigures, LongTaskGrouping, LongTaskTotals},
    },
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::{LIST, chosen, meta},
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listRumLongTasks",
    path: "/domains/{domain_id}/rum/long-tasks",
    summary: "Long tasks and long animation frames, by page or script",
    description: "Only Chromium tells of them: `supported_views_pct` is the share of views whose browser does, and \
                  other figures are of those views. The script tells 20 of a view, and of a frame the 3 scripts that \
                  ran longest.",
    ..LIST
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct LongTasksParameters {
    /// Whether long tasks of one row have the page or the script in common; left out: the page.
    #[param(inline, value_type = Option<LongTaskGrouping>)]
    group_by: LongTaskGrouping,
}

impl Default for LongTasksParameters {
    fn default() -> Self {
        Self {
            group_by: LongTaskGrouping::Page,
        }
    }
}

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<LongTasksParameters>,
    Query(filters): Query<ViewFilters>,
    loads: Port<dyn VitalsLoads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumLongTaskPublic, LongTasksRoot>> {
    let views = chosen(&asked, PageFilter::default(), filters);
    let found = loads.long_tasks(&access, &views, parameters.group_by).await?;
    let LongTaskTotals {
        avg_blocking_ms_per_view,
        views_with_any_pct,
        supported_views_pct,
    } = found.totals;
    let root = LongTasksRoot {
        avg_blocking_ms_per_view,
        views_with_any_pct,
        supported_views_pct,
        total: found.rows.total(),
        truncated: found.rows.is_truncated,
        meta: meta(&access, &asked, &*reads).await?,
    };
    let items = found.rows.rows.into_iter().map(|row| RumLongTaskPublic { row });
    Ok(Page::single(items.collect()).with(root))
}

/// Long tasks of one page or script.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumLongTask)]
pub(crate) struct RumLongTaskPublic {
    #[serde(flatten)]
    row: LongTaskFigures,
}

impl Example for RumLongTaskPublic {
    fn example() -> Self {
        Self {
            row: LongTaskFigures {
                key: Some("https://shop.example/".to_owned()),
                entry_type: FrameKind::LongAnimationFrame,
                count: 3_120,
                views_affected: 1_802,
                low_sample: false,
                total_duration_ms: Some(402_480.0),
                total_blocking_ms: Some(210_144.5),
                p75_duration_ms: Some(148.0),
                avg_style_layout_ms: Some(12.4),
                avg_forced_layout_ms: Some(3.1),
                top_invoker_type: Some(InvokerType::ClassicScript),
                is_third_party: false,
            },
        }
    }
}

/// The members of the list beside its page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LongTasksRoot {
    /// For how long an interaction would have had to wait in a view, on the mean; null where no browser tells.
    #[schema(required, minimum = 0)]
    avg_blocking_ms_per_view: Option<f64>,
    /// The share of views with a long task, among those whose browser tells; null where none does.
    #[schema(required, minimum = 0, maximum = 100)]
    views_with_any_pct: Option<f64>,
    /// The share of views whose browser tells; null without a view.
    #[schema(required, minimum = 0, maximum = 100)]
    supported_views_pct: Option<f64>,
    /// How many rows there are in all; left out where there are more than the list has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    total: Option<u64>,
    /// Whether there are more than the 1,000 of the list.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl Example for LongTasksRoot {
    fn example() -> Self {
        Self {
            avg_blocking_ms_per_view: Some(52.8),
            views_with_any_pct: Some(45.22),
            supported_views_pct: Some(82.83),
            total: Some(1),
            truncated: false,
            meta: RumMeta::exact(),
        }
    }
}
