//! Histograms and figures of closed days: those of one calendar month in one transaction, which may be done twice.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Array, BigInt, Double, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure, is_timeout},
    names,
    pool::Database,
    set_aside::{Fault, Kind, SetAside},
    sql,
};
use pharos_series::progress::{Step, closed_until, goes_on_at};
use pharos_vitals::metric::{BUCKET_GROWTH, LEAST, Metric};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::schema::rum_progress;

/// Views from longer ago than this are kept no more.
const LONGEST_KEPT: Duration = Duration::days(520);

#[derive(QueryableByName)]
struct DomainRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    found: i64,
}

/// The bounds of the bands of all metrics, two each, in the order of [`Metric::ALL`].
pub(crate) fn bands() -> Vec<f64> {
    let bands = Metric::ALL.iter().map(|metric| metric.bands());
    bands.flat_map(|bands| [bands.good, bands.poor]).collect()
}

/// Rolls up the closed days of every domain, until `stop`. Reads do without what fails: they look at every view then. Nodes
/// share the work.
pub(crate) async fn roll_up_all(database: &Database, now: OffsetDateTime, stop: &CancellationToken) {
    let domains = match behind(database, now).await {
        Ok(domains) => domains,
        Err(error) => {
            tracing::warn!(%error, "views can't be rolled up at the moment; the next hour will");
            return;
        }
    };
    for domain in domains {
        loop {
            if stop.is_cancelled() {
                return;
            }
            match roll_up(database, domain, now).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, %domain, "views can't be rolled up at the moment; the next hour will");
                    if matches!(error, StoreError::Unavailable(_)) {
                        return;
                    }
                    break;
                }
            }
        }
    }
}

/// The domains that have a closed UTC day which is not rolled up.
async fn behind(database: &Database, now: OffsetDateTime) -> Result<Vec<DomainId>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT domain_id FROM rum_progress
            WHERE rolled_until IS NULL OR rolled_until < $1 ORDER BY domain_id")
    .bind::<Timestamptz, _>(closed_until(now));
    let rows: Vec<DomainRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows.into_iter().map(|row| DomainId(row.domain_id)).collect())
}

/// How many domains have a day, closed by then, that is not rolled up yet. One that was first heard of later is not behind.
pub(crate) async fn count_behind(database: &Database, then: OffsetDateTime) -> Result<usize, StoreError> {
    let mut connection = database.connection().await?;
    let query =
        sql!(text "SELECT count(*) AS found FROM rum_progress WHERE coalesce(rolled_until, first_at) < $1")
            .bind::<Timestamptz, _>(closed_until(then));
    let count: CountRow = query.get_result(&mut connection).await.map_err(failure)?;
    names::count(count.found)
}

/// Rolls up what a domain lacks of closed days, those of one calendar month at most. Whether there is more to do: not where
/// another node is at it.
///
/// # Errors
/// The database could not do it; nothing has changed. Where it is there, and the domain is what it fails over, that is set
/// aside.
pub async fn roll_up(database: &Database, domain: DomainId, now: OffsetDateTime) -> Result<bool, StoreError> {
    let mut connection = database.long_read().await?;
    let stepped = connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            // A month of a domain is sorted in memory; code is not compiled for it.
            connection
                .batch_execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
                .await?;
            take_step(connection, domain, now).await
        })
        .await;
    drop(connection);
    let error = match stepped {
        Ok(has_more) => return Ok(has_more),
        // One that takes too long is no sign of a database that is away.
        Err(Abort::Database(error)) if is_timeout(&error) => StoreError::Failed(Box::new(error)),
        Err(abort) => abort.answer(),
    };
    if error.lies_in_a_row() {
        database
            .note(SetAside::unread(Kind::Rollup, &domain, &error))
            .await?;
    }
    Err(error)
}

async fn take_step(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let progress: Option<(OffsetDateTime, Option<OffsetDateTime>)> = rum_progress::table
        .find(domain.0)
        .select((rum_progress::first_at, rum_progress::rolled_until))
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some((first_at, rolled_until)) = progress else {
        return Ok(false);
    };
    let kept = now.saturating_sub(LONGEST_KEPT);
    let from = goes_on_at(rolled_until, now, LONGEST_KEPT)
        .unwrap_or_else(|| pharos_series::grain::Grain::Day.start_of(first_at.max(kept)));
    let step = Step::next(from, now);
    if !step.range.is_empty() {
        write(connection, domain, step).await?;
    }
    diesel::update(rum_progress::table.find(domain.0))
        .set(rum_progress::rolled_until.eq(step.rolled_until))
        .execute(connection)
        .await?;
    Ok(step.has_more)
}

/// Writes the days of a step anew.
async fn write(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    step: Step,
) -> Result<(), Abort<StoreError>> {
    let (from, until) = (step.range.from, step.range.until);
    sql!(text "DELETE FROM rum_daily WHERE domain_id = $1
            AND day >= ($2 AT TIME ZONE 'UTC')::date AND day < ($3 AT TIME ZONE 'UTC')::date")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(from)
    .bind::<Timestamptz, _>(until)
    .execute(connection)
    .await?;
    // By the metric the primary key finds them.
    sql!(text "DELETE FROM rum_hist WHERE domain_id = $1 AND metric = ANY ('{0,1,2,3,4}')
            AND day >= ($2 AT TIME ZONE 'UTC')::date AND day < ($3 AT TIME ZONE 'UTC')::date")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(from)
    .bind::<Timestamptz, _>(until)
    .execute(connection)
    .await?;
    sql!("daily.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until)
        .bind::<Array<Double>, _>(bands())
        .execute(connection)
        .await?;
    sql!("histograms.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until)
        .bind::<Double, _>(LEAST)
        .bind::<Double, _>(BUCKET_GROWTH)
        .execute(connection)
        .await?;
    Ok(())
}
