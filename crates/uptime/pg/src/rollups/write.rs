//! Roll-ups on their way into the tables.

use diesel::ExpressionMethods;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::failure::Abort;
use pharos_series::{aggregate::Rollups, grain::Grain};
use pharos_uptime::history::aggregate::{CheckAggregate, Depth};

use crate::{
    history::{
        rollup_row::{AggregateRow, HistogramRow},
        sums::Sums,
    },
    schema::{uptime_distributions, uptime_rollups},
};

/// How many rows go in one statement: PostgreSQL takes 65,535 values.
const ROWS: usize = 2_000;

/// Stores roll-ups of one grain.
pub(super) async fn write(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    grain: Grain,
    rollups: &Rollups<String, CheckAggregate>,
) -> Result<(), Abort<StoreError>> {
    let aggregates: Vec<_> = rollups
        .iter()
        .map(|((starts_at, region), aggregate)| {
            let row = AggregateRow {
                grain: grain.as_str().into(),
                starts_at: *starts_at,
                region: region.into(),
                sums: Sums::of(aggregate)?,
            };
            Ok((uptime_rollups::domain_id.eq(domain.0), row))
        })
        .collect::<Result<_, StoreError>>()
        .map_err(Abort::Port)?;
    for rows in aggregates.chunks(ROWS) {
        diesel::insert_into(uptime_rollups::table)
            .values(rows)
            .execute(connection)
            .await?;
    }
    let measures = Depth::kept(grain).measures();
    let mut histograms = Vec::with_capacity(rollups.len() * measures.len());
    for ((starts_at, region), aggregate) in rollups {
        for measure in measures {
            let times = &aggregate.times[*measure as usize];
            if times.samples > 0 {
                let row = HistogramRow {
                    grain: grain.as_str().into(),
                    measure: measure.as_str().into(),
                    starts_at: *starts_at,
                    region: region.into(),
                    times: times.histogram.to_bytes().map_err(Abort::Port)?,
                };
                histograms.push((uptime_distributions::domain_id.eq(domain.0), row));
            }
        }
    }
    for rows in histograms.chunks(ROWS) {
        diesel::insert_into(uptime_distributions::table)
            .values(rows)
            .execute(connection)
            .await?;
    }
    Ok(())
}
