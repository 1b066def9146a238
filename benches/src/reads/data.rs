//! A year of checks, by a fixed seed: one a minute of every domain, with outages and what was found of them.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{Double, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::{StreamExt, TryStreamExt, future::join, stream};
use pharos_domain::ids::{CheckId, DomainId};
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use pharos_uptime::{
    check::{Check, Outcome},
    finished::FinishedCheck,
    schedule::ScheduleStore,
};
use pharos_uptime_pg::rollups;
use time::{Duration, OffsetDateTime, Time};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{interrupt, world};

/// A year and a day.
const DAYS: i64 = 366;

/// Nobody writes to past months any more: what protects and tidies them would only share the disk with the bench.
const PARTITIONS: &str = "
    SELECT ensure_partitions('uptime_checks', 'month', now() - interval '13 months', 14);
    DO $$
    DECLARE
        partition regclass;
    BEGIN
        FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'uptime_checks'::regclass LOOP
            EXECUTE format('ALTER TABLE %s SET UNLOGGED', partition);
            EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', partition);
        END LOOP;
    END
    $$";

#[derive(QueryableByName)]
struct DomainRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Fills the database with the past of its domains, as it is `now`.
pub(super) async fn fill(database_url: &str, now: OffsetDateTime) -> Result<()> {
    let first = now.replace_time(Time::MIDNIGHT) - Duration::days(DAYS - 1);
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    connection.batch_execute(PARTITIONS).await?;
    seed(&mut connection, 0.0).await?;
    sql_query(include_str!("outages.sql"))
        .bind::<Timestamptz, _>(first)
        .bind::<Timestamptz, _>(now)
        .execute(&mut connection)
        .await?;
    let weeks = (0..DAYS).step_by(7).map(|day| {
        let since = first + Duration::days(day);
        (day, since, (since + Duration::WEEK).min(now))
    });
    let began = Instant::now();
    stream::iter(weeks)
        .map(|(day, since, until)| async move {
            if interrupt::came() {
                bail!("interrupted");
            }
            let mut connection = AsyncPgConnection::establish(database_url).await?;
            seed(&mut connection, day as f64 / DAYS as f64).await?;
            sql_query(include_str!("checks.sql"))
                .bind::<Timestamptz, _>(since)
                .bind::<Timestamptz, _>(until)
                .execute(&mut connection)
                .await
                .context("checks can't be stored")?;
            eprintln!("  checks of {} days, {:.0} s", day + 7, began.elapsed().as_secs_f64());
            Ok(())
        })
        // As many as the machine that is meant has cores.
        .buffered(2)
        .try_collect::<Vec<()>>()
        .await?;
    // Statements in a row take no parameters.
    let now_as_sql = format!("to_timestamp({})", now.unix_timestamp());
    let found = include_str!("found.sql").replace("now()", &now_as_sql);
    connection.batch_execute(&found).await?;
    last_checks(&mut connection, database_url, now).await
}

async fn seed(connection: &mut AsyncPgConnection, seed: f64) -> Result<()> {
    sql_query("SELECT setseed($1)")
        .bind::<Double, _>(seed)
        .execute(connection)
        .await?;
    Ok(())
}

/// A check of each domain through the store, so that its state is known.
async fn last_checks(
    connection: &mut AsyncPgConnection,
    database_url: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let domains: Vec<DomainRow> = sql_query("SELECT id FROM domains").load(connection).await?;
    let finished: Vec<FinishedCheck> = domains
        .iter()
        .map(|row| FinishedCheck {
            check: last_check(DomainId(row.id), now),
            due_at: None,
            settings_at: None,
            certificate_valid_until: None,
            response_headers: Default::default(),
            sighting: None,
        })
        .collect();
    let database = Database::connect(database_url, &database_options()).await?;
    let store = ports(&database).get::<dyn ScheduleStore>()?;
    store.complete(&finished, now).await?;
    Ok(())
}

fn last_check(domain_id: DomainId, checked_at: OffsetDateTime) -> Check {
    Check {
        id: CheckId::generate(),
        domain_id,
        region: "local".to_owned(),
        checked_at,
        outcome: Outcome::Up,
        run_id: None,
        status_code: Some(200),
        http_version: None,
        response_ms: Some(150.0),
        dns_ms: None,
        connect_ms: None,
        tls_ms: None,
        ttfb_ms: None,
        download_ms: None,
        redirect_count: 0,
        final_url: None,
        response_bytes: None,
        ip_address: None,
        error_class: None,
        error_message: None,
        keyword_matched: None,
        retry_index: 0,
    }
}

/// Watches all domains, fills the database with a month of each, and rolls that up.
pub(crate) async fn fill_month(
    connection: &mut AsyncPgConnection,
    database_url: &str,
    now: OffsetDateTime,
) -> Result<()> {
    world::add_monitors(database_url).await?;
    connection
        .batch_execute(include_str!("month.sql"))
        .await
        .context("the past can't be stored")?;
    connection.batch_execute(include_str!("found.sql")).await?;
    roll_up(database_url, now).await?;
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(())
}

/// Rolls all of it up as a server's upkeep does, on two nodes. How long that took, in seconds.
pub(crate) async fn roll_up(database_url: &str, now: OffsetDateTime) -> Result<f64> {
    let stop = CancellationToken::new();
    let one = Database::connect(database_url, &database_options()).await?;
    let other = Database::connect(database_url, &database_options()).await?;
    let began = Instant::now();
    let watch = async {
        loop {
            tokio::time::sleep(std::time::Duration::from_secs(10)).await;
            if interrupt::came() {
                stop.cancel();
            }
            if let Ok(behind) = rollups::behind_in_rollups(&one, now).await {
                eprintln!(
                    "  {} domains to go, {:.0} s",
                    behind.len(),
                    began.elapsed().as_secs_f64()
                );
            }
        }
    };
    tokio::select! {
        _ = join(one.roll_up(now, &stop), other.roll_up(now, &stop)) => {}
        () = watch => {}
    }
    if !rollups::behind_in_rollups(&one, now).await?.is_empty() {
        bail!("not everything was rolled up");
    }
    let lasted = began.elapsed().as_secs_f64();
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    connection
        .batch_execute("VACUUM ANALYZE uptime_rollups, uptime_distributions")
        .await?;
    Ok(lasted)
}

/// Forgets that a domain is rolled up: it is read from its checks from now on.
pub(super) async fn unroll(database_url: &str, domain: DomainId) -> Result<()> {
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    sql_query("DELETE FROM uptime_rollup_progress WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .execute(&mut connection)
        .await?;
    Ok(())
}
