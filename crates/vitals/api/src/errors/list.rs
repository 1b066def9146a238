//! GET /domains/{domain_id}/rum/errors

use pharos_domain::{collect::view::ErrorSource, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    errors::{ErrorKind, ErrorQuery, ErrorSort, ErrorTotals, Handling, VitalsErrors},
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
    id: "listRumErrors",
    path: "/domains/{domain_id}/rum/errors",
    summary: "Errors of scripts, by kind",
    description: "Errors of one normalised message and one top frame are a group; numbers do not tell messages apart. A site has at \
                  most 5,000 new groups a UTC day: what comes beyond that is one group, `(other)`. A view has at most 20 errors: the \
                  script tells ten that were thrown or that the page told, and ten of other sources. `totals` are of all groups \
                  that fit, also where the list is cut.",
    // Not one of the reads that have a limit of their own.
    rum_read: None,
    ..LIST
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct ErrorsParameters {
    /// Whether the page caught them itself; left out: both.
    #[param(inline)]
    handling: Option<Handling>,
    /// The source that told of them; left out: any.
    #[param(inline)]
    source: Option<ErrorSource>,
    /// By what groups are ordered, the most or the latest first; left out: occurrences.
    #[param(inline, value_type = Option<ErrorSort>)]
    sort: ErrorSort,
}

impl Default for ErrorsParameters {
    fn default() -> Self {
        Self {
            handling: None,
            source: None,
            sort: ErrorSort::Occurrences,
        }
    }
}

pub(crate) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<ErrorsParameters>,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    errors: Port<dyn VitalsErrors>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumErrorPublic, ErrorsRoot>> {
    let query = ErrorQuery {
        views: chosen(&asked, page, filters),
        handling: parameters.handling,
        source: parameters.source,
        sort: parameters.sort,
    };
    let found = errors.list(&access, &query).await?;
    let root = ErrorsRoot {
        totals: found.totals,
        total: found.kinds.total(),
        truncated: found.kinds.is_truncated,
        meta: meta(&access, &asked, &*reads).await?,
    };
    let items = found.kinds.rows.into_iter().map(RumErrorPublic::from);
    Ok(Page::single(items.collect()).with(root))
}

/// A group of errors.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumError)]
pub(crate) struct RumErrorPublic {
    #[serde(flatten)]
    row: ErrorKind,
}

impl From<ErrorKind> for RumErrorPublic {
    fn from(row: ErrorKind) -> Self {
        Self { row }
    }
}

impl Example for RumErrorPublic {
    fn example() -> Self {
        Self {
            row: super::example(),
        }
    }
}

/// The members of the list beside its page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorsRoot {
    /// All groups that fit, together.
    totals: ErrorTotals,
    /// How many rows there are in all; left out where there are more than the list has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    total: Option<u64>,
    /// Whether there are more than the 1,000 of the list.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl Example for ErrorsRoot {
    fn example() -> Self {
        Self {
            totals: ErrorTotals {
                occurrences: 93,
                affected_views: 61,
                error_rate_pct: Some(1.27),
                groups: 1,
            },
            total: Some(1),
            truncated: false,
            meta: RumMeta::exact(),
        }
    }
}
