//! What roll-ups tell.

use std::collections::BTreeMap;

use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, names, statement::statement};
use pharos_uptime::history::tally::{Depth, Measure, Tally};
use time::OffsetDateTime;

use super::{
    bytes,
    cut::{Range, joined},
    grain::Grain,
    sums::Sums,
};

struct RolledTotals;
struct RolledTallies;
struct RolledDistributions;

/// What each region found, by what it is a roll-up of; in order of time.
pub(crate) type Found = BTreeMap<(Grain, OffsetDateTime), Vec<(String, Tally)>>;

/// A roll-up of a region, without its distributions.
#[derive(QueryableByName)]
struct TallyRow {
    #[diesel(sql_type = Text)]
    grain: String,
    #[diesel(sql_type = Timestamptz)]
    starts_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(embed)]
    sums: Sums,
}

/// How often a region measured which time.
#[derive(QueryableByName)]
struct DistributionRow {
    #[diesel(sql_type = Text)]
    grain: String,
    #[diesel(sql_type = Text)]
    measure: String,
    #[diesel(sql_type = Timestamptz)]
    starts_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Binary)]
    times: Vec<u8>,
}

/// How many checks ran, roll-up by roll-up.
#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = Array<Timestamptz>)]
    starts_at: Vec<OffsetDateTime>,
    #[diesel(sql_type = Array<BigInt>)]
    totals: Vec<i64>,
}

/// Reads roll-ups, each as deep as it is asked for.
pub(crate) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> Result<Found, Abort<StoreError>> {
    // One after the other on the way there, and no wait in between.
    let (tallies, distributions) = tokio::try_join!(
        tallies(connection, domain, asked, region),
        distributions(connection, domain, asked, region),
    )?;
    found(tallies, distributions).map_err(Abort::Port)
}

/// How many checks each roll-up of a range tells of, from all regions or from one. What has several regions comes several
/// times; in no order.
pub(super) async fn totals(
    connection: &AsyncPgConnection,
    domain: DomainId,
    range: Option<Range>,
    region: Option<&str>,
) -> Result<Vec<(OffsetDateTime, u64)>, Abort<StoreError>> {
    let Some(Range { grain, since, until }) = range else {
        return Ok(Vec::new());
    };
    let query = sql_query(include_str!("rolled_totals.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(grain.as_str())
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until)
        .bind::<Nullable<Text>, _>(region);
    let TotalsRow { starts_at, totals } = statement::<RolledTotals, _>(query)
        .get_result(&mut &*connection)
        .await?;
    let total = |(at, total)| Ok((at, names::count(total)?));
    let totals: Result<_, StoreError> = starts_at.into_iter().zip(totals).map(total).collect();
    totals.map_err(Abort::Port)
}

async fn tallies(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> QueryResult<Vec<TallyRow>> {
    let ranges = joined(asked.iter().map(|(range, _)| *range));
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql_query(include_str!("rolled_tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    statement::<RolledTallies, _>(query).load(&mut &*connection).await
}

async fn distributions(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> QueryResult<Vec<DistributionRow>> {
    let of = |measure: Measure| {
        let asked = asked
            .iter()
            .filter(move |(_, depth)| depth.measures().contains(&measure));
        joined(asked.map(|(range, _)| *range))
            .into_iter()
            .map(move |range| (range, measure.as_str()))
    };
    let (ranges, measures): (Vec<Range>, Vec<&str>) =
        Measure::ALL.iter().flat_map(|measure| of(*measure)).unzip();
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql_query(include_str!("rolled_distributions.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Text>, _>(measures)
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    statement::<RolledDistributions, _>(query)
        .load(&mut &*connection)
        .await
}

/// Puts together what the statements found.
fn found(tallies: Vec<TallyRow>, distributions: Vec<DistributionRow>) -> Result<Found, StoreError> {
    let mut found = Found::new();
    for row in tallies {
        let key = (row.grain.parse()?, row.starts_at);
        found.entry(key).or_default().push((row.region, row.sums.read()?));
    }
    for row in distributions {
        let measure: Measure = row.measure.parse()?;
        if let Some((_, tally)) = found
            .get_mut(&(row.grain.parse()?, row.starts_at))
            .and_then(|regions| regions.iter_mut().find(|(region, _)| *region == row.region))
        {
            tally.times[measure as usize].distribution = bytes::read(&row.times)?;
        }
    }
    Ok(found)
}

fn column<T>(ranges: &[Range], of: impl FnMut(&Range) -> T) -> Vec<T> {
    ranges.iter().map(of).collect()
}
