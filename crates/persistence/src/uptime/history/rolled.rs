//! What roll-ups tell.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName, sql_query,
    sql_types::{Array, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::history::tally::{Depth, Measure, Tally};
use time::OffsetDateTime;

use super::{
    bytes,
    cut::{Range, joined},
    grain::Grain,
    sums::Sums,
};
use crate::{failure::Abort, statement::statement};

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

/// Reads roll-ups, each as deep as it is asked for.
pub(in crate::uptime) async fn read(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> Result<Found, Abort<StoreError>> {
    let mut found = tallies(connection, domain, asked, region).await?;
    distributions(connection, domain, asked, region, &mut found).await?;
    Ok(found)
}

async fn tallies(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    asked: &[(Range, Depth)],
    region: Option<&str>,
) -> Result<Found, Abort<StoreError>> {
    let of = |is_timed: bool| {
        let asked = asked.iter().filter(|(_, depth)| (*depth != Depth::Counts) == is_timed);
        joined(asked.map(|(range, _)| *range))
            .into_iter()
            .map(move |range| (range, is_timed))
    };
    let (ranges, is_timed): (Vec<Range>, Vec<bool>) = of(true).chain(of(false)).unzip();
    if ranges.is_empty() {
        return Ok(Found::new());
    }
    let query = sql_query(include_str!("rolled_tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.since))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.until))
        .bind::<Array<Bool>, _>(is_timed)
        .bind::<Nullable<Text>, _>(region);
    let rows: Vec<TallyRow> = statement::<RolledTallies, _>(query).load(connection).await?;
    let mut found = Found::new();
    for TallyRow {
        grain,
        starts_at,
        region,
        sums,
    } in rows
    {
        let key = (grain.parse().map_err(Abort::Port)?, starts_at);
        let is_timed = sums.is_timed();
        let tally = sums.read().map_err(Abort::Port)?;
        let regions = found.entry(key).or_default();
        match regions.iter_mut().find(|(known, _)| *known == region) {
            // What is asked for twice is kept with its times.
            Some(kept) if is_timed => kept.1 = tally,
            Some(_) => {}
            None => regions.push((region, tally)),
        }
    }
    Ok(found)
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
