//! The values of alert metrics, read for many sites at once.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::sitemap::monitor::alert_metrics::{AtEnd, Rounds, SitemapMetricStore, Standing};
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::read_failure, names, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

/// Metrics in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSitemapMetricStore {
    database: Database,
}

impl PgSitemapMetricStore {
    /// The metrics of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct StandingRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_changed_at: Option<OffsetDateTime>,
    #[diesel(embed)]
    at_end: EndRow,
}

#[derive(QueryableByName)]
struct EndRow {
    #[diesel(sql_type = BigInt)]
    urls_total: i64,
    #[diesel(sql_type = BigInt)]
    files_failed: i64,
    #[diesel(sql_type = Integer)]
    errors: i32,
    #[diesel(sql_type = Nullable<BigInt>)]
    blocked: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    non_200: Option<i64>,
}

#[derive(QueryableByName)]
struct RoundsRow {
    #[diesel(sql_type = BigInt)]
    checks: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
    #[diesel(sql_type = BigInt)]
    removed: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    urls_total: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    files_failed: Option<i64>,
    #[diesel(sql_type = Nullable<Integer>)]
    errors: Option<i32>,
    #[diesel(sql_type = Nullable<BigInt>)]
    blocked: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    non_200: Option<i64>,
}

impl TryFrom<EndRow> for AtEnd {
    type Error = StoreError;

    fn try_from(row: EndRow) -> Result<Self, StoreError> {
        Ok(Self {
            urls_total: names::count(row.urls_total)?,
            files_failed: names::count(row.files_failed)?,
            errors: names::count(row.errors)?,
            blocked: row.blocked.map(names::count).transpose()?,
            non_200: row.non_200.map(names::count).transpose()?,
        })
    }
}

impl TryFrom<RoundsRow> for Rounds {
    type Error = StoreError;

    fn try_from(row: RoundsRow) -> Result<Self, StoreError> {
        let at_end = match (row.urls_total, row.files_failed, row.errors) {
            (Some(urls_total), Some(files_failed), Some(errors)) => Some(EndRow {
                urls_total,
                files_failed,
                errors,
                blocked: row.blocked,
                non_200: row.non_200,
            }),
            _ => None,
        };
        Ok(Self {
            checks: names::count(row.checks)?,
            added: names::count(row.added)?,
            removed: names::count(row.removed)?,
            at_end: at_end.map(AtEnd::try_from).transpose()?,
        })
    }
}

#[async_trait]
impl SitemapMetricStore for PgSitemapMetricStore {
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<StandingRow> = sql!("alert_metrics.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let read = |row: StandingRow| {
            let standing = Standing {
                at_end: row.at_end.try_into()?,
                last_changed_at: row.last_changed_at,
            };
            Ok((DomainId(row.domain_id), standing))
        };
        rows.into_iter().map(read).collect()
    }

    async fn rounds(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<Rounds>, StoreError> {
        let domains: Vec<Uuid> = asked.iter().map(|(domain, _)| domain.0).collect();
        let since: Vec<OffsetDateTime> = asked.iter().map(|(_, range)| range.from).collect();
        let until: Vec<OffsetDateTime> = asked.iter().map(|(_, range)| range.until).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<RoundsRow> = sql!("alert_rounds.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(since)
            .bind::<Array<Timestamptz>, _>(until)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        rows.into_iter().map(Rounds::try_from).collect()
    }
}
