//! GET /domains/{domain_id}/analytics/funnel

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    funnel::{Funnel, FunnelQuery, FunnelStep, Reached, STEPS, StepKind},
    store::{PathStore, SiteStore},
};
use pharos_domain::{identity::DomainAccess, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    openapi::bounds::text,
    operation::{ApiResult, Example},
    schemas,
    spec::OperationSpec,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema, openapi::schema::ArrayBuilder};

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsFunnel",
    path: "/domains/{domain_id}/analytics/funnel",
    summary: "How many sessions take steps one after the other",
    description: "Steps are met in order inside one session, each by a view or event of its own after the one before; others may \
                  lie between. A session counts at each step that it meets, up to the first that it does not. Percentages are of \
                  sessions. `step` is repeated: `?step=page:/&step=page:/pricing&step=event:signup`.",
    ..READ
};

schemas! {
    /// The steps, in order.
    FunnelSteps = ArrayBuilder::new()
        .items(
            text()
                .pattern(Some("^(page:/[^\\x00-\\x1f\\x7f-\\x9f]*|event:[^\\x00-\\x1f\\x7f-\\x9f]+)$"))
                .description(Some(
                    "page: and a path, such as page:/pricing, or event: and a name, such as event:signup",
                )),
        )
        .min_items(Some(*STEPS.start()))
        .max_items(Some(*STEPS.end()));
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct FunnelParameters {
    /// A step: `page:` and the path of a page, or `event:` and the name of an event. 2 to 8 of them, in order: the parameter is
    /// repeated.
    #[param(inline, style = Form, explode, value_type = FunnelSteps)]
    step: Vec<FunnelStep>,
}

pub(super) async fn view(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<FunnelParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    paths: Port<dyn PathStore>,
) -> ApiResult<AnalyticsFunnelPublic> {
    let FunnelParameters { step: steps } = parameters;
    sites.view(&access).await?.ok_or_else(missing)?;
    let query = FunnelQuery {
        window: asked.window,
        filters: &Filters::from(filters),
        steps: &steps,
    };
    let found = paths.funnel(&access, &query).await?;
    Ok(AnalyticsFunnelPublic::new(
        &found,
        steps,
        meta(&asked, found.last_at),
    ))
}

/// How many sessions take steps one after the other.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsFunnel)]
pub(super) struct AnalyticsFunnelPublic {
    /// The steps, in order.
    steps: Vec<AnalyticsFunnelStepPublic>,
    /// The share of the sessions at the first step that met the last, in percent; null where none met the first.
    #[schema(required, minimum = 0, maximum = 100)]
    overall_conversion_pct: Option<f64>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl AnalyticsFunnelPublic {
    fn new(found: &Funnel, steps: Vec<FunnelStep>, meta: Meta) -> Self {
        let last = steps.len().saturating_sub(1);
        let steps = steps.into_iter().zip(&found.steps).zip(0..);
        Self {
            overall_conversion_pct: found.share_pct(0, last),
            steps: steps
                .map(
                    |((FunnelStep { kind, value }, reached), place)| AnalyticsFunnelStepPublic {
                        index: place,
                        kind,
                        value,
                        visitors: reached.visitors,
                        sessions: reached.sessions,
                        from_previous_pct: place
                            .checked_sub(1)
                            .and_then(|before| found.share_pct(before, place)),
                        from_start_pct: found.share_pct(0, place),
                        median_seconds_from_previous: reached.median_ms.map(|ms| ms / 1_000.0),
                    },
                )
                .collect(),
            meta,
        }
    }
}

/// A step of a funnel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsFunnelStep)]
pub(super) struct AnalyticsFunnelStepPublic {
    /// How many steps stand before it.
    #[schema(maximum = 7)]
    index: usize,
    /// Whether a page or an event meets it.
    kind: StepKind,
    /// The page's path, or the event's name.
    value: String,
    /// The distinct visitors of each UTC day whose sessions met it, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// How many sessions met it and all before it.
    #[schema(minimum = 0)]
    sessions: u64,
    /// The share of the sessions at the step before, in percent; null of the first step, and where none was at that.
    #[schema(required, minimum = 0, maximum = 100)]
    from_previous_pct: Option<f64>,
    /// The share of the sessions at the first step, in percent; null where there are none.
    #[schema(required, minimum = 0, maximum = 100)]
    from_start_pct: Option<f64>,
    /// The median of the time since the step before; null of the first step, and where no session met it.
    #[schema(required, minimum = 0)]
    median_seconds_from_previous: Option<f64>,
}

impl Example for AnalyticsFunnelPublic {
    fn example() -> Self {
        let step = |text: &str| text.parse::<FunnelStep>().ok();
        let reached = |sessions, visitors, median_ms| Reached {
            sessions,
            visitors,
            median_ms,
        };
        let steps = ["page:/", "page:/pricing", "event:signup"];
        let found = Funnel {
            steps: vec![
                reached(5_000, 4_620, None),
                reached(1_250, 1_190, Some(42_500.0)),
                reached(250, 248, Some(95_000.0)),
            ],
            last_at: None,
        };
        Self::new(
            &found,
            steps.into_iter().filter_map(step).collect(),
            Meta::example(),
        )
    }
}
