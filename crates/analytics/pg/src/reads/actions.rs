//! Reads of actions: events, links, downloads, searches.

use std::collections::HashMap;

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    actions::{ActionFigures, ActionKind, Actions, ActionsQuery},
    filter::Filters,
    overview::Totals,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::OffsetDateTime;

use super::{
    filters::{FilterNumbers, known},
    overview::{self, Rolled},
};

/// How many properties of an event are named at most.
const MOST_PROPERTIES: i32 = 100;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    all_hits: i64,
    #[diesel(sql_type = Array<Text>)]
    extensions: Vec<String>,
    #[diesel(sql_type = Array<BigInt>)]
    extension_hits: Vec<i64>,
    #[diesel(sql_type = Nullable<Integer>)]
    value: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = BigInt)]
    hits: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    exits: i64,
    #[diesel(sql_type = Nullable<Integer>)]
    results: Option<i32>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    top_page: Option<String>,
    #[diesel(sql_type = Bool)]
    ever_recorded: bool,
}

#[derive(QueryableByName)]
struct MoneyRow {
    #[diesel(sql_type = Integer)]
    event: i32,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

#[derive(QueryableByName)]
struct PropertiesRow {
    #[diesel(sql_type = Integer)]
    event: i32,
    #[diesel(sql_type = Array<Text>)]
    properties: Vec<String>,
}

/// The number of a kind in the tables.
const fn number(kind: ActionKind) -> i16 {
    match kind {
        ActionKind::Event => 1,
        ActionKind::Outbound => 2,
        ActionKind::Download => 3,
        ActionKind::Search => 4,
    }
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    query: &ActionsQuery<'_>,
) -> Result<Actions, StoreError> {
    let mut connection = database.long_read().await?;
    let given = known(&mut connection, domain, query.filters).await?;
    // Who did something is a share of all visitors, not of those who did it.
    let any = match query.filters.event {
        None => None,
        Some(_) => {
            let filters = Filters {
                event: None,
                ..query.filters.clone()
            };
            Some(known(&mut connection, domain, &filters).await?)
        }
    };
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(query.window, &given);
    let filters = given.filters.as_ref();
    let of_any = async {
        match &any {
            None => Ok(None),
            Some(any) => {
                let rolled = Rolled::new(query.window, any);
                let totals = overview::totals(connection, domain, rolled, any.filters.as_ref());
                totals.await.map(Some)
            }
        }
    };
    let (rows, totals, of_any) = tokio::try_join!(
        rows(connection, domain, query, rolled, filters),
        overview::totals(connection, domain, rolled, filters),
        of_any,
    )?;
    let ids: Vec<i32> = rows.as_slice().iter().filter_map(|row| row.value).collect();
    let (money, properties) = if query.kind == ActionKind::Event && !ids.is_empty() {
        tokio::try_join!(
            money(connection, domain, query, filters, &ids),
            properties(connection, domain, query, filters, &ids),
        )?
    } else {
        (HashMap::new(), HashMap::new())
    };
    answer(rows, &money, properties, totals, of_any, given.last_at)
}

async fn rows(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &ActionsQuery<'_>,
    rolled: Rolled,
    filters: Option<&FilterNumbers>,
) -> Result<Vec<Row>, StoreError> {
    let statement = sql!("actions.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(number(query.kind))
        .bind::<SqlDate, _>(rolled.since.date())
        .bind::<SqlDate, _>(rolled.raw_from.date())
        .bind::<Timestamptz, _>(rolled.raw_from)
        .bind::<Timestamptz, _>(rolled.until)
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Nullable<Text>, _>(query.name)
        .bind::<Nullable<BigInt>, _>(query.after.map(|(count, _)| count))
        .bind::<Nullable<Text>, _>(query.after.map(|(_, name)| name))
        .bind::<BigInt, _>(query.rows);
    statement.load(&mut connection).await.map_err(read_failure)
}

async fn money(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &ActionsQuery<'_>,
    filters: Option<&FilterNumbers>,
    events: &[i32],
) -> Result<HashMap<i32, i64>, StoreError> {
    let statement = sql!("event_money.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Array<Integer>, _>(events)
        .bind::<Text, _>(query.currency);
    let rows: Vec<MoneyRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    Ok(rows.into_iter().map(|row| (row.event, row.cents)).collect())
}

async fn properties(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &ActionsQuery<'_>,
    filters: Option<&FilterNumbers>,
    events: &[i32],
) -> Result<HashMap<i32, Vec<String>>, StoreError> {
    let statement = sql!("event_properties.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Array<Integer>, _>(events)
        .bind::<Integer, _>(MOST_PROPERTIES);
    let rows: Vec<PropertiesRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    Ok(rows.into_iter().map(|row| (row.event, row.properties)).collect())
}

fn answer(
    rows: Vec<Row>,
    money: &HashMap<i32, i64>,
    mut properties: HashMap<i32, Vec<String>>,
    totals: Totals,
    of_any: Option<Totals>,
    last_at: Option<OffsetDateTime>,
) -> Result<Actions, StoreError> {
    let mut actions = Actions {
        totals,
        visitors_of_any: of_any.unwrap_or(totals).visitors,
        last_at,
        ..Actions::default()
    };
    for row in rows {
        actions.total = count(row.total)?;
        actions.count = count(row.all_hits)?;
        actions.ever_recorded = row.ever_recorded;
        if actions.extensions.is_empty() {
            for (extension, hits) in row.extensions.into_iter().zip(row.extension_hits) {
                actions.extensions.push((extension, count(hits)?));
            }
        }
        let (Some(value), Some(name), Some(last_at)) = (row.value, row.name, row.last_at) else {
            continue;
        };
        actions.rows.push(ActionFigures {
            name,
            count: count(row.hits)?,
            visitors: count(row.visitors)?,
            sessions: count(row.sessions)?,
            exits: count(row.exits)?,
            results: row.results.map(count).transpose()?,
            last_at,
            top_page: row.top_page,
            revenue_cents: money.get(&value).copied(),
            properties: properties.remove(&value).unwrap_or_default(),
        });
    }
    Ok(actions)
}
