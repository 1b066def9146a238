//! From questions to ranges, from ranges to rows, from rows to answers.

use std::collections::{BTreeMap, BTreeSet};

use diesel::{
    OptionalExtension, QueryDsl, sql_query,
    sql_types::{Array, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::history::{
    Question,
    tally::{Depth, Measure, Tallies, Tally},
};
use time::OffsetDateTime;

use super::{
    cut::{Pieces, Range, cut, joined},
    row::{DistributionRow, TallyRow},
};
use crate::{
    failure::Abort, schema::uptime_rollup_progress, statement::statement, uptime::rollups::grain::Grain,
};

struct ReadTallies;
struct ReadDistributions;

/// What was read, in order of time; what is not rolled up stands among the hours.
type Found = BTreeMap<(Grain, OffsetDateTime), Vec<(String, Tally)>>;

pub(super) async fn read(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    questions: &[Question],
    region: Option<&str>,
) -> Result<Vec<Tallies>, Abort<StoreError>> {
    let rolled_until: Option<Option<OffsetDateTime>> = uptime_rollup_progress::table
        .find(domain.0)
        .select(uptime_rollup_progress::rolled_until)
        .first(connection)
        .await
        .optional()?;
    let asked: Vec<(&Question, Pieces)> = questions
        .iter()
        .map(|question| (question, cut(question.stretch, rolled_until.flatten())))
        .collect();
    let mut found = tallies(connection, domain, &asked, region).await?;
    distributions(connection, domain, &asked, region, &mut found).await?;
    Ok(asked
        .iter()
        .map(|(question, pieces)| answer(&found, question, pieces))
        .collect())
}

/// Puts together what a question asks for.
fn answer(found: &Found, question: &Question, pieces: &Pieces) -> Tallies {
    let hours = pieces.rest.map(|(since, until)| Range {
        grain: Grain::Hour,
        since,
        until,
    });
    let mut sums = Tallies::default();
    for Range { grain, since, until } in pieces.rolled.iter().copied().chain(hours) {
        for (region, tally) in found
            .range((grain, since)..(grain, until))
            .flat_map(|(_, regions)| regions)
        {
            sums.add(region, tally, question.depth);
        }
    }
    sums
}

async fn tallies(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    asked: &[(&Question, Pieces)],
    region: Option<&str>,
) -> Result<Found, Abort<StoreError>> {
    let of = |is_timed: bool| {
        let asked = asked
            .iter()
            .filter(move |(question, _)| (question.depth != Depth::Counts) == is_timed);
        joined(asked.flat_map(|(_, pieces)| pieces.rolled.iter().copied()))
    };
    let (timed, counted) = (of(true), of(false));
    let is_timed: Vec<bool> = timed
        .iter()
        .map(|_| true)
        .chain(counted.iter().map(|_| false))
        .collect();
    let ranges: Vec<Range> = timed.into_iter().chain(counted).collect();
    let (since, until) = rest(asked.iter().map(|(_, pieces)| pieces));
    let query = sql_query(include_str!("tallies.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(
            ranges
                .iter()
                .map(|range| range.grain.as_str())
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Timestamptz>, _>(ranges.iter().map(|range| range.since).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(ranges.iter().map(|range| range.until).collect::<Vec<_>>())
        .bind::<Nullable<Text>, _>(region)
        .bind::<Nullable<Timestamptz>, _>(since)
        .bind::<Nullable<Timestamptz>, _>(until)
        .bind::<Array<Bool>, _>(is_timed);
    let rows: Vec<TallyRow> = statement::<ReadTallies, _>(query).load(connection).await?;
    let mut found = Found::new();
    for mut row in rows {
        let key = (row.grain.parse().map_err(Abort::Port)?, row.starts_at);
        let region = std::mem::take(&mut row.region);
        let is_timed = row.samples.is_some();
        let tally = row.try_into().map_err(Abort::Port)?;
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

/// Adds distributions to the tallies of the questions that want percentiles.
async fn distributions(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    asked: &[(&Question, Pieces)],
    region: Option<&str>,
    found: &mut Found,
) -> Result<(), Abort<StoreError>> {
    let wants = |measure: Measure| {
        asked
            .iter()
            .filter(move |(question, _)| question.depth.measures().contains(&measure))
            .map(|(_, pieces)| pieces)
    };
    let (mut measures, mut ranges) = (Vec::new(), Vec::new());
    let mut fresh = BTreeSet::new();
    for measure in Measure::ALL {
        for range in joined(wants(*measure).flat_map(|pieces| pieces.rolled.iter().copied())) {
            measures.push(measure.as_str());
            ranges.push(range);
        }
        if wants(*measure).any(|pieces| pieces.rest.is_some()) {
            fresh.insert(measure.as_str());
        }
    }
    if ranges.is_empty() && fresh.is_empty() {
        return Ok(());
    }
    let (since, until) = rest(Measure::ALL.iter().flat_map(|measure| wants(*measure)));
    let query = sql_query(include_str!("distributions.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(
            ranges
                .iter()
                .map(|range| range.grain.as_str())
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Text>, _>(measures)
        .bind::<Array<Timestamptz>, _>(ranges.iter().map(|range| range.since).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(ranges.iter().map(|range| range.until).collect::<Vec<_>>())
        .bind::<Nullable<Text>, _>(region)
        .bind::<Array<Text>, _>(fresh.into_iter().collect::<Vec<_>>())
        .bind::<Nullable<Timestamptz>, _>(since)
        .bind::<Nullable<Timestamptz>, _>(until);
    let rows: Vec<DistributionRow> = statement::<ReadDistributions, _>(query).load(connection).await?;
    for row in rows {
        let key = (row.grain.parse().map_err(Abort::Port)?, row.starts_at);
        let (measure, distribution) = row.read().map_err(Abort::Port)?;
        if let Some(tally) = found
            .get_mut(&key)
            .and_then(|regions| regions.iter_mut().find(|(region, _)| *region == row.region))
            .map(|(_, tally)| tally)
        {
            tally.times[measure as usize].distribution = distribution;
        }
    }
    Ok(())
}

/// From the first to the last of what is not rolled up.
fn rest<'a>(pieces: impl Iterator<Item = &'a Pieces>) -> (Option<OffsetDateTime>, Option<OffsetDateTime>) {
    let (starts, ends): (Vec<OffsetDateTime>, Vec<OffsetDateTime>) =
        pieces.filter_map(|pieces| pieces.rest).unzip();
    (starts.into_iter().min(), ends.into_iter().max())
}
