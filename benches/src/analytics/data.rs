//! Visits of sites, by a fixed seed.

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
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::interrupt;

/// How many times more sessions the larger site has.
pub(super) const TIMES: i64 = 10;
/// So far apart lie the numbers of two sites.
const NUMBERS: i64 = 1_000_000_000_000;
/// The weight of the first of the sites that sessions are spread over.
const FIRST: i64 = 1_000_000;
/// Large sorts take place in memory, and nothing is lost that could not be made again.
const UNHURRIED: &str =
    "SET work_mem = '256MB'; SET maintenance_work_mem = '256MB'; SET synchronous_commit = off";

#[derive(QueryableByName)]
struct Rolled {
    #[diesel(sql_type = Bool)]
    is_rolled: bool,
}

/// Makes so many sessions of the larger site on these closed days, a tenth of them of the smaller one, and all that
/// [`fill_sites`] makes besides.
pub(crate) async fn fill(
    database: &Database,
    url: &str,
    [larger, smaller]: [DomainId; 2],
    closed: DateRange,
    sessions: i64,
) -> Result<()> {
    let a_day = sessions / i64::from(closed.days());
    let sites = [(larger, a_day), (smaller, a_day / TIMES)];
    fill_sites(database, url, &sites, closed).await
}

/// So many sessions a day, spread over sites: the second has half as many as the first, the third a third.
pub(super) fn spread(sites: u16, a_day: i64) -> Vec<i64> {
    let weights: Vec<i64> = (1..=i64::from(sites)).map(|rank| FIRST / rank).collect();
    let all: i64 = weights.iter().sum();
    let share = |weight: i64| (a_day * weight / all).max(1);
    weights.into_iter().map(share).collect()
}

/// Makes so many sessions of each site on each of these closed days, half a day's on the day after, and the bases. The visits of
/// the first do not depend on the others.
pub(super) async fn fill_sites(
    database: &Database,
    url: &str,
    sites: &[(DomainId, i64)],
    closed: DateRange,
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
    for (&(domain, a_day), number) in sites.iter().zip(0_i64..) {
        sql_query(include_str!("sql/visits.sql"))
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(closed.start())
            .bind::<Integer, _>(i32::try_from(closed.days())?)
            .bind::<BigInt, _>(a_day)
            .bind::<BigInt, _>(number * NUMBERS)
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
    let stop = CancellationToken::new();
    let watch = async {
        loop {
            sleep(std::time::Duration::from_secs(1)).await;
            if interrupt::came() {
                stop.cancel();
            }
        }
    };
    let began = Instant::now();
    tokio::select! {
        () = database.roll_up(now, &stop) => {}
        () = watch => {}
    }
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

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn few_sites_have_most_of_the_sessions_and_none_has_none() {
        assert_eq!(spread(3, 1_100), [600, 300, 199]);
        assert_eq!(spread(4, 2), [1, 1, 1, 1]);
        assert_eq!(spread(1, 7), [7]);
    }
}
