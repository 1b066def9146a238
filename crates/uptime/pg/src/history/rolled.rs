//! Reads roll-ups.

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, names, sql};
use pharos_series::{
    cut::{RollupRange, joined},
    histogram::Histogram,
};
use pharos_uptime::history::{
    aggregate::{Depth, Measure},
    plan::{FoundRollups, histograms},
};
use time::OffsetDateTime;

use super::rollup_row::{AggregateRow, HistogramRow};

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
    asked: &[(RollupRange, Depth)],
    region: Option<&str>,
) -> Result<FoundRollups, Abort<StoreError>> {
    // Pipelined.
    let (aggregates, histograms) = tokio::try_join!(
        read_aggregates(connection, domain, asked, region),
        read_histograms(connection, domain, asked, region),
    )?;
    found(aggregates, histograms).map_err(Abort::Port)
}

/// How many checks each roll-up of a range tells of, from all regions or from one. A time comes once for each region; in
/// no order.
pub(super) async fn counts(
    connection: &AsyncPgConnection,
    domain: DomainId,
    counted: Option<RollupRange>,
    region: Option<&str>,
) -> Result<Vec<(OffsetDateTime, u64)>, Abort<StoreError>> {
    let Some(RollupRange { grain, range }) = counted else {
        return Ok(Vec::new());
    };
    let query = sql!("rolled_totals.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(grain.as_str())
        .bind::<Timestamptz, _>(range.from)
        .bind::<Timestamptz, _>(range.until)
        .bind::<Nullable<Text>, _>(region);
    let TotalsRow { starts_at, totals } = query.get_result(&mut &*connection).await?;
    let total = |(at, total)| Ok((at, names::count(total)?));
    let totals: Result<_, StoreError> = starts_at.into_iter().zip(totals).map(total).collect();
    totals.map_err(Abort::Port)
}

async fn read_aggregates(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(RollupRange, Depth)],
    region: Option<&str>,
) -> QueryResult<Vec<AggregateRow<'static>>> {
    let ranges = joined(asked.iter().map(|(range, _)| *range));
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql!("rolled_aggregates.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.range.from))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.range.until))
        .bind::<Nullable<Text>, _>(region);
    query.load(&mut &*connection).await
}

async fn read_histograms(
    connection: &AsyncPgConnection,
    domain: DomainId,
    asked: &[(RollupRange, Depth)],
    region: Option<&str>,
) -> QueryResult<Vec<HistogramRow<'static>>> {
    let (ranges, measures): (Vec<RollupRange>, Vec<&str>) = histograms(asked)
        .into_iter()
        .map(|(range, measure)| (range, measure.as_str()))
        .unzip();
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let query = sql!("rolled_histograms.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(column(&ranges, |range| range.grain.as_str()))
        .bind::<Array<Text>, _>(measures)
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.range.from))
        .bind::<Array<Timestamptz>, _>(column(&ranges, |range| range.range.until))
        .bind::<Nullable<Text>, _>(region);
    query.load(&mut &*connection).await
}

/// Puts together what the statements found.
fn found(
    aggregates: Vec<AggregateRow<'static>>,
    histograms: Vec<HistogramRow<'static>>,
) -> Result<FoundRollups, StoreError> {
    let mut found = FoundRollups::new();
    for row in aggregates {
        let key = (row.grain.parse()?, row.starts_at);
        found
            .entry(key)
            .or_default()
            .push((row.region.into_owned(), row.sums.read()?));
    }
    for row in histograms {
        let measure: Measure = row.measure.parse()?;
        if let Some((_, aggregate)) = found
            .get_mut(&(row.grain.parse()?, row.starts_at))
            .and_then(|regions| regions.iter_mut().find(|(region, _)| *region == row.region))
        {
            aggregate.times[measure as usize].histogram = Histogram::from_bytes(&row.times)?;
        }
    }
    Ok(found)
}

fn column<T>(ranges: &[RollupRange], of: impl FnMut(&RollupRange) -> T) -> Vec<T> {
    ranges.iter().map(of).collect()
}
