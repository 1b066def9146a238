//! Visits of two sites, by a fixed seed: one of them has a tenth of the other's.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Bool, Double, Integer, Jsonb, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_analytics::settings::AnalyticsSettings;
use pharos_domain::{ids::DomainId, window::DateRange};
use pharos_persistence::pool::Database;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::interrupt;

/// How many times more sessions the larger site has.
pub(super) const TIMES: i64 = 10;
/// Numbers of the smaller site begin here.
const SMALLER_FROM: i64 = 1_000_000_000_000;
/// Large sorts take place in memory, and nothing is lost that could not be made again.
const UNHURRIED: &str =
    "SET work_mem = '256MB'; SET maintenance_work_mem = '256MB'; SET synchronous_commit = off";

#[derive(QueryableByName)]
struct Rolled {
    #[diesel(sql_type = Bool)]
    is_rolled: bool,
}

/// Makes so many sessions of the larger site on these closed days, half a day's on the day after, and the bases.
pub(crate) async fn fill(
    database: &Database,
    url: &str,
    [larger, smaller]: [DomainId; 2],
    closed: DateRange,
    sessions: i64,
) -> Result<()> {
    for month in 0..=closed.days() / 28 {
        database
            .ensure_partitions(closed.start() + Duration::days(28 * i64::from(month)))
            .await?;
    }
    let mut connection = AsyncPgConnection::establish(url).await?;
    connection.batch_execute(UNHURRIED).await?;
    connection.batch_execute(include_str!("sql/tables.sql")).await?;
    sql_query("SELECT setseed($1)")
        .bind::<Double, _>(0.25)
        .execute(&mut connection)
        .await?;
    let a_day = sessions / i64::from(closed.days());
    for (domain, a_day, from) in [(larger, a_day, 0), (smaller, a_day / TIMES, SMALLER_FROM)] {
        sql_query(include_str!("sql/visits.sql"))
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(closed.start())
            .bind::<Integer, _>(i32::try_from(closed.days())?)
            .bind::<BigInt, _>(a_day)
            .bind::<BigInt, _>(from)
            .execute(&mut connection)
            .await
            .context("visits can't be made")?;
        add_site(&mut connection, domain).await?;
    }
    if interrupt::came() {
        bail!("interrupted");
    }
    connection
        .batch_execute(include_str!("sql/fill.sql"))
        .await
        .context("visits can't be stored")?;
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(())
}

async fn add_site(connection: &mut AsyncPgConnection, domain: DomainId) -> Result<()> {
    let settings = AnalyticsSettings {
        store_search_terms: true,
        ..AnalyticsSettings::default()
    };
    sql_query(
        "INSERT INTO analytics_sites (domain_id, settings, created_at, updated_at) VALUES ($1, $2, now(), now())",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Jsonb, _>(serde_json::to_value(settings)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Rolls the closed days up, as a server's upkeep does at this moment. How long that took, in seconds.
pub(super) async fn roll_up(
    database: &Database,
    url: &str,
    closed: DateRange,
    now: OffsetDateTime,
) -> Result<f64> {
    let began = Instant::now();
    database.roll_up(now, &CancellationToken::new()).await;
    let lasted = began.elapsed().as_secs_f64();
    let mut connection = AsyncPgConnection::establish(url).await?;
    let rolled: Rolled =
        sql_query("SELECT coalesce(bool_and(rolled_until = $1), false) AS is_rolled FROM analytics_progress")
            .bind::<Timestamptz, _>(closed.end())
            .get_result(&mut connection)
            .await?;
    ensure!(rolled.is_rolled, "not everything was rolled up");
    connection
        .batch_execute(
            "VACUUM ANALYZE analytics_daily, analytics_pages, analytics_actions, analytics_revenue",
        )
        .await?;
    Ok(lasted)
}
