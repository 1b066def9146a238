//! Rolling checks up: what they come to by hour, day and month.

pub(super) mod grain;
pub(super) mod late;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, sql_query,
    sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::history::tally::Measure;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use self::grain::Grain;
use crate::{
    failure::{Abort, failure},
    pool::Database,
    schema::uptime_rollup_progress,
    statement::statement,
    uptime::KEPT,
};

/// How long after its end a day is rolled up. What is stored later than that is found out when it comes.
const CLOSED_AFTER: Duration = Duration::minutes(10);

struct Behind;
struct FirstDay;
struct Clear;
struct Tallies;
struct Distributions;
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

impl Database {
    /// The monitored domains of which a closed UTC day is not rolled up. A day is closed ten minutes after its end.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn behind_in_rollups(&self, now: OffsetDateTime) -> Result<Vec<DomainId>, StoreError> {
        let mut connection = self.connection().await?;
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
    /// The database could not do it; nothing has changed.
    pub async fn roll_up(&self, domain: DomainId, now: OffsetDateTime) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                // A month of a domain is sorted in memory; code is not compiled for it.
                connection
                    .batch_execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
                    .await?;
                Ok(roll_up(connection, domain, now).await?)
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn roll_up(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> diesel::QueryResult<bool> {
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
        Some(rolled_until) => rolled_until,
        None => first_day(connection, domain, now).await?.unwrap_or(closed),
    };
    let month_end = Grain::Month.end_of(since);
    let until = month_end.min(closed);
    if since < until {
        // A month is rolled up when all of it is.
        let grains = &Grain::ALL[..if until == month_end { 3 } else { 2 }];
        build(connection, domain, grains, since, until).await?;
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

/// Makes the roll-ups between two midnights anew; of a month all of it.
async fn build(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    grains: &[Grain],
    since: OffsetDateTime,
    until: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let names: Vec<&str> = grains.iter().map(|grain| grain.as_str()).collect();
    let query = sql_query(include_str!("clear.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(&names)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until);
    statement::<Clear, _>(query).execute(connection).await?;
    let query = sql_query(include_str!("tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(&names)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until);
    statement::<Tallies, _>(query).execute(connection).await?;
    let (grains, measures): (Vec<&str>, Vec<&str>) = grains
        .iter()
        .flat_map(|grain| {
            // The phases of an hour are told by their means alone.
            let measures = match grain {
                Grain::Hour => &[Measure::Response],
                Grain::Day | Grain::Month => Measure::ALL,
            };
            measures.iter().map(|measure| (grain.as_str(), measure.as_str()))
        })
        .unzip();
    let query = sql_query(include_str!("distributions.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(grains)
        .bind::<Array<Text>, _>(measures)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until);
    statement::<Distributions, _>(query).execute(connection).await?;
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
