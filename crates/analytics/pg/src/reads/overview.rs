//! Sessions and revenue by day.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    filter::Filters,
    overview::{DayTotals, Overview, Totals},
};
use pharos_domain::{ids::DomainId, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::{Date, OffsetDateTime};

use super::filters::{FilterNumbers, Known, known};

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    pageviews: i64,
    #[diesel(sql_type = BigInt)]
    bounces: i64,
    #[diesel(sql_type = BigInt)]
    duration_ms: i64,
    #[diesel(sql_type = BigInt)]
    events: i64,
}

impl TryFrom<DayRow> for DayTotals {
    type Error = StoreError;

    fn try_from(row: DayRow) -> Result<Self, StoreError> {
        Ok(Self {
            day: row.day,
            totals: Totals {
                visitors: count(row.visitors)?,
                sessions: count(row.sessions)?,
                pageviews: count(row.pageviews)?,
                bounces: count(row.bounces)?,
                duration_ms: count(row.duration_ms)?,
                events: count(row.events)?,
            },
        })
    }
}

#[derive(QueryableByName)]
struct RevenueRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = BigInt)]
    cents: i64,
    #[diesel(sql_type = BigInt)]
    orders: i64,
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    windows: &[DateRange],
    filters: &Filters,
    currency: &str,
) -> Result<Overview, StoreError> {
    let starts = windows.iter().map(|window| window.start());
    let ends = windows.iter().map(|window| window.end());
    let Some((since, until)) = starts.min().zip(ends.max()) else {
        return Ok(Overview::default());
    };
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, filters).await?;
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::between(since, until, &known);
    let filters = known.filters.as_ref();
    let (days, money) = tokio::try_join!(
        days(connection, domain, rolled, filters),
        revenue(connection, domain, rolled, filters, currency),
    )?;
    let orders = |row: &RevenueRow| Ok((row.day, count(row.orders)?));
    Ok(Overview {
        days,
        revenue_cents: money.iter().map(|row| (row.day, row.cents)).collect(),
        orders: money.iter().map(orders).collect::<Result<_, StoreError>>()?,
        last_at: known.last_at,
    })
}

/// Roll-ups from `since` to `raw_from`, and what is read raw from there to `until`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolled {
    pub(super) since: OffsetDateTime,
    pub(super) raw_from: OffsetDateTime,
    pub(super) until: OffsetDateTime,
}

impl Rolled {
    /// How the days of a window are read.
    pub(super) fn new(window: DateRange, known: &Known) -> Self {
        Self::between(window.start(), window.end(), known)
    }

    fn between(since: OffsetDateTime, until: OffsetDateTime, known: &Known) -> Self {
        // With filters all of it is read raw.
        let rolled_until = known.rolled_until.filter(|_| known.filters.is_none());
        Self {
            since,
            raw_from: rolled_until.map_or(since, |rolled_until| rolled_until.clamp(since, until)),
            until,
        }
    }
}

/// The totals of each day's sessions.
pub(super) async fn days(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    rolled: Rolled,
    filters: Option<&FilterNumbers>,
) -> Result<Vec<DayTotals>, StoreError> {
    let query = sql!("days.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlDate, _>(rolled.since.date())
        .bind::<SqlDate, _>(rolled.raw_from.date())
        .bind::<Timestamptz, _>(rolled.raw_from)
        .bind::<Timestamptz, _>(rolled.until)
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()));
    let rows: Vec<DayRow> = query.load(&mut connection).await.map_err(read_failure)?;
    rows.into_iter().map(DayTotals::try_from).collect()
}

/// The totals of the sessions of all days.
pub(super) async fn totals(
    connection: &AsyncPgConnection,
    domain: DomainId,
    rolled: Rolled,
    filters: Option<&FilterNumbers>,
) -> Result<Totals, StoreError> {
    let days = days(connection, domain, rolled, filters).await?;
    Ok(days
        .into_iter()
        .fold(Totals::default(), |sum, day| sum + day.totals))
}

/// Orders, and orders less refunds, of each day.
async fn revenue(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    rolled: Rolled,
    filters: Option<&FilterNumbers>,
    currency: &str,
) -> Result<Vec<RevenueRow>, StoreError> {
    match filters {
        None => {
            let query = sql!("revenue.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<SqlDate, _>(rolled.since.date())
                .bind::<SqlDate, _>(rolled.raw_from.date())
                .bind::<Timestamptz, _>(rolled.raw_from)
                .bind::<Timestamptz, _>(rolled.until)
                .bind::<Text, _>(currency);
            query.load(&mut connection).await
        }
        Some(filters) => {
            let query = sql!("filtered_revenue.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(rolled.since)
                .bind::<Timestamptz, _>(rolled.until)
                .bind::<Array<Nullable<Integer>>, _>(filters.to_vec())
                .bind::<Text, _>(currency);
            query.load(&mut connection).await
        }
    }
    .map_err(read_failure)
}
