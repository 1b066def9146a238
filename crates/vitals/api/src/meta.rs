//! The window of a read of views, as the answer shows it.

use pharos_domain::{
    identity::DomainAccess,
    store::StoreError,
    timestamp::Timestamp,
    window::{DateRange, Meta, ResolvedWindow},
};
use pharos_http::{extract::port::Port, operation::Example};
use pharos_vitals::overview::PercentileMethod;
use pharos_vitals::store::VitalsReads;
use serde::Serialize;
use time::{OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

/// The window of an answer, and how its percentiles were worked out.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumMeta)]
pub(super) struct RumMeta {
    #[serde(flatten)]
    meta: Meta,
    /// The moment at which the window stops, exclusive.
    window_end: Timestamp,
    /// How percentiles were worked out: from every value (`exact`, by linear interpolation), or from counts of values
    /// (`histogram`, within 1 %).
    percentile_method: PercentileMethod,
}

/// Up to when the data of a window is complete; `None` where nothing was ever received.
pub(super) async fn data_through(
    reads: &Port<dyn VitalsReads>,
    access: &DomainAccess,
    asked: &ResolvedWindow,
) -> Result<Option<OffsetDateTime>, StoreError> {
    let received = reads.received(access, asked.horizon.now).await?;
    Ok(received.map(|received| received.last_at.min(asked.window.end())))
}

impl RumMeta {
    pub(super) fn new(meta: Meta, window: DateRange, method: PercentileMethod) -> Self {
        Self {
            meta,
            window_end: window.end().into(),
            percentile_method: method,
        }
    }
}

impl RumMeta {
    /// That of an example whose percentiles are exact.
    pub(super) fn exact() -> Self {
        Self {
            percentile_method: PercentileMethod::Exact,
            ..Self::example()
        }
    }
}

impl Example for RumMeta {
    fn example() -> Self {
        Self::example_of(PercentileMethod::Histogram)
    }
}

impl RumMeta {
    /// An example whose percentiles were worked out so.
    pub(super) fn example_of(percentile_method: PercentileMethod) -> Self {
        Self {
            meta: Meta::example(),
            window_end: datetime!(2026-04-01 00:00 UTC).into(),
            percentile_method,
        }
    }
}
