//! What roll-ups tell.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName, sql_query,
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
    connection: &mut AsyncPgConnection,
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
    let mut found = Found::new();
    tallies(connection, domain, &of(true), region, &mut found).await?;
    distributions(connection, domain, asked, region, &mut found).await?;
    counts(connection, domain, &of(false), region, &mut found).await?;
    Ok(found)
}

async fn tallies(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    ranges: &[Range],
    region: Option<&str>,
    found: &mut Found,
) -> Result<(), Abort<StoreError>> {
    if ranges.is_empty() {
        return Ok(());
    }
    let query = sql_query(include_str!("rolled_tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    let rows: Vec<TallyRow> = statement::<RolledTallies, _>(query).load(connection).await?;
    for row in rows {
        let key = (row.grain.parse().map_err(Abort::Port)?, row.starts_at);
        let tally = row.sums.read().map_err(Abort::Port)?;
        found.entry(key).or_default().push((row.region, tally));
    }
    Ok(())
}

/// Adds those of which only counts are asked.
async fn counts(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    ranges: &[Range],
    region: Option<&str>,
    found: &mut Found,
) -> Result<(), Abort<StoreError>> {
    if ranges.is_empty() {
        return Ok(());
    }
    let query = sql_query(include_str!("rolled_counts.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    let rows: Vec<CountsRow> = statement::<RolledCounts, _>(query).load(connection).await?;
    for row in rows {
        let grain: Grain = row.grain.parse().map_err(Abort::Port)?;
        let counts = row.total.into_iter().zip(row.up).zip(row.down).zip(row.degraded);
        for (starts_at, (((total, up), down), degraded)) in row.starts_at.into_iter().zip(counts) {
            let regions = found.entry((grain, starts_at)).or_default();
            // What is asked for twice is there already, with its times.
            if regions.iter().all(|(known, _)| *known != row.region) {
                let counts = check_counts(&[total, up, down, degraded]).map_err(Abort::Port)?;
                let tally = Tally {
                    counts,
                    ..Tally::default()
                };
                regions.push((row.region.clone(), tally));
            }
        }
    }
    Ok(())
}

/// Adds distributions to the tallies that percentiles are asked of.
async fn distributions(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
    found: &mut Found,
) -> Result<(), Abort<StoreError>> {
    let of = |measure: Measure| {
        let asked = asked.iter().filter(move |(_, depth)| depth.measures().contains(&measure));
        joined(asked.map(|(range, _)| *range))
            .into_iter()
            .map(move |range| (range, measure.as_str()))
    };
    let (ranges, measures): (Vec<Range>, Vec<&str>) =
        Measure::ALL.iter().flat_map(|measure| of(*measure)).unzip();
    if ranges.is_empty() {
        return Ok(());
    }
    let query = sql_query(include_str!("rolled_distributions.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Text>, _>(measures)
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.until))
        .bind::<Nullable<Text>, _>(region);
    let rows: Vec<DistributionRow> = statement::<RolledDistributions, _>(query)
        .load(connection)
        .await?;
    for row in rows {
        let key = (row.grain.parse().map_err(Abort::Port)?, row.starts_at);
        let measure: Measure = row.measure.parse().map_err(|name| Abort::Port(StoreError::from(name)))?;
        if let Some((_, tally)) = found
            .get_mut(&key)
            .and_then(|regions| regions.iter_mut().find(|(region, _)| *region == row.region))
        {
            tally.times[measure as usize].distribution = bytes::read(&row.times).map_err(Abort::Port)?;
        }
    }
    Ok(())
}

fn column<T>(ranges: &[Range], of: impl FnMut(&Range) -> T) -> Vec<T> {
    ranges.iter().map(of).collect()
}
