//! The last ten days by hour.

use async_trait::async_trait;
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::failure, names, pool::Database};
use pharos_search::gsc::{
    figures::{Figures, SearchType},
    hours::HourStore,
};
use time::OffsetDateTime;

use crate::schema::search_hours;

/// Hours in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgHourStore {
    database: Database,
}

impl PgHourStore {
    /// The hours of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl HourStore for PgHourStore {
    async fn hours(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        range: TimeRange,
    ) -> Result<Vec<(OffsetDateTime, Figures)>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(OffsetDateTime, i64, i64, f64)> = search_hours::table
            .filter(search_hours::domain_id.eq(domain.id().0))
            .filter(search_hours::search_type.eq(search_type.code()))
            .filter(search_hours::hour.ge(range.from))
            .filter(search_hours::hour.lt(range.until))
            .order(search_hours::hour)
            .select((
                search_hours::hour,
                search_hours::clicks,
                search_hours::impressions,
                search_hours::position_sum,
            ))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        rows.into_iter()
            .map(|(hour, clicks, impressions, position_sum)| {
                let figures = Figures {
                    clicks: names::count(clicks)?,
                    impressions: names::count(impressions)?,
                    position_sum,
                };
                Ok((hour, figures))
            })
            .collect()
    }
}
