//! How often domains are checked.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    sql_types::{Integer, Nullable, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_crawl::intervals::{Interval, IntervalStore, Intervals};
use pharos_domain::{
    audit::Actor,
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, WorkspaceId},
    module::Module,
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    metering::charged::charged,
    pool::Database,
    schema::domains,
    sql,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// The intervals of domains, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgIntervals {
    database: Database,
}

impl PgIntervals {
    /// The intervals of the domains of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct IntervalsRow {
    #[diesel(sql_type = Nullable<Integer>)]
    robots: Option<i32>,
    #[diesel(sql_type = Nullable<Integer>)]
    sitemaps: Option<i32>,
}

impl TryFrom<IntervalsRow> for Intervals {
    type Error = StoreError;

    fn try_from(row: IntervalsRow) -> Result<Self, StoreError> {
        let defaults = Self::default();
        let robots = row.robots.map_or(Some(defaults.robots()), interval);
        let sitemaps = row.sitemaps.map_or(Some(defaults.sitemaps()), interval);
        let intervals = robots
            .zip(sitemaps)
            .and_then(|(robots, sitemaps)| Self::new(robots, sitemaps));
        intervals.ok_or_else(|| {
            StoreError::Corrupt("the intervals of a domain are none that it may have".to_owned())
        })
    }
}

fn interval(seconds: i32) -> Option<Interval> {
    Interval::of(Duration::seconds(seconds.into()))
}

/// An interval as its column has it.
fn seconds(interval: Interval) -> i32 {
    i32::try_from(interval.length().whole_seconds()).unwrap_or(i32::MAX)
}

/// The rows are locked in the order in which a check of a robots.txt locks them.
async fn set(connection: &mut AsyncPgConnection, domain: DomainId, intervals: Intervals) -> QueryResult<()> {
    let robots = sql!("set_robots.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Integer, _>(seconds(intervals.robots()));
    robots.execute(connection).await?;
    let sitemaps = sql!("set_sitemaps.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Integer, _>(seconds(intervals.sitemaps()));
    sitemaps.execute(connection).await?;
    Ok(())
}

async fn set_charged(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    intervals: Intervals,
) -> Result<(), Abort<SettleError>> {
    set(connection, domain, intervals).await?;
    Ok(())
}

#[async_trait]
impl IntervalStore for PgIntervals {
    async fn of(&self, domain: DomainId) -> Result<Option<Intervals>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("of.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<IntervalsRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Intervals::try_from).transpose()
    }

    async fn set(&self, domain: &Charged<DomainAccess>, intervals: Intervals) -> Result<(), SettleError> {
        charged(&self.database, domain.slip(), None, async |connection| {
            set_charged(connection, domain.id(), intervals).await
        })
        .await
    }

    async fn set_for(
        &self,
        domain: DomainId,
        intervals: Intervals,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let found: Option<(Uuid, String)> = domains::table
                    .find(domain.0)
                    .filter(domains::deleted_at.is_null())
                    .select((domains::workspace_id, domains::hostname))
                    .first(connection)
                    .await
                    .optional()?;
                let Some((workspace, hostname)) = found else {
                    return Ok(false);
                };
                set(connection, domain, intervals).await?;
                let details = json!({
                    "workspace_id": WorkspaceId(workspace),
                    "domain": hostname,
                    "module": Module::Robots,
                    "robots_interval": intervals.robots(),
                    "sitemap_interval": intervals.sitemaps(),
                });
                audit::record(connection, By { actor, now }, "domain.configure", domain, details).await?;
                Ok(true)
            })
            .await
            .map_err(Abort::answer)
    }
}
