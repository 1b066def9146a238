//! Rolling checks up: what they come to by hour, day, month and quarter.

pub(super) mod late;
mod write;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{
    failure::Abort,
    pool::Database,
    roll_up::{self, RolledSeries},
    sql,
};
use pharos_series::{
    aggregate::{Rollups, coarsen},
    grain::Grain,
    progress::{Step, closed_until, goes_on_at},
};
use pharos_uptime::history::aggregate::{CheckAggregate, Depth, Measure};
use time::{Duration, OffsetDateTime};

use self::write::write;
use crate::{
    KEPT,
    history::{hours, rolled},
    schema::uptime_rollup_progress,
};

/// Checks from longer ago than this are kept no more. One that claims to be from then must not have all months since
/// rolled up.
const LONGEST_KEPT: Duration = Duration::days(400);

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = Timestamptz)]
    day: OffsetDateTime,
}

/// The days of checks.
pub(crate) const SERIES: RolledSeries = RolledSeries {
    records: "checks",
    behind: |database, now| behind_in_rollups(database, now).boxed(),
    step: |connection, domain, now| take_step(connection, domain, now).boxed(),
};

/// The monitored domains that have a closed UTC day which is not rolled up. A day is closed ten minutes after its end.
///
/// # Errors
/// The database could not say.
pub async fn behind_in_rollups(
    database: &Database,
    now: OffsetDateTime,
) -> Result<Vec<DomainId>, StoreError> {
    roll_up::behind(database, sql!("behind.sql"), closed_until(now)).await
}

/// How many monitored domains have a day, closed by then, that is not rolled up yet. A monitor that was made later is not behind.
pub(crate) async fn count_behind(database: &Database, then: OffsetDateTime) -> Result<usize, StoreError> {
    let statement = sql!(text "SELECT count(*) AS found FROM uptime_monitors AS monitor
        LEFT JOIN uptime_rollup_progress AS progress USING (domain_id)
        WHERE monitor.created_at < $1 AND (progress.rolled_until IS NULL OR progress.rolled_until < $1)");
    roll_up::count_behind(database, statement, closed_until(then)).await
}

/// Rolls up what a domain lacks of closed days, those of one calendar month at most. Whether there is more to do: not
/// where another node is at it. It may be done twice.
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
    diesel::insert_into(uptime_rollup_progress::table)
        .values(uptime_rollup_progress::domain_id.eq(domain.0))
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    let progress: Option<Option<OffsetDateTime>> = uptime_rollup_progress::table
        .find(domain.0)
        .select(uptime_rollup_progress::rolled_until)
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some(rolled_until) = progress else {
        return Ok(false);
    };
    let from = match goes_on_at(rolled_until, now, LONGEST_KEPT) {
        Some(rolled_until) => rolled_until,
        None => first_day(connection, domain, now)
            .await?
            .unwrap_or_else(|| closed_until(now)),
    };
    let step = Step::next(from, now);
    if !step.range.is_empty() {
        clear(connection, domain, step.range).await?;
        build(connection, domain, step).await?;
    }
    diesel::update(uptime_rollup_progress::table.find(domain.0))
        .set(uptime_rollup_progress::rolled_until.eq(step.rolled_until))
        .execute(connection)
        .await?;
    Ok(step.has_more)
}

/// The day of the first check that is still kept.
async fn first_day(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> diesel::QueryResult<Option<OffsetDateTime>> {
    let query = sql!("first_day.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    let row: Option<DayRow> = query.get_result(connection).await.optional()?;
    Ok(row.map(|row| row.day))
}

/// Deletes the roll-ups between two midnights of one month, and what they are part of.
async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    range: TimeRange,
) -> diesel::QueryResult<()> {
    let query = sql!("clear.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(range.from)
        .bind::<Timestamptz, _>(range.until);
    query.execute(connection).await?;
    Ok(())
}

/// Makes the roll-ups of a step: hours of checks, and what ends with them of what it is made of.
async fn build(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    step: Step,
) -> Result<(), Abort<StoreError>> {
    let hours = hours::read(connection, domain, step.range, None, Measure::ALL).await?;
    let mut finer: Rollups<String, CheckAggregate> = hours
        .into_iter()
        .map(|(at, region, aggregate)| ((at, region), aggregate))
        .collect();
    write(connection, domain, Grain::Hour, &finer).await?;
    for completed in step.completed() {
        if let Some(earlier) = completed.earlier {
            let found = rolled::read(connection, domain, &[(earlier, Depth::Phases)], None).await?;
            finer.extend(found.into_iter().flat_map(|((_, at), regions)| {
                regions
                    .into_iter()
                    .map(move |(region, aggregate)| ((at, region), aggregate))
            }));
        }
        finer = coarsen(&finer, completed.grain);
        write(connection, domain, completed.grain, &finer).await?;
    }
    Ok(())
}

/// Deletes the roll-ups of what is no longer kept.
pub(crate) async fn forget(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let query = sql!("forget_rollups.sql")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(connection).await?;
    let query = sql!("forget_histograms.sql")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(connection).await?;
    Ok(())
}
