//! From questions to pieces of time, from pieces to what is known of them, from that to answers.

use std::cmp::Reverse;

use diesel::{OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::failure::Abort;
use pharos_uptime::{
    availability::Stretch,
    history::{
        Question, Told,
        tally::{Depth, Measure, Tallies},
    },
};
use time::OffsetDateTime;

use super::{
    cut::{Pieces, Range, cut, steps},
    hours::{self, Hour},
    rolled,
};
use crate::schema::uptime_rollup_progress;

pub(super) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    questions: &[Question],
    edges: &[OffsetDateTime],
    region: Option<&str>,
) -> Result<Told, Abort<StoreError>> {
    let rolled_until: Option<Option<OffsetDateTime>> = uptime_rollup_progress::table
        .find(domain.0)
        .select(uptime_rollup_progress::rolled_until)
        .first(&mut &*connection)
        .await
        .optional()?;
    let pieces = |stretch: Stretch| cut(stretch, rolled_until.flatten());
    let asked: Vec<(Depth, Pieces)> = questions
        .iter()
        .map(|question| (question.depth, pieces(question.stretch)))
        .collect();
    let (counted, uncounted) = steps(edges, rolled_until.flatten());
    // One after the other on the way there, and no wait in between: what is rolled up is summed while PostgreSQL is at
    // the rest.
    let (mut tallies, mut totals, mut hours) = tokio::try_join!(
        rolled_up(connection, domain, &asked, region),
        rolled::totals(connection, domain, counted, region),
        rest(connection, domain, &asked, uncounted, region),
    )?;
    hours.sort_unstable_by_key(|(hour, ..)| *hour);
    for ((depth, pieces), sums) in asked.iter().zip(&mut tallies) {
        let Some((since, until)) = pieces.rest else {
            continue;
        };
        let from = hours.partition_point(|(hour, ..)| *hour < since);
        for (_, region, tally) in hours[from..].iter().take_while(|(hour, ..)| *hour < until) {
            sums.add(region, tally, *depth);
        }
    }
    // What is not rolled up stands among the hours, all of which are later.
    totals.sort_unstable_by_key(|(at, _)| *at);
    totals.extend(hours.iter().map(|(hour, _, tally)| (*hour, tally.counts.total)));
    Ok(Told {
        tallies,
        totals: between(&totals, edges),
    })
}

/// What is rolled up of what is asked for.
async fn rolled_up(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Depth, Pieces)],
    region: Option<&str>,
) -> Result<Vec<Tallies>, Abort<StoreError>> {
    let ranges: Vec<(Range, Depth)> = asked
        .iter()
        .flat_map(|(depth, pieces)| pieces.rolled.iter().map(|range| (*range, *depth)))
        .collect();
    let found = rolled::read(connection, domain, &ranges, region).await?;
    let sum = |(depth, pieces): &(Depth, Pieces)| {
        let mut ranges = pieces.rolled.clone();
        // The coarsest first: they know nearly every time that the others have.
        ranges.sort_unstable_by_key(|range| Reverse(range.grain));
        let mut sums = Tallies::default();
        for Range { grain, since, until } in ranges {
            for (region, tally) in found
                .range((grain, since)..(grain, until))
                .flat_map(|(_, regions)| regions)
            {
                sums.add(region, tally, *depth);
            }
        }
        sums
    };
    Ok(asked.iter().map(sum).collect())
}

/// Reads what is not rolled up, from the first of it to the last.
async fn rest(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(Depth, Pieces)],
    uncounted: Option<Stretch>,
    region: Option<&str>,
) -> Result<Vec<Hour>, Abort<StoreError>> {
    let fresh = asked.iter().filter(|(_, pieces)| pieces.rest.is_some());
    let wanted = |measure: &Measure| fresh.clone().any(|(depth, _)| depth.measures().contains(measure));
    let measures: Vec<Measure> = Measure::ALL.iter().copied().filter(wanted).collect();
    let stretch = asked
        .iter()
        .filter_map(|(_, pieces)| pieces.rest)
        .chain(uncounted)
        .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    match stretch {
        Some(stretch) => hours::read(connection, domain, stretch, region, &measures).await,
        None => Ok(Vec::new()),
    }
}

/// Sums totals, in order of time, from each edge to the next.
fn between(totals: &[(OffsetDateTime, u64)], edges: &[OffsetDateTime]) -> Vec<u64> {
    let mut rest = totals.iter().peekable();
    let mut sum_until = |edge: &OffsetDateTime| {
        let before = std::iter::from_fn(|| rest.next_if(|(at, _)| at < edge));
        before.map(|(_, total)| total).sum()
    };
    let mut sums: Vec<u64> = edges.iter().map(&mut sum_until).collect();
    // What lies before the first was asked for by something else.
    sums.drain(..sums.len().min(1));
    sums
}
