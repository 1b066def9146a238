//! Rolling up what closed days come to, a day of a domain a transaction. It may be done twice.

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, Bool, Date as SqlDate, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
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
use pharos_series::progress::{closed_until, goes_on_at};
use time::{Date, Duration, OffsetDateTime};

use crate::groupings;

/// Days that are older are not rolled up any more: nothing is kept for so long.
const LONGEST_KEPT: Duration = Duration::days(3_660);

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

/// The days of visits.
pub(crate) const SERIES: RolledSeries = RolledSeries {
    records: "visits",
    behind: |database, now| behind(database, now).boxed(),
    step: |connection, domain, now| roll_up_next(connection, domain, now).boxed(),
};

/// The domains that have a closed UTC day which is not rolled up. A day is closed ten minutes after its end.
///
/// # Errors
/// The database could not say.
pub async fn behind(database: &Database, now: OffsetDateTime) -> Result<Vec<DomainId>, StoreError> {
    let statement = sql!(text "SELECT domain_id FROM analytics_progress
        WHERE coalesce(rolled_until, first_at) < $1 ORDER BY domain_id");
    roll_up::behind(database, statement, closed_until(now)).await
}

/// How many domains have a day, closed by then, that is not rolled up yet.
pub(crate) async fn count_behind(database: &Database, then: OffsetDateTime) -> Result<usize, StoreError> {
    let statement = sql!(text "SELECT count(*) AS found FROM analytics_progress
        WHERE coalesce(rolled_until, first_at) < $1");
    roll_up::count_behind(database, statement, closed_until(then)).await
}

/// Rolls up the next closed day of a domain. Whether there is more to do: not where another node is at it.
///
/// # Errors
/// Those of [`RolledSeries::take_step`].
pub async fn roll_up_day(
    database: &Database,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    SERIES.take_step(database, domain, now).await
}

async fn roll_up_next(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let query = sql!(text "SELECT pg_try_advisory_xact_lock(hashtext('analytics_roll_up'), hashtext($1::text)) AS is_taken")
        .bind::<SqlUuid, _>(domain.0);
    let TurnRow { is_taken } = query.get_result(connection).await?;
    if !is_taken {
        return Ok(false);
    }
    // The lock is one beside which whoever stores something late goes on: that leaves another version of the row.
    let query = sql!(text "SELECT rolled_until, first_at, xmin::text AS version FROM analytics_progress
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
    let earliest = now.saturating_sub(LONGEST_KEPT);
    let from = goes_on_at(rolled_until, now, LONGEST_KEPT).unwrap_or(first_at.max(earliest));
    let (day, closed) = (from.date(), closed_until(now).date());
    if day >= closed {
        return Ok(false);
    }
    build(connection, domain, day).await?;
    let query = sql!(text "SELECT xmin::text AS version FROM analytics_progress
        WHERE domain_id = $1 FOR NO KEY UPDATE")
    .bind::<SqlUuid, _>(domain.0);
    let VersionRow { version } = query.get_result(connection).await?;
    // Something late may be missing in the day, which nobody reads yet. The next hour makes it anew.
    if version != begun {
        return Ok(false);
    }
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
