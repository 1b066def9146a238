//! Roll-ups on their way into the tables.

use std::collections::BTreeMap;

use diesel::Insertable;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, names};
use pharos_uptime::history::{
    CheckCounts,
    tally::{Depth, Measure, Tally},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    history::{bytes, grain::Grain},
    schema::{uptime_distributions, uptime_rollups},
};

/// How many rows go in one statement: PostgreSQL takes 65,535 values.
const ROWS: usize = 2_000;

/// What each region found, in order of time and of their keys.
pub(super) type Rollups = BTreeMap<(OffsetDateTime, String), Tally>;

#[derive(Insertable)]
#[diesel(table_name = uptime_rollups)]
struct TallyRow<'a> {
    domain_id: Uuid,
    grain: &'static str,
    starts_at: OffsetDateTime,
    region: &'a str,
    counts: Vec<i64>,
    least_us: Option<i64>,
    most_us: Option<i64>,
    samples: Vec<i64>,
    micros: Vec<i64>,
}

#[derive(Insertable)]
#[diesel(table_name = uptime_distributions)]
struct DistributionRow<'a> {
    domain_id: Uuid,
    grain: &'static str,
    measure: &'static str,
    starts_at: OffsetDateTime,
    region: &'a str,
    times: Vec<u8>,
}

/// What finer roll-ups come to in coarser ones.
pub(super) fn coarser(finer: &Rollups, grain: Grain) -> Rollups {
    let mut sums = Rollups::new();
    for ((at, region), tally) in finer {
        sums.entry((grain.start_of(*at), region.clone()))
            .or_default()
            .add(tally, Depth::Phases);
    }
    sums
}

/// Stores roll-ups of one grain.
pub(super) async fn write(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    grain: Grain,
    rollups: &Rollups,
) -> Result<(), Abort<StoreError>> {
    let tallies: Vec<TallyRow<'_>> = rollups
        .iter()
        .map(|((starts_at, region), tally)| tally_row(domain, grain, *starts_at, region, tally))
        .collect::<Result<_, StoreError>>()
        .map_err(Abort::Port)?;
    for rows in tallies.chunks(ROWS) {
        diesel::insert_into(uptime_rollups::table)
            .values(rows)
            .execute(connection)
            .await?;
    }
    let measures = match grain {
        // The phases of an hour are told by their means alone.
        Grain::Hour => &[Measure::Response],
        Grain::Day | Grain::Month | Grain::Quarter => Measure::ALL,
    };
    let mut distributions = Vec::with_capacity(rollups.len() * measures.len());
    for ((starts_at, region), tally) in rollups {
        for measure in measures {
            let times = &tally.times[*measure as usize];
            if times.samples > 0 {
                distributions.push(DistributionRow {
                    domain_id: domain.0,
                    grain: grain.as_str(),
                    measure: measure.as_str(),
                    starts_at: *starts_at,
                    region,
                    times: bytes::write(&times.distribution).map_err(Abort::Port)?,
                });
            }
        }
    }
    for rows in distributions.chunks(ROWS) {
        diesel::insert_into(uptime_distributions::table)
            .values(rows)
            .execute(connection)
            .await?;
    }
    Ok(())
}

fn tally_row<'a>(
    domain: DomainId,
    grain: Grain,
    starts_at: OffsetDateTime,
    region: &'a str,
    tally: &Tally,
) -> Result<TallyRow<'a>, StoreError> {
    let CheckCounts {
        total,
        up,
        down,
        degraded,
    } = tally.counts;
    Ok(TallyRow {
        domain_id: domain.0,
        grain: grain.as_str(),
        starts_at,
        region,
        counts: numbers([total, up, down, degraded])?,
        least_us: tally.least.map(names::count).transpose()?,
        most_us: tally.most.map(names::count).transpose()?,
        samples: numbers(tally.times.iter().map(|times| times.samples))?,
        micros: numbers(tally.times.iter().map(|times| times.micros))?,
    })
}

fn numbers(counts: impl IntoIterator<Item = u64>) -> Result<Vec<i64>, StoreError> {
    counts.into_iter().map(names::count).collect()
}
