//! Rolling checks up: what they come to by hour, day, month and quarter.

pub(super) mod late;
mod write;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, sql_query,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure, is_timeout},
    pool::Database,
    set_aside::{Fault, Kind, SetAside},
    statement::statement,
};
use pharos_uptime::{
    availability::Stretch,
    history::tally::{Depth, Measure},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use self::write::{Rollups, coarser, write};
use crate::{
    KEPT,
    history::{cut::Range, grain::Grain, hours, rolled},
    schema::uptime_rollup_progress,
};

/// How long after its end a day is rolled up. What is stored later than that is found out when it comes.
const CLOSED_AFTER: Duration = Duration::minutes(10);
/// What lies longer ago than this is kept no more. A check that claims to be from then must not have all months since
/// rolled up.
const LONGEST_KEPT: Duration = Duration::days(400);

struct Behind;
struct FirstDay;
struct Clear;
struct ForgetTallies;
struct ForgetDistributions;

#[derive(QueryableByName)]
struct DomainRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
}

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = Timestamptz)]
    day: OffsetDateTime,
}

/// The end of the last day that is closed.
fn closed(now: OffsetDateTime) -> OffsetDateTime {
    Grain::Day.start_of(now.saturating_sub(CLOSED_AFTER))
}

/// The monitored domains of which a closed UTC day is not rolled up. A day is closed ten minutes after its end.
///
/// # Errors
/// The database could not say.
pub async fn behind_in_rollups(
    database: &Database,
    now: OffsetDateTime,
) -> Result<Vec<DomainId>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql_query(include_str!("behind.sql")).bind::<Timestamptz, _>(closed(now));
    let rows: Vec<DomainRow> = statement::<Behind, _>(query)
        .load(&mut connection)
        .await
        .map_err(failure)?;
    Ok(rows.into_iter().map(|row| DomainId(row.domain_id)).collect())
}

/// Rolls up what a domain lacks of closed days, those of one calendar month at most. Whether there is more to do: not
/// where another node is at it. It may be done twice.
///
/// # Errors
/// The database could not do it; nothing has changed. Where it is there, and the domain is what it fails over, that
/// is set aside.
pub async fn roll_up(database: &Database, domain: DomainId, now: OffsetDateTime) -> Result<bool, StoreError> {
    let error = match try_to_roll_up(database, domain, now).await {
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

async fn try_to_roll_up(
    database: &Database,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let mut connection = database.connection().await.map_err(Abort::Port)?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            // A month of a domain is sorted in memory; code is not compiled for it.
            connection
                .batch_execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
                .await?;
            roll_up_month(connection, domain, now).await
        })
        .await
}

async fn roll_up_month(
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
    let closed = closed(now);
    let since = match rolled_until {
        Some(rolled_until) if rolled_until >= now.saturating_sub(LONGEST_KEPT) => rolled_until,
        _ => first_day(connection, domain, now).await?.unwrap_or(closed),
    };
    let until = Grain::Month.end_of(since).min(closed);
    if since < until {
        clear(connection, domain, (since, until)).await?;
        build(connection, domain, (since, until)).await?;
    }
    diesel::update(uptime_rollup_progress::table.find(domain.0))
        .set(uptime_rollup_progress::rolled_until.eq(since.max(until)))
        .execute(connection)
        .await?;
    Ok(until < closed)
}

/// The day of the first check that is still kept.
async fn first_day(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> diesel::QueryResult<Option<OffsetDateTime>> {
    let query = sql_query(include_str!("first_day.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    let row: Option<DayRow> = statement::<FirstDay, _>(query)
        .get_result(connection)
        .await
        .optional()?;
    Ok(row.map(|row| row.day))
}

/// Deletes the roll-ups between two midnights of one month, and what they are part of.
async fn clear(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    (since, until): Stretch,
) -> diesel::QueryResult<()> {
    let query = sql_query(include_str!("clear.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until);
    statement::<Clear, _>(query).execute(connection).await?;
    Ok(())
}

/// Makes the roll-ups between two midnights of one month: hours of checks, and what ends with them of what it is made of.
async fn build(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    (since, until): Stretch,
) -> Result<(), Abort<StoreError>> {
    let hours = hours::read(connection, domain, (since, until), None, Measure::ALL).await?;
    let mut finer: Rollups = hours
        .into_iter()
        .map(|(at, region, tally)| ((at, region), tally))
        .collect();
    write(connection, domain, Grain::Hour, &finer).await?;
    let coarser_ones = Grain::ALL.into_iter().skip(1);
    for (fine, grain) in Grain::ALL.into_iter().zip(coarser_ones) {
        if grain.start_of(until) != until {
            break;
        }
        let earlier = Range {
            grain: fine,
            since: grain.start_of(since),
            until: fine.start_of(since),
        };
        if earlier.since < earlier.until {
            let earlier = rolled::read(connection, domain, &[(earlier, Depth::Phases)], None).await?;
            finer.extend(earlier.into_iter().flat_map(|((_, at), regions)| {
                regions
                    .into_iter()
                    .map(move |(region, tally)| ((at, region), tally))
            }));
        }
        finer = coarser(&finer, grain);
        write(connection, domain, grain, &finer).await?;
    }
    Ok(())
}

/// Deletes the roll-ups of what is no longer kept.
pub(crate) async fn forget(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let query = sql_query(include_str!("forget_tallies.sql"))
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    statement::<ForgetTallies, _>(query).execute(connection).await?;
    let query = sql_query(include_str!("forget_distributions.sql"))
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    statement::<ForgetDistributions, _>(query)
        .execute(connection)
        .await?;
    Ok(())
}
