//! The rows of roll-ups, read and written alike; texts are borrowed on their way into the tables.

use std::borrow::Cow;

use diesel::prelude::{Insertable, QueryableByName};
use time::OffsetDateTime;

use super::sums::Sums;
use crate::schema::{uptime_distributions, uptime_rollups};

/// A roll-up of a region, without its histograms.
#[derive(Insertable, QueryableByName)]
#[diesel(table_name = uptime_rollups)]
pub(crate) struct AggregateRow<'a> {
    pub(crate) grain: Cow<'a, str>,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) region: Cow<'a, str>,
    #[diesel(embed)]
    pub(crate) sums: Sums,
}

/// How often a region measured which time.
#[derive(Insertable, QueryableByName)]
#[diesel(table_name = uptime_distributions)]
pub(crate) struct HistogramRow<'a> {
    pub(crate) grain: Cow<'a, str>,
    pub(crate) measure: Cow<'a, str>,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) region: Cow<'a, str>,
    pub(crate) times: Vec<u8>,
}
