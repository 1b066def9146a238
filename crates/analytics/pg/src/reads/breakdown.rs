//! Reads of sessions by the value that they have in common.

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::{TryStreamExt, stream::FuturesOrdered};
use pharos_analytics::{
    breakdown::{Breakdown, BreakdownQuery, Breakdowns, Grouping, Part, PartKey},
    channel::Channel,
    dimension::Dimension,
    overview::Totals,
};
use pharos_domain::{collect::client::Device, ids::DomainId, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};

use super::{
    filters::{FilterNumbers, known},
    overview::{self, Rolled},
};
use crate::{
    collect::{channel_number, device_number},
    dictionary, groupings,
};

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<Integer>)]
    value: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    within: Option<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    within_dimension: Option<i16>,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    query: &BreakdownQuery<'_>,
    asked: &[Grouping],
) -> Result<Breakdowns, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, query.filters).await?;
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(query.window, &known);
    let filters = known.filters.as_ref();
    let breakdowns = asked
        .iter()
        .map(|grouping| one(connection, domain, query, *grouping, rolled, filters))
        .collect::<FuturesOrdered<_>>();
    let (breakdowns, totals) = tokio::try_join!(
        breakdowns.try_collect(),
        overview::totals(connection, domain, rolled, filters),
    )?;
    Ok(Breakdowns {
        breakdowns,
        totals,
        last_at: known.last_at,
    })
}

async fn one(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &BreakdownQuery<'_>,
    grouping: Grouping,
    rolled: Rolled,
    filters: Option<&FilterNumbers>,
) -> Result<Breakdown, StoreError> {
    let statement = sql!("breakdown.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(groupings::number(grouping))
        .bind::<SqlDate, _>(rolled.since.date())
        .bind::<SqlDate, _>(rolled.raw_from.date())
        .bind::<Timestamptz, _>(rolled.raw_from)
        .bind::<Timestamptz, _>(rolled.until)
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Text, _>(query.currency)
        .bind::<BigInt, _>(i64::from(query.limit));
    let rows: Vec<Row> = statement.load(&mut connection).await.map_err(read_failure)?;
    let total = rows.as_slice().first().map_or(Ok(0), |row| count(row.total))?;
    let parts = rows.into_iter().filter_map(|row| part(grouping, row));
    Ok(Breakdown {
        parts: parts.collect::<Result<_, _>>()?,
        total,
    })
}

/// The part that a row is of; `None` where it stands for the total alone.
fn part(grouping: Grouping, row: Row) -> Option<Result<Part, StoreError>> {
    let value = row.value?;
    Some(totals(&row.figures).and_then(|totals| {
        Ok(Part {
            totals,
            orders: count(row.orders)?,
            revenue_cents: row.cents,
            key: key(grouping, value, row.name, row.within, row.within_dimension)?,
        })
    }))
}

fn totals(figures: &[i64]) -> Result<Totals, StoreError> {
    match *figures {
        [visitors, sessions, pageviews, bounces, duration_ms, events] => Ok(Totals {
            visitors: count(visitors)?,
            sessions: count(sessions)?,
            pageviews: count(pageviews)?,
            bounces: count(bounces)?,
            duration_ms: count(duration_ms)?,
            events: count(events)?,
        }),
        _ => Err(StoreError::Corrupt(format!(
            "{figures:?} are no figures of sessions"
        ))),
    }
}

fn key(
    grouping: Grouping,
    value: i32,
    name: Option<String>,
    within: Option<String>,
    within_dimension: Option<i16>,
) -> Result<PartKey, StoreError> {
    Ok(match grouping {
        Grouping::Channel => PartKey::Channel(channel(value)?),
        Grouping::Device => PartKey::Device(device(value)?),
        Grouping::SourceMedium | Grouping::ReferrerPath | Grouping::BrowserVersion | Grouping::OsVersion => {
            PartKey::Pair(name, within)
        }
        Grouping::Region | Grouping::City => {
            let is_region = within_dimension == Some(dictionary::number(Dimension::Region));
            let (region, country) = if is_region { (within, None) } else { (None, within) };
            let of_region = |region: &String| region.split('-').next().map(str::to_owned);
            PartKey::Place {
                name,
                country: country.or_else(|| region.as_ref().and_then(of_region)),
                region,
            }
        }
        _ => PartKey::Text(name),
    })
}

pub(super) fn channel(number: i32) -> Result<Channel, StoreError> {
    let found = Channel::ALL
        .iter()
        .find(|channel| i32::from(channel_number(**channel)) == number);
    found
        .copied()
        .ok_or_else(|| StoreError::Corrupt(format!("{number} is no channel")))
}

fn device(number: i32) -> Result<Device, StoreError> {
    let found = Device::ALL
        .into_iter()
        .find(|device| i32::from(device_number(*device)) == number);
    found.ok_or_else(|| StoreError::Corrupt(format!("{number} is no device class")))
}
