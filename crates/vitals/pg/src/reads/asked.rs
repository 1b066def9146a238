//! The parameters that reads of views have in common.

use pharos_domain::{ids::DomainId, window::DateRange};
use pharos_vitals::overview::{PercentileMethod, ViewFilter};

/// The views that a read is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) domain: DomainId,
    pub(super) days: DateRange,
    pub(super) filter: &'a ViewFilter,
}

impl Asked<'_> {
    /// Whether closed days are read from roll-ups.
    pub(super) fn reads_rollups(self) -> bool {
        self.filter.method() == PercentileMethod::Histogram
    }
}

/// Binds them as `$1` to `$11`: the domain, from when, until when, then what views are filtered by.
macro_rules! bound {
    ($asked:expr, $statement:expr) => {{
        use diesel::sql_types;
        let $crate::reads::asked::Asked { domain, days, filter } = $asked;
        $statement
            .bind::<sql_types::Uuid, _>(domain.0)
            .bind::<sql_types::Timestamptz, _>(days.start())
            .bind::<sql_types::Timestamptz, _>(days.end())
            .bind::<sql_types::Nullable<sql_types::SmallInt>, _>(filter.device.map(|device| device as i16))
            .bind::<sql_types::Nullable<sql_types::SmallInt>, _>(
                filter.connection.map(|connection| connection as i16),
            )
            .bind::<sql_types::Nullable<sql_types::SmallInt>, _>(
                filter.navigation.map(|navigation| navigation as i16),
            )
            .bind::<sql_types::Nullable<sql_types::Text>, _>(filter.country.as_deref())
            .bind::<sql_types::Nullable<sql_types::Text>, _>(filter.browser.as_deref())
            .bind::<sql_types::Nullable<sql_types::Text>, _>(filter.os.as_deref())
            .bind::<sql_types::Nullable<sql_types::Text>, _>(filter.url_prefix.as_deref())
            .bind::<sql_types::Nullable<sql_types::Text>, _>(filter.url.as_deref())
    }};
}

pub(super) use bound;
