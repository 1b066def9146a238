//! Histograms and figures of closed days: those of one calendar month in one transaction, which may be done twice.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Array, Bool, Double, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::Abort,
    pool::Database,
    roll_up::{self, RolledSeries},
    sql,
};
use pharos_series::progress::{Step, closed_until, goes_on_at};
use pharos_vitals::metric::{BUCKET_GROWTH, LEAST, Metric};
use time::{Duration, OffsetDateTime};

use crate::schema::rum_progress;

/// Views from longer ago than this are kept no more.
const LONGEST_KEPT: Duration = Duration::days(520);

#[derive(QueryableByName)]
struct ProgressRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    rolled_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    first_at: OffsetDateTime,
    /// Another one after each change of the row.
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct VersionRow {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct TurnRow {
    #[diesel(sql_type = Bool)]
    is_taken: bool,
}

/// The days of views.
pub(crate) const SERIES: RolledSeries = RolledSeries {
    records: "views",
    behind: |database, now| behind(database, now).boxed(),
    step: |connection, domain, now| take_step(connection, domain, now).boxed(),
};

/// The bounds of the bands of all metrics, two each, in the order of [`Metric::ALL`].
pub(crate) fn bands() -> Vec<f64> {
    let bands = Metric::ALL.iter().map(|metric| metric.bands());
    bands.flat_map(|bands| [bands.good, bands.poor]).collect()
}

/// The numbers of all metrics, by which the primary key of the histograms finds their days.
pub(crate) fn metric_numbers() -> Vec<i16> {
    Metric::ALL.iter().map(|&metric| metric as i16).collect()
}

/// The domains that have a closed UTC day which is not rolled up.
async fn behind(database: &Database, now: OffsetDateTime) -> Result<Vec<DomainId>, StoreError> {
    let statement = sql!(text "SELECT domain_id FROM rum_progress
            WHERE rolled_until IS NULL OR rolled_until < $1 ORDER BY domain_id");
    roll_up::behind(database, statement, closed_until(now)).await
}

/// How many domains have a day, closed by then, that is not rolled up yet. One that was first heard of later is not behind.
pub(crate) async fn count_behind(database: &Database, then: OffsetDateTime) -> Result<usize, StoreError> {
    let statement = sql!(text "SELECT count(*) AS found FROM rum_progress
            WHERE coalesce(rolled_until, first_at) < $1");
    roll_up::count_behind(database, statement, closed_until(then)).await
}

/// Rolls up what a domain lacks of closed days, those of one calendar month at most. Whether there is more to do: not where
/// another node is at it.
///
/// # Errors
/// Those of [`RolledSeries::take_step`].
pub async fn roll_up(database: &Database, domain: DomainId, now: OffsetDateTime) -> Result<bool, StoreError> {
    SERIES.take_step(database, domain, now).await
}

async fn take_step(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let query = sql!(text "SELECT pg_try_advisory_xact_lock(hashtext('rum_roll_up'), hashtext($1::text)) AS is_taken")
        .bind::<SqlUuid, _>(domain.0);
    let TurnRow { is_taken } = query.get_result(connection).await?;
    if !is_taken {
        return Ok(false);
    }
    // The lock is one beside which whoever stores something late goes on: that leaves another version of the row.
    let query = sql!(text "SELECT rolled_until, first_at, xmin::text AS version FROM rum_progress
            WHERE domain_id = $1 FOR KEY SHARE SKIP LOCKED")
    .bind::<SqlUuid, _>(domain.0);
    let progress: Option<ProgressRow> = query.get_result(connection).await.optional()?;
    let Some(ProgressRow {
        rolled_until,
        first_at,
        version: begun,
    }) = progress
    else {
        return Ok(false);
    };
    let kept = now.saturating_sub(LONGEST_KEPT);
    let from = goes_on_at(rolled_until, now, LONGEST_KEPT)
        .unwrap_or_else(|| pharos_series::grain::Grain::Day.start_of(first_at.max(kept)));
    let step = Step::next(from, now);
    if !step.range.is_empty() {
        write(connection, domain, step).await?;
    }
    let query = sql!(text "SELECT xmin::text AS version FROM rum_progress
            WHERE domain_id = $1 FOR NO KEY UPDATE")
    .bind::<SqlUuid, _>(domain.0);
    let VersionRow { version } = query.get_result(connection).await?;
    // Something late may be missing in the days, which nobody reads yet. The next hour makes them anew.
    if version != begun {
        return Ok(false);
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
    sql!(text "DELETE FROM rum_hist WHERE domain_id = $1 AND metric = ANY ($4)
            AND day >= ($2 AT TIME ZONE 'UTC')::date AND day < ($3 AT TIME ZONE 'UTC')::date")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(from)
    .bind::<Timestamptz, _>(until)
    .bind::<Array<SmallInt>, _>(metric_numbers())
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
