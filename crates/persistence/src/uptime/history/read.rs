//! From questions to pieces of time, from pieces to what is known of them, from that to answers.

use std::cmp::Reverse;

use diesel::{OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_uptime::{
    availability::Stretch,
    history::{
        Question,
        tally::{Measure, Tallies},
    },
};
use time::OffsetDateTime;

use super::{
    cut::{Pieces, Range, cut},
    grain::Grain,
    hours,
    rolled::{self, Found},
};
use crate::{failure::Abort, schema::uptime_rollup_progress};

pub(super) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    questions: &[Question],
    region: Option<&str>,
) -> Result<Vec<Tallies>, Abort<StoreError>> {
    let rolled_until: Option<Option<OffsetDateTime>> = uptime_rollup_progress::table
        .find(domain.0)
        .select(uptime_rollup_progress::rolled_until)
        .first(&mut &*connection)
        .await
        .optional()?;
    let asked: Vec<(&Question, Pieces)> = questions
        .iter()
        .map(|question| (question, cut(question.stretch, rolled_until.flatten())))
        .collect();
    let ranges: Vec<_> = asked
        .iter()
        .flat_map(|(question, pieces)| pieces.rolled.iter().map(|range| (*range, question.depth)))
        .collect();
    let rest = rest(&asked);
    let (mut found, hours) = tokio::try_join!(rolled::read(connection, domain, &ranges, region), async {
        match &rest {
            Some((stretch, measures)) => hours::read(connection, domain, *stretch, region, measures).await,
            None => Ok(Vec::new()),
        }
    })?;
    // What is not rolled up stands among the hours.
    for (hour, region, tally) in hours {
        found.entry((Grain::Hour, hour)).or_default().push((region, tally));
    }
    Ok(asked
        .iter()
        .map(|(question, pieces)| answer(&found, question, pieces))
        .collect())
}

/// From the first to the last of what is not rolled up, and of what percentiles are asked for within.
fn rest(asked: &[(&Question, Pieces)]) -> Option<(Stretch, Vec<Measure>)> {
    let rests = asked
        .iter()
        .filter_map(|(question, pieces)| Some((pieces.rest?, question.depth.measures())));
    let wanted = |measure: &Measure| rests.clone().any(|(_, measures)| measures.contains(measure));
    let measures = Measure::ALL.iter().copied().filter(wanted).collect();
    let stretch = rests
        .clone()
        .map(|(stretch, _)| stretch)
        .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
    Some((stretch, measures))
}

/// Puts together what a question asks for.
fn answer(found: &Found, question: &Question, pieces: &Pieces) -> Tallies {
    let hours = pieces.rest.map(|(since, until)| Range {
        grain: Grain::Hour,
        since,
        until,
    });
    let mut ranges: Vec<Range> = pieces.rolled.iter().copied().chain(hours).collect();
    // The coarsest first: they know nearly every time that the others have.
    ranges.sort_unstable_by_key(|range| Reverse(range.grain));
    let mut sums = Tallies::default();
    for Range { grain, since, until } in ranges {
        for (region, tally) in found
            .range((grain, since)..(grain, until))
            .flat_map(|(_, regions)| regions)
        {
            sums.add(region, tally, question.depth);
        }
    }
    sums
}
