//! The parts that reads of chosen views share.

use pharos_domain::{
    identity::DomainAccess, module::Module, scope::Scope, store::StoreError, window::ResolvedWindow,
};
use pharos_http::{
    operation::Example,
    spec::{Bucket, Credits, OperationSpec, Paging, Window},
};
use pharos_vitals::{
    chosen::{ChosenViews, Ranked},
    overview::PercentileMethod,
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

/// The base of the reads of views.
pub(crate) const READ: OperationSpec = OperationSpec {
    module: Module::Rum,
    scope: Some(Scope::ReadRum),
    bucket: Bucket::HeavyQuery,
    rum_read: Some(20),
    credits: Credits::Heavy,
    cache_seconds: 300,
    window: Window::Dates,
    ..OperationSpec::GET
};

/// The base of those that answer a list.
pub(crate) const LIST: OperationSpec = OperationSpec {
    paging: Paging::Single,
    ..READ
};

/// The views that a caller asks for.
pub(crate) fn chosen(asked: &ResolvedWindow, page: PageFilter, filters: ViewFilters) -> ChosenViews {
    ChosenViews {
        days: asked.window,
        filter: page.and(filters),
    }
}

/// The window of an answer whose percentiles are exact.
pub(crate) async fn meta(
    access: &DomainAccess,
    asked: &ResolvedWindow,
    reads: &dyn VitalsReads,
) -> Result<RumMeta, StoreError> {
    RumMeta::read(access, asked, reads, PercentileMethod::Exact).await
}

/// The members of a list beside its page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RankedRoot {
    /// How many rows there are in all; left out where there are more than the list has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    total: Option<u64>,
    /// Whether there are more than the 1,000 of the list.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl RankedRoot {
    pub(crate) fn new<T>(ranked: &Ranked<T>, meta: RumMeta) -> Self {
        Self {
            total: ranked.total(),
            truncated: ranked.is_truncated,
            meta,
        }
    }
}

impl Example for RankedRoot {
    fn example() -> Self {
        Self {
            total: Some(1),
            truncated: false,
            meta: RumMeta::exact(),
        }
    }
}
