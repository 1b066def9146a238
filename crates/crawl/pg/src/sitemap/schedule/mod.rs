//! Who is checked when.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::sitemap::monitor::store::{CheckedSite, DueSite, SitemapSchedule, WatchHealth};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::failure,
    jobs::backlog::Backlog,
    names,
    pool::Database,
    sql,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Sites that are due: of live domains.
pub const SITES: DueTable = due_table!(
    table: "sitemap_sites",
    key: "domain_id",
    due: "next_check_at",
    from: "sitemap_sites AS s",
    lane: "true",
    live: "EXISTS (SELECT FROM domains AS d WHERE d.id = s.domain_id AND d.deleted_at IS NULL)",
    columns: "claimed.domain_id, claimed.interval_seconds",
    joins: ""
);
/// Sites have one lane.
const LANE: &str = "";

/// Counts the sites that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text SITES.backlog), LANE).await
}

/// The schedule of checks in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSitemapSchedule {
    database: Database,
    turns: Turns,
}

impl PgSitemapSchedule {
    /// The schedule of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = BigInt)]
    watched: i64,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
    #[diesel(sql_type = BigInt)]
    files: i64,
    #[diesel(sql_type = BigInt)]
    failing: i64,
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Integer)]
    interval_seconds: i32,
    #[diesel(embed)]
    claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl From<DueRow> for DueSite {
    fn from(
        DueRow {
            domain_id,
            interval_seconds,
            claimed,
        }: DueRow,
    ) -> Self {
        Self {
            domain: DomainId(domain_id),
            due_in: claimed.due_in(),
            interval: Duration::seconds(interval_seconds.into()),
            leased_until: claimed.leased_until,
            address: None,
        }
    }
}

#[async_trait]
impl SitemapSchedule for PgSitemapSchedule {
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("enrol.sql")
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
            .bind::<Timestamptz, _>(now);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let strays = sql!("bring_back.sql")
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(strays, "checks of sitemaps lay too far ahead; they are due now");
        }
        Ok(())
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let rows: Vec<DueRow> = due::claim(&mut connection, sql!(text SITES.claim), LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(DueSite::from).collect())
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text SITES.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.domain.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text SITES.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn watch_health(&self) -> Result<WatchHealth, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: HealthRow = sql!("health.sql")
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(WatchHealth {
            watched: names::count(row.watched)?,
            files: names::count(row.files)?,
            failing: names::count(row.failing)?,
            overdue: names::count(row.overdue)?,
        })
    }

    async fn settle(&self, checked: &[CheckedSite]) -> Result<(), StoreError> {
        let domains: Vec<Uuid> = checked.iter().map(|site| site.domain.0).collect();
        let leases: Vec<OffsetDateTime> = checked.iter().map(|site| site.leased_until).collect();
        let next: Vec<OffsetDateTime> = checked.iter().map(|site| site.next_check_at).collect();
        let mut connection = self.database.claiming().await?;
        let query = sql!("settle.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(leases)
            .bind::<Array<Timestamptz>, _>(next);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}
