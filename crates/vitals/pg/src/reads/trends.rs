//! How metrics go over time, and how their values are spread.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Integer, Nullable, SmallInt, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    metric::{BUCKET_GROWTH, Between, LEAST, Metric, Rated},
    overview::{PercentileMethod, ViewFilter},
    trends::{
        DISTRIBUTION_PERCENTS, Distribution, SeriesFigures, SeriesPiece, SeriesQuery, TrendReads, spread,
    },
};
use time::OffsetDateTime;

use super::{
    PgVitalsReads,
    asked::{Asked, bound},
};
use crate::rollups::bands;

#[async_trait]
impl TrendReads for PgVitalsReads {
    async fn series(
        &self,
        domain: &DomainAccess,
        query: &SeriesQuery<'_>,
    ) -> Result<Vec<SeriesPiece>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: query.window,
            filter: query.filter,
        };
        let mut pieces = counts(&mut connection, asked, query).await?;
        let percentiles = match query.method() {
            PercentileMethod::Histogram => of_histograms(&mut connection, asked, query).await?,
            PercentileMethod::Exact => exact(&mut connection, asked, query).await?,
        };
        for (start, place, value) in percentiles {
            // A view that came between the two statements is in the second alone.
            let piece = pieces.get_mut(&start);
            let slot = piece.and_then(|figures| figures.percentiles.get_mut(place));
            if let Some(slot) = slot {
                *slot = value.map(|value| rounded(place, value));
            }
        }
        if query.method() == PercentileMethod::Histogram {
            for figures in pieces.values_mut() {
                figures.settle(query.percent);
            }
        }
        let pieces = pieces.into_iter();
        Ok(pieces
            .map(|(start, figures)| SeriesPiece { start, figures })
            .collect())
    }

    async fn distribution(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        metric: Metric,
        edges: &[f64],
    ) -> Result<Distribution, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: window,
            filter,
        };
        let figures = asked.figures(&mut connection).await?;
        let all = figures.get(&(None, None)).copied().unwrap_or_default();
        let rated = all.rated[metric as usize];
        let (counts, percentiles) = match filter.method() {
            PercentileMethod::Histogram => {
                let buckets = buckets(&mut connection, asked, metric).await?;
                let (counts, estimates) = spread(metric, &buckets, edges);
                let settled = |place: usize| {
                    let percent = DISTRIBUTION_PERCENTS[place];
                    estimates[place].map(|estimate| rated.settled(metric, percent, estimate))
                };
                (counts, std::array::from_fn(settled))
            }
            PercentileMethod::Exact => spread_exactly(&mut connection, asked, metric, edges).await?,
        };
        Ok(Distribution {
            counts,
            percentiles,
            split: rated.split(),
        })
    }
}

/// A percentile, rounded as answers show its metric. The percentiles stand in the order of [`Metric::ALL`]; those that follow the
/// metrics are times, which are rounded as the paint is.
fn rounded(place: usize, value: f64) -> f64 {
    Metric::ALL.get(place).unwrap_or(&Metric::Lcp).rounded(value)
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = Timestamptz)]
    start: OffsetDateTime,
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
}

async fn counts(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    query: &SeriesQuery<'_>,
) -> Result<BTreeMap<OffsetDateTime, SeriesFigures>, StoreError> {
    let statement = bound!(asked, sql!("series_counts.sql"))
        .bind::<Bool, _>(query.method() == PercentileMethod::Histogram)
        .bind::<Text, _>(query.granularity.as_str())
        .bind::<Array<Double>, _>(bands());
    let rows: Vec<CountsRow> = statement.load(connection).await.map_err(read_failure)?;
    rows.into_iter()
        .map(|row| {
            let counts: Vec<u64> = row.counts.into_iter().map(count).collect::<Result<_, _>>()?;
            let [
                views,
                core_views,
                good_views,
                error_views,
                errors,
                rated @ ..,
                long_tasks,
            ] = counts.as_slice()
            else {
                return Err(StoreError::Corrupt("too few counts of a piece".to_owned()));
            };
            let rated = Rated::of_all(rated)
                .ok_or_else(|| StoreError::Corrupt("not three counts of each metric".to_owned()))?;
            let figures = SeriesFigures {
                views: *views,
                core_views: *core_views,
                good_views: *good_views,
                error_views: *error_views,
                errors: *errors,
                rated,
                long_tasks: *long_tasks,
                percentiles: [None; 6],
            };
            Ok((row.start, figures))
        })
        .collect()
}

/// Percentiles: of which piece, in which place, and their value.
type Percentiles = Vec<(OffsetDateTime, usize, Option<f64>)>;

#[derive(QueryableByName)]
struct BetweenRow {
    #[diesel(sql_type = SmallInt)]
    metric: i16,
    #[diesel(sql_type = Timestamptz)]
    start: OffsetDateTime,
    #[diesel(sql_type = SmallInt)]
    low: i16,
    #[diesel(sql_type = SmallInt)]
    high: i16,
    #[diesel(sql_type = Double)]
    beyond: f64,
}

async fn of_histograms(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    query: &SeriesQuery<'_>,
) -> Result<Percentiles, StoreError> {
    let statement = bound!(asked, sql!("series_histograms.sql"))
        .bind::<Bool, _>(true)
        .bind::<Text, _>(query.granularity.as_str())
        .bind::<Double, _>(LEAST)
        .bind::<Double, _>(BUCKET_GROWTH)
        .bind::<Integer, _>(i32::from(query.percent));
    let rows: Vec<BetweenRow> = statement.load(connection).await.map_err(read_failure)?;
    let found = rows.into_iter().map(|row| {
        let between = Between {
            low: row.low,
            high: row.high,
            beyond: row.beyond,
        };
        (
            row.start,
            usize::from(row.metric.unsigned_abs()),
            Some(between.value()),
        )
    });
    Ok(found.collect())
}

#[derive(QueryableByName)]
struct PercentilesRow {
    #[diesel(sql_type = Timestamptz)]
    start: OffsetDateTime,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    percentiles: Vec<Option<f64>>,
}

async fn exact(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    query: &SeriesQuery<'_>,
) -> Result<Percentiles, StoreError> {
    let statement = bound!(asked, sql!("series_percentiles.sql"))
        .bind::<Text, _>(query.granularity.as_str())
        .bind::<Integer, _>(i32::from(query.percent));
    let rows: Vec<PercentilesRow> = statement.load(connection).await.map_err(read_failure)?;
    let found = rows.into_iter().flat_map(|row| {
        let start = row.start;
        let places = row.percentiles.into_iter().enumerate();
        places.map(move |(place, value)| (start, place, value))
    });
    Ok(found.collect())
}

#[derive(QueryableByName)]
struct BucketRow {
    #[diesel(sql_type = SmallInt)]
    bucket: i16,
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// How many values lie in which bucket, in order.
async fn buckets(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    metric: Metric,
) -> Result<Vec<(i16, u64)>, StoreError> {
    let statement = bound!(asked, sql!("distribution_counts.sql"))
        .bind::<Bool, _>(asked.reads_rollups())
        .bind::<SmallInt, _>(metric as i16)
        .bind::<Double, _>(LEAST)
        .bind::<Double, _>(BUCKET_GROWTH);
    let rows: Vec<BucketRow> = statement.load(connection).await.map_err(read_failure)?;
    let buckets = rows.into_iter().map(|row| Ok((row.bucket, count(row.n)?)));
    buckets.collect()
}

#[derive(QueryableByName)]
struct SpreadRow {
    #[diesel(sql_type = Nullable<Array<Nullable<Double>>>)]
    percentiles: Option<Vec<Option<f64>>>,
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
}

async fn spread_exactly(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    metric: Metric,
    edges: &[f64],
) -> Result<(Vec<u64>, [Option<f64>; 7]), StoreError> {
    let shares: Vec<f64> = DISTRIBUTION_PERCENTS
        .iter()
        .map(|percent| f64::from(*percent) / 100.0)
        .collect();
    let statement = bound!(asked, sql!("distribution_exact.sql"))
        .bind::<SmallInt, _>(metric as i16)
        .bind::<Array<Double>, _>(shares)
        .bind::<Array<Double>, _>(edges);
    let row: SpreadRow = statement.get_result(connection).await.map_err(read_failure)?;
    let counts = row.counts.into_iter().map(count).collect::<Result<_, _>>()?;
    let mut percentiles = [None; 7];
    for (slot, value) in percentiles.iter_mut().zip(row.percentiles.unwrap_or_default()) {
        *slot = value.map(|value| metric.rounded(value));
    }
    Ok((counts, percentiles))
}
