//! GET /domains/{domain_id}/rum/errors/{error_id}

use pharos_domain::{day::Day, identity::DomainAccess, problem::Suffix};
use pharos_http::{
    extract::{path::PathId, port::Port, window::FixedWindow},
    operation::{ApiResult, Example},
    problem::out_of_reach,
    spec::{OperationSpec, Window},
};
use pharos_vitals::{
    errors::{ErrorDay, ErrorDetail, ErrorPiece, Frame, VitalsErrors},
    source_maps::{SourceMapStore, resolved},
    store::VitalsReads,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    chosen::{READ, chosen, meta},
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRumError",
    path: "/domains/{domain_id}/rum/errors/{error_id}",
    summary: "A group of errors in depth",
    description: "Figures are those of the last 30 days, today included; `first_seen_at` and `last_seen_at` are those of its \
                  lifetime. The stack is that of the first error of the group, redacted, and `frames` are read out of it as \
                  Chromium, Firefox and Safari write them. Where there is a source map of a frame's script, file, line and \
                  column are those of the source, and the function is called as its caller calls it.",
    window: Window::Fixed,
    problems: &[Suffix::RumErrorNotFound],
    ..READ
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<Uuid>,
    FixedWindow(asked): FixedWindow<30>,
    errors: Port<dyn VitalsErrors>,
    maps: Port<dyn SourceMapStore>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumErrorDetailPublic> {
    let views = chosen(&asked, PageFilter::default(), ViewFilters::default());
    let found = errors.view(&access, id, &views).await?;
    let missing = || out_of_reach(Suffix::RumErrorNotFound, "group of errors", id);
    let mut detail = found.ok_or_else(missing)?;
    let first_seen_at = detail.kind.first_seen_at.moment();
    detail.frames = resolved(detail.frames, &access, first_seen_at, &*maps).await?;
    Ok(RumErrorDetailPublic {
        detail,
        meta: meta(&access, &asked, &*reads).await?,
    })
}

/// A group of errors in depth.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumErrorDetail)]
pub(crate) struct RumErrorDetailPublic {
    #[serde(flatten)]
    detail: ErrorDetail,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl Example for RumErrorDetailPublic {
    fn example() -> Self {
        let piece = |key: &str| {
            vec![ErrorPiece {
                key: Some(key.to_owned()),
                occurrences: 93,
                affected_views: 61,
                share_pct: Some(100.0),
            }]
        };
        let stack = "TypeError: Cannot read properties of undefined (reading 'price')\n    \
                     at total (https://shop.example/assets/cart.js:14:27)";
        Self {
            detail: ErrorDetail {
                kind: super::example(),
                stack: Some(stack.to_owned()),
                frames: vec![Frame {
                    function: Some("total".to_owned()),
                    filename: Some("https://shop.example/assets/cart.js".to_owned()),
                    line: Some(14),
                    column: Some(27),
                    in_app: true,
                }],
                by_browser: piece("Chrome"),
                by_os: piece("Android"),
                by_url: piece("https://shop.example/cart"),
                by_country: piece("DE"),
                causes: Vec::new(),
                timeline: vec![ErrorDay {
                    date: Day(date!(2026 - 03 - 31)),
                    occurrences: 53,
                    affected_views: 40,
                }],
            },
            meta: RumMeta::exact(),
        }
    }
}
