//! The values of alert metrics, read for many sites at once.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::{
    robots::{
        issue::{IssueCode, IssueSeverity},
        monitor::{
            alert_metrics::{Past, RobotsMetricStore, Standing},
            site::IssueCounts,
        },
    },
    sitemap::monitor::site::ConflictState,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::read_failure, json::Json, names, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::row::ISSUES;

/// Metrics in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRobotsMetricStore {
    database: Database,
}

impl PgRobotsMetricStore {
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
    #[diesel(sql_type = Bool)]
    blocks_all: bool,
    #[diesel(sql_type = Bool)]
    blocks_googlebot: bool,
    #[diesel(sql_type = Integer)]
    failures: i32,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Jsonb)]
    issue_counts: Json<IssueCounts>,
    #[diesel(sql_type = Integer)]
    failing_test_urls: i32,
    #[diesel(sql_type = Nullable<Integer>)]
    size_bytes: Option<i32>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    conflicts: Option<Json<ConflictState>>,
}

impl TryFrom<StandingRow> for Standing {
    type Error = StoreError;

    fn try_from(row: StandingRow) -> Result<Self, StoreError> {
        let conflicts = row
            .conflicts
            .map(|state| state.read("what robots.txt blocks of a sitemap"));
        Ok(Self {
            blocks_all: row.blocks_all,
            blocks_googlebot: row.blocks_googlebot,
            failures: names::count(row.failures)?,
            status_code: row.status_code.map(names::count).transpose()?,
            errors: row.issue_counts.read(ISSUES)?.error,
            failing_test_urls: names::count(row.failing_test_urls)?,
            sitemap_conflicts: conflicts.transpose()?.map(|state| state.of_googlebot()),
            size_bytes: row.size_bytes.map(names::count).transpose()?,
        })
    }
}

#[derive(QueryableByName)]
struct PastRow {
    #[diesel(sql_type = Nullable<BigInt>)]
    errors: Option<i64>,
    #[diesel(sql_type = Nullable<Integer>)]
    size_bytes: Option<i32>,
    #[diesel(sql_type = Nullable<BigInt>)]
    blocked: Option<i64>,
}

impl TryFrom<PastRow> for Past {
    type Error = StoreError;

    fn try_from(row: PastRow) -> Result<Self, StoreError> {
        Ok(Self {
            errors: row.errors.map(names::count).transpose()?,
            sitemap_conflicts: row.blocked.map(names::count).transpose()?,
            size_bytes: row.size_bytes.map(names::count).transpose()?,
        })
    }
}

#[async_trait]
impl RobotsMetricStore for PgRobotsMetricStore {
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<StandingRow> = sql!("alert_metrics.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let mut standing = HashMap::with_capacity(rows.len());
        for row in rows {
            let domain = DomainId(row.domain_id);
            match Standing::try_from(row) {
                Ok(known) => {
                    standing.insert(domain, known);
                }
                // The rules of the others are evaluated.
                Err(error) => tracing::error!(%domain, %error, "a robots.txt can't be read for alert rules"),
            }
        }
        Ok(standing)
    }

    async fn past(&self, asked: &[(DomainId, OffsetDateTime)]) -> Result<Vec<Past>, StoreError> {
        let (domains, moments): (Vec<Uuid>, Vec<OffsetDateTime>) =
            asked.iter().map(|(domain, at)| (domain.0, *at)).unzip();
        let of_errors = IssueCode::ALL
            .iter()
            .filter(|code| code.severity() == IssueSeverity::Error);
        let of_errors: Vec<&str> = of_errors.map(|code| code.name()).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<PastRow> = sql!("alert_past.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(moments)
            .bind::<Array<Text>, _>(of_errors)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        rows.into_iter().map(Past::try_from).collect()
    }
}
