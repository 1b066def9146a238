//! Reads of sessions by the hour.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    filter::Filters,
    overview::Totals,
    timeseries::{Hours, Piece},
};
use pharos_domain::{ids::DomainId, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::OffsetDateTime;

use super::filters::known;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Timestamptz)]
    hour: OffsetDateTime,
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
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

impl TryFrom<Row> for (OffsetDateTime, Piece) {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let piece = Piece {
            totals: Totals {
                visitors: count(row.visitors)?,
                sessions: count(row.sessions)?,
                pageviews: count(row.pageviews)?,
                bounces: count(row.bounces)?,
                duration_ms: count(row.duration_ms)?,
                events: count(row.events)?,
            },
            orders: count(row.orders)?,
            revenue_cents: row.cents,
        };
        Ok((row.hour, piece))
    }
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    window: DateRange,
    filters: &Filters,
    currency: &str,
) -> Result<Hours, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, filters).await?;
    let mut connection: &AsyncPgConnection = &connection;
    let query = sql!("hours.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(window.start())
        .bind::<Timestamptz, _>(window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(known.filters.map(|filters| filters.to_vec()))
        .bind::<Text, _>(currency);
    let rows: Vec<Row> = query.load(&mut connection).await.map_err(read_failure)?;
    Ok(Hours {
        hours: rows.into_iter().map(Row::try_into).collect::<Result<_, _>>()?,
        last_at: known.last_at,
    })
}
