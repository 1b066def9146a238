//! The values of alert metrics, read for many domains at once.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_search::indexing::{alert_metrics::IndexingMetricStore, store::reads::DayStanding};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{PgIndexing, row::DayRow};

#[derive(QueryableByName)]
struct LeftRow {
    #[diesel(sql_type = BigInt)]
    urls: i64,
}

#[async_trait]
impl IndexingMetricStore for PgIndexing {
    async fn days(
        &self,
        domains: &[DomainId],
        since: Date,
    ) -> Result<HashMap<DomainId, BTreeMap<Date, DayStanding>>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<DayRow> = sql!("metric_days.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<SqlDate, _>(since)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let mut days: HashMap<DomainId, BTreeMap<Date, DayStanding>> = HashMap::new();
        for row in rows {
            let (domain, day) = (DomainId(row.domain_id), row.day);
            match DayStanding::try_from(row) {
                Ok(standing) => {
                    days.entry(domain).or_default().insert(day, standing);
                }
                // The rules of the others are evaluated.
                Err(error) => {
                    tracing::error!(%domain, %error, "a day of inspections can't be read for alert rules")
                }
            }
        }
        Ok(days)
    }

    async fn deindexed(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<u64>, StoreError> {
        let mut columns: (Vec<Uuid>, Vec<OffsetDateTime>, Vec<OffsetDateTime>) = Default::default();
        for (domain, range) in asked {
            columns.0.push(domain.0);
            columns.1.push(range.from);
            columns.2.push(range.until);
        }
        let (domains, from, until) = columns;
        let mut connection = self.database.connection().await?;
        let rows: Vec<LeftRow> = sql!("metric_left.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(from)
            .bind::<Array<Timestamptz>, _>(until)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        rows.into_iter().map(|row| count(row.urls)).collect()
    }
}
