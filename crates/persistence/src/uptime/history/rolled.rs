//! What roll-ups tell.

use std::collections::BTreeMap;

use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::history::tally::{Depth, Measure, Tally};
use time::OffsetDateTime;

use super::{
    bytes,
    cut::{Range, joined},
    grain::Grain,
    sums::{Sums, check_counts},
};
use crate::{failure::Abort, statement::statement};

struct RolledCounts;
struct RolledTallies;
struct RolledDistributions;

/// What each region found, by what it is a roll-up of; in order of time.
pub(in crate::uptime) type Found = BTreeMap<(Grain, OffsetDateTime), Vec<(String, Tally)>>;

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

/// How many checks of a region came to what, roll-up by roll-up.
#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = Text)]
    grain: String,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = Array<Timestamptz>)]
    starts_at: Vec<OffsetDateTime>,
    #[diesel(sql_type = Array<BigInt>)]
    total: Vec<i64>,
    #[diesel(sql_type = Array<BigInt>)]
    up: Vec<i64>,
    #[diesel(sql_type = Array<BigInt>)]
    down: Vec<i64>,
    #[diesel(sql_type = Array<BigInt>)]
    degraded: Vec<i64>,
}

/// Reads roll-ups, each as deep as it is asked for.
pub(in crate::uptime) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> Result<Found, Abort<StoreError>> {
    let of = |is_timed: bool| {
        let asked = asked
            .iter()
            .filter(move |(_, depth)| (*depth != Depth::Counts) == is_timed);
        joined(asked.map(|(range, _)| *range))
    };
    let (timed, counted) = (of(true), of(false));
    // One after the other on the way there, and no wait in between.
    let (tallies, distributions, counts) = tokio::try_join!(
        tallies(connection, domain, &timed, region),
        distributions(connection, domain, asked, region),
        counts(connection, domain, &counted, region),
    )?;
    found(tallies, distributions, counts).map_err(Abort::Port)
}

async fn tallies(
    connection: &AsyncPgConnection,
    domain: DomainId,
    ranges: &[Range],
    region: Option<&str>,
) -> QueryResult<Vec<TallyRow>> {
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql_query(include_str!("rolled_tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    statement::<RolledTallies, _>(query).load(&mut &*connection).await
}

async fn counts(
    connection: &AsyncPgConnection,
    domain: DomainId,
    ranges: &[Range],
    region: Option<&str>,
) -> QueryResult<Vec<CountsRow>> {
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql_query(include_str!("rolled_counts.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    statement::<RolledCounts, _>(query).load(&mut &*connection).await
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
fn found(
    tallies: Vec<TallyRow>,
    distributions: Vec<DistributionRow>,
    counts: Vec<CountsRow>,
) -> Result<Found, StoreError> {
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
    for row in counts {
        let grain: Grain = row.grain.parse()?;
        let counts = row.total.into_iter().zip(row.up).zip(row.down).zip(row.degraded);
        for (starts_at, (((total, up), down), degraded)) in row.starts_at.into_iter().zip(counts) {
            let regions = found.entry((grain, starts_at)).or_default();
            // What is asked for twice is there already, with its times.
            if regions.iter().all(|(known, _)| *known != row.region) {
                let tally = Tally {
                    counts: check_counts(&[total, up, down, degraded])?,
                    ..Tally::default()
                };
                regions.push((row.region.clone(), tally));
            }
        }
    }
    Ok(found)
}

fn column<T>(ranges: &[Range], of: impl FnMut(&Range) -> T) -> Vec<T> {
    ranges.iter().map(of).collect()
}
