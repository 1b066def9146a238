//! Who is checked when.

mod complete;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::robots::monitor::{
    fetch::Validators,
    site::{GoodFetch, WatchedSite},
    store::{DueSite, FinishedCheck, RobotsSchedule, WatchHealth},
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::failure,
    jobs::backlog::Backlog,
    json::Json,
    names,
    pool::Database,
    set_aside, sql,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Sites that are due: of live domains.
pub const SITES: DueTable = due_table!(
    table: "robots_sites",
    key: "domain_id",
    due: "next_check_at",
    from: "robots_sites AS s",
    lane: "true",
    live: "EXISTS (SELECT FROM domains AS d WHERE d.id = s.domain_id AND d.deleted_at IS NULL)",
    columns: "claimed.domain_id, claimed.good_fetch, claimed.sitemaps_asked_at, claimed.interval_seconds, v.sha256, v.content IS NULL AS is_missing",
    joins: "LEFT JOIN robots_versions AS v ON v.id = claimed.version_id"
);
/// Sites have one lane.
const LANE: &str = "";

/// Counts the sites that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text SITES.backlog), LANE).await
}

/// The schedule of checks in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRobotsSchedule {
    database: Database,
    turns: Turns,
}

impl PgRobotsSchedule {
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
struct WatchedRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Nullable<Jsonb>)]
    good_fetch: Option<Json<GoodFetch>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    sitemaps_asked_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    sha256: Option<String>,
    #[diesel(sql_type = diesel::sql_types::Bool)]
    is_missing: bool,
}

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = BigInt)]
    watched: i64,
    #[diesel(sql_type = BigInt)]
    failing: i64,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(embed)]
    watched: WatchedRow,
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

impl From<WatchedRow> for WatchedSite {
    /// A fetch that this version can't read is as good as none: the file is asked for whole.
    fn from(row: WatchedRow) -> Self {
        let fetch = row.good_fetch.and_then(|fetch| {
            let read = fetch.read("the fetch of a robots.txt");
            let domain = row.domain_id;
            read.inspect_err(|error| tracing::error!(%domain, %error, "the last fetch can't be read"))
                .ok()
        });
        Self {
            domain: DomainId(row.domain_id),
            validators: fetch.filter(|_| !row.is_missing).map(|fetch| Validators {
                final_url: fetch.final_url,
                headers: fetch.headers,
            }),
            sha256: row.sha256,
            sitemaps_asked_at: row.sitemaps_asked_at,
        }
    }
}

impl From<DueRow> for DueSite {
    fn from(
        DueRow {
            watched,
            interval_seconds,
            claimed,
        }: DueRow,
    ) -> Self {
        Self {
            site: watched.into(),
            due_in: claimed.due_in(),
            interval: Duration::seconds(interval_seconds.into()),
            leased_until: claimed.leased_until,
            address: None,
        }
    }
}

#[async_trait]
impl RobotsSchedule for PgRobotsSchedule {
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
            tracing::warn!(strays, "checks of robots.txt lay too far ahead; they are due now");
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
        let claimed = claimed.iter().map(|due| (due.site.domain.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text SITES.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn watched(&self, domain: DomainId) -> Result<Option<WatchedSite>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("watched.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<WatchedRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(WatchedSite::from))
    }

    async fn watch_health(&self) -> Result<WatchHealth, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: HealthRow = sql!("health.sql")
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(WatchHealth {
            watched: names::count(row.watched)?,
            failing: names::count(row.failing)?,
            overdue: names::count(row.overdue)?,
        })
    }

    async fn complete(&self, finished: &[FinishedCheck]) -> Result<usize, StoreError> {
        if finished.is_empty() {
            return Ok(0);
        }
        let said = set_aside::write(&mut complete::Finished(&self.database), finished).await?;
        Ok(said.len())
    }
}
