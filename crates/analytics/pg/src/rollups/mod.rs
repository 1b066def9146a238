//! Rolling up what closed days come to, a day of a domain a transaction. It may be done twice.

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid},
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
use pharos_series::progress::{closed_until, goes_on_at};
use time::{Date, Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::groupings;

/// Days that are older are not rolled up any more: nothing is kept for so long.
const LONGEST_KEPT: Duration = Duration::days(3_660);

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

#[derive(QueryableByName)]
struct ProgressRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    rolled_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    first_at: OffsetDateTime,
}

/// Rolls up the days of every domain that are closed and are not yet, a day at a time. Reads do without what fails: they
/// look at sessions then. Nodes share the work.
pub(crate) async fn roll_up(database: &Database, now: OffsetDateTime, stop: &CancellationToken) {
    let domains = behind(database, now).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "visits can't be rolled up at the moment; the next hour will");
        Vec::new()
    });
    for domain in domains {
        let error = loop {
            if stop.is_cancelled() {
                return;
            }
            match roll_up_day(database, domain, now).await {
                Ok(true) => {}
                Ok(false) => break None,
                Err(error) => break Some(error),
            }
        };
        if let Some(error) = error {
            tracing::warn!(%error, %domain, "visits can't be rolled up at the moment; the next hour will");
            if matches!(error, StoreError::Unavailable(_)) {
                return;
            }
        }
    }
}

/// The domains that have a closed UTC day which is not rolled up. A day is closed ten minutes after its end.
///
/// # Errors
/// The database could not say.
pub async fn behind(database: &Database, now: OffsetDateTime) -> Result<Vec<DomainId>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT domain_id FROM analytics_progress
        WHERE coalesce(rolled_until, first_at) < $1 ORDER BY domain_id")
    .bind::<Timestamptz, _>(closed_until(now));
    let rows: Vec<DomainRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows.into_iter().map(|row| DomainId(row.domain_id)).collect())
}

/// How many domains have a day, closed by then, that is not rolled up yet.
pub(crate) async fn count_behind(database: &Database, then: OffsetDateTime) -> Result<usize, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT count(*) AS found FROM analytics_progress WHERE coalesce(rolled_until, first_at) < $1")
        .bind::<Timestamptz, _>(closed_until(then));
    let count: CountRow = query.get_result(&mut connection).await.map_err(failure)?;
    names::count(count.found)
}

/// Rolls up the next closed day of a domain. Whether there is more to do: not where another node is at it.
///
/// # Errors
/// The database could not do it; nothing has changed. Where it is there, and the day is what it fails over, that is set
/// aside.
pub async fn roll_up_day(
    database: &Database,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.long_read().await?;
    let rolled = connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            // A day of a domain is sorted in memory; code is not compiled for it.
            connection
                .batch_execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
                .await?;
            roll_up_next(connection, domain, now).await
        })
        .await;
    let error = match rolled {
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

async fn roll_up_next(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let query = sql!(text "SELECT rolled_until, first_at FROM analytics_progress
        WHERE domain_id = $1 FOR UPDATE SKIP LOCKED")
    .bind::<SqlUuid, _>(domain.0);
    let progress: Option<ProgressRow> = query.get_result(connection).await.optional()?;
    let Some(ProgressRow {
        rolled_until,
        first_at,
    }) = progress
    else {
        return Ok(false);
    };
    let earliest = now.saturating_sub(LONGEST_KEPT);
    let from = goes_on_at(rolled_until, now, LONGEST_KEPT).unwrap_or(first_at.max(earliest));
    let (day, closed) = (from.date(), closed_until(now).date());
    if day >= closed {
        return Ok(false);
    }
    build(connection, domain, day).await?;
    let next = day.next_day().unwrap_or(day);
    let query = sql!(text "UPDATE analytics_progress SET rolled_until = $2 WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(next.midnight().assume_utc());
    query.execute(connection).await?;
    Ok(next < closed)
}

/// Makes the roll-ups of a day in the place of those that are there, and with a month's last day those of the month.
async fn build(connection: &mut AsyncPgConnection, domain: DomainId, day: Date) -> diesel::QueryResult<()> {
    let groupings = groupings::numbers();
    let query = sql!("clear.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlDate, _>(day)
        .bind::<Array<SmallInt>, _>(&groupings);
    query.execute(connection).await?;
    let from = day.midnight().assume_utc();
    let until = from.saturating_add(Duration::DAY);
    let query = sql!("daily.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until)
        .bind::<Array<SmallInt>, _>(&groupings);
    query.execute(connection).await?;
    let query = sql!("orders.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until)
        .bind::<Array<SmallInt>, _>(&groupings);
    query.execute(connection).await?;
    let query = sql!("actions.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until);
    query.execute(connection).await?;
    let query = sql!("revenue.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until);
    query.execute(connection).await?;
    let query = sql!("pages.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(from)
        .bind::<Timestamptz, _>(until);
    query.execute(connection).await?;
    if until.date().day() == 1 {
        let first = day.replace_day(1).unwrap_or(day);
        let query = sql!("clear_month.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlDate, _>(first);
        query.execute(connection).await?;
        let query = sql!("month.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlDate, _>(first)
            .bind::<SqlDate, _>(until.date());
        query.execute(connection).await?;
    }
    Ok(())
}
