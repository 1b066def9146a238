//! Views of a site, by a fixed seed.

use anyhow::{Result, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Bool, Double, Integer, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, window::DateRange};
use pharos_persistence::pool::Database;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

/// How many pages the site has.
const PAGES: i32 = 400;

#[derive(QueryableByName)]
struct Rolled {
    #[diesel(sql_type = Bool)]
    is_rolled: bool,
}

/// Makes as many views on each of these days, and on each of the seven before.
pub(crate) async fn fill(
    database: &Database,
    url: &str,
    domain: DomainId,
    days: DateRange,
    views: u32,
) -> Result<()> {
    let first = days.start() - Duration::WEEK;
    for month in 0..3 {
        database
            .ensure_partitions(first + Duration::days(30) * month)
            .await?;
    }
    let mut connection = AsyncPgConnection::establish(url).await?;
    sql_query("SELECT setseed($1)")
        .bind::<Double, _>(0.25)
        .execute(&mut connection)
        .await?;
    sql_query(
        "INSERT INTO rum_texts (domain_id, dimension, value, used_on)
         SELECT $1, 0, 'https://site-0.example/' || n, current_date FROM generate_series(1, $2) AS s (n)",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Integer, _>(PAGES)
    .execute(&mut connection)
    .await?;
    sql_query(include_str!("views.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(first)
        .bind::<Timestamptz, _>(days.end())
        .bind::<BigInt, _>(i64::from(views))
        .execute(&mut connection)
        .await?;
    sql_query("INSERT INTO rum_progress (domain_id, first_at, last_at) VALUES ($1, $2, $3)")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(first)
        .bind::<Timestamptz, _>(days.end() - Duration::SECOND)
        .execute(&mut connection)
        .await?;
    connection
        .batch_execute("VACUUM ANALYZE rum_views, rum_texts")
        .await?;
    Ok(())
}

/// Rolls all of it up, as a server's upkeep does.
pub(super) async fn roll_up(
    database: &Database,
    url: &str,
    days: DateRange,
    now: OffsetDateTime,
) -> Result<()> {
    database.roll_up(now, &CancellationToken::new()).await;
    let mut connection = AsyncPgConnection::establish(url).await?;
    let rolled: Rolled =
        sql_query("SELECT coalesce(bool_and(rolled_until >= $1), false) AS is_rolled FROM rum_progress")
            .bind::<Timestamptz, _>(days.end())
            .get_result(&mut connection)
            .await?;
    ensure!(rolled.is_rolled, "not everything was rolled up");
    connection
        .batch_execute("VACUUM ANALYZE rum_daily, rum_hist")
        .await?;
    Ok(())
}
