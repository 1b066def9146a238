//! The window of a read of views, as the answer shows it.

use pharos_domain::{
    identity::DomainAccess,
    store::StoreError,
    timestamp::Timestamp,
    window::{DataThrough, DateRange, Meta, ResolvedWindow},
};
use pharos_http::operation::Example;
use pharos_vitals::{overview::PercentileMethod, store::VitalsReads};
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
    access: &DomainAccess,
    asked: &ResolvedWindow,
    reads: &dyn VitalsReads,
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

    /// That of an answer about a window, whose percentiles were worked out so.
    pub(super) async fn read(
        access: &DomainAccess,
        asked: &ResolvedWindow,
        reads: &dyn VitalsReads,
        method: PercentileMethod,
    ) -> Result<Self, StoreError> {
        let through = data_through(access, asked, reads).await?;
        let meta = asked.meta(None, through.map(DataThrough::from));
        Ok(Self::new(meta, asked.window, method))
    }

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
