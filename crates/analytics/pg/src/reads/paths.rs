//! Which ways visitors take: funnels, journeys, and how many come back.

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Double, Integer, Nullable, SmallInt, Text, Timestamptz,
        Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    dimension::Dimension,
    filter::Filters,
    funnel::{Funnel, FunnelQuery, Reached, StepKind},
    paths::{Journey, Journeys, JourneysQuery, MOST_JOURNEYS, RetentionGranularity, Returns, USER_PROPERTY},
};
use pharos_domain::{ids::DomainId, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::Date;

use super::filters::{known, numbers};

#[derive(QueryableByName)]
struct ReachedRow {
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = Nullable<Double>)]
    median_ms: Option<f64>,
}

pub(super) async fn funnel(
    database: &Database,
    domain: DomainId,
    query: &FunnelQuery<'_>,
) -> Result<Funnel, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, query.filters).await?;
    // As analytics_hits numbers what happened.
    let number_of = |kind| match kind {
        StepKind::Page => (0_i16, Dimension::Page),
        StepKind::Event => (1, Dimension::Event),
    };
    let asked = query.steps.iter().map(|step| number_of(step.kind));
    let (kinds, dimensions): (Vec<i16>, Vec<Dimension>) = asked.unzip();
    let named = query.steps.iter().map(|step| step.value.as_str());
    let texts: Vec<(Dimension, &str)> = dimensions.into_iter().zip(named).collect();
    let values = numbers(&mut connection, domain, &texts).await?;
    let mut connection: &AsyncPgConnection = &connection;
    let statement = sql!("funnel.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(known.filters.map(|filters| filters.to_vec()))
        .bind::<Array<SmallInt>, _>(kinds)
        .bind::<Array<Integer>, _>(values);
    let rows: Vec<ReachedRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    // Steps that are met stand in order without a gap: whoever meets one has met all before it.
    let mut steps = rows
        .into_iter()
        .map(|row| {
            Ok(Reached {
                sessions: count(row.sessions)?,
                visitors: count(row.visitors)?,
                median_ms: row.median_ms,
            })
        })
        .collect::<Result<Vec<Reached>, StoreError>>()?;
    steps.resize(query.steps.len(), Reached::default());
    Ok(Funnel {
        steps,
        last_at: known.last_at,
    })
}

#[derive(QueryableByName)]
struct JourneyRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    all_sessions: i64,
    #[diesel(sql_type = Array<Text>)]
    path: Vec<String>,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    duration_ms: i64,
    #[diesel(sql_type = BigInt)]
    exits: i64,
}

pub(super) async fn journeys(
    database: &Database,
    domain: DomainId,
    query: &JourneysQuery<'_>,
) -> Result<Journeys, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, query.filters).await?;
    let start = match query.start {
        None => None,
        Some(page) => numbers(&mut connection, domain, &[(Dimension::Page, page)])
            .await?
            .pop(),
    };
    let mut connection: &AsyncPgConnection = &connection;
    let statement = sql!("journeys.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(query.window.start())
        .bind::<Timestamptz, _>(query.window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(known.filters.map(|filters| filters.to_vec()))
        .bind::<Integer, _>(i32::from(query.depth))
        .bind::<Nullable<Integer>, _>(start)
        .bind::<BigInt, _>(i64::from(MOST_JOURNEYS));
    let rows: Vec<JourneyRow> = statement.load(&mut connection).await.map_err(read_failure)?;
    let mut found = Journeys {
        last_at: known.last_at,
        ..Journeys::default()
    };
    for row in rows {
        found.total = count(row.total)?;
        found.sessions = count(row.all_sessions)?;
        // Without a way the row stands for the totals alone.
        if !row.path.is_empty() {
            found.journeys.push(Journey {
                path: row.path,
                sessions: count(row.sessions)?,
                duration_ms: count(row.duration_ms)?,
                exits: count(row.exits)?,
            });
        }
    }
    Ok(found)
}

#[derive(QueryableByName)]
struct ReturnsRow {
    #[diesel(sql_type = SqlDate)]
    first: Date,
    #[diesel(sql_type = SqlDate)]
    seen: Date,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
}

pub(super) async fn returns(
    database: &Database,
    domain: DomainId,
    window: DateRange,
    filters: &Filters,
    granularity: RetentionGranularity,
) -> Result<Returns, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, filters).await?;
    let mut connection: &AsyncPgConnection = &connection;
    let query = sql!("returns.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(window.start())
        .bind::<Timestamptz, _>(window.end())
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(known.filters.map(|filters| filters.to_vec()))
        .bind::<Text, _>(granularity.as_str())
        .bind::<Text, _>(USER_PROPERTY);
    let rows: Vec<ReturnsRow> = query.load(&mut connection).await.map_err(read_failure)?;
    let row = |row: ReturnsRow| Ok((row.first, row.seen, count(row.visitors)?));
    Ok(Returns {
        counts: rows.into_iter().map(row).collect::<Result<_, StoreError>>()?,
        last_at: known.last_at,
    })
}
