//! The figures that alert metrics are made from, for many sites at once.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Integer, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    alert_metrics::{SeenViews, ViewMetricStore, ViewsQuery},
    block::HEADLINE_PERCENT,
    metric::{BUCKET_GROWTH, Between, LEAST, Metric, Rated},
    overview::{MetricValues, ViewFigures},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{PgVitalsReads, figures::metric_of};
use crate::rollups::bands;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    views: i64,
    #[diesel(sql_type = BigInt)]
    core_views: i64,
    #[diesel(sql_type = BigInt)]
    good_views: i64,
    #[diesel(sql_type = BigInt)]
    error_views: i64,
    #[diesel(sql_type = BigInt)]
    errors: i64,
    #[diesel(sql_type = BigInt)]
    back_forwards: i64,
    #[diesel(sql_type = BigInt)]
    restored: i64,
    #[diesel(sql_type = Array<BigInt>)]
    rated: Vec<i64>,
    #[diesel(sql_type = BigInt)]
    requests: i64,
    #[diesel(sql_type = BigInt)]
    failed_requests: i64,
    // For each metric that has a value: where its percentile lies, and how many values there are.
    #[diesel(sql_type = Array<SmallInt>)]
    metrics: Vec<i16>,
    #[diesel(sql_type = Array<SmallInt>)]
    lows: Vec<i16>,
    #[diesel(sql_type = Array<SmallInt>)]
    highs: Vec<i16>,
    #[diesel(sql_type = Array<Double>)]
    beyond: Vec<f64>,
    #[diesel(sql_type = Array<BigInt>)]
    samples: Vec<i64>,
}

impl TryFrom<Row> for SeenViews {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let (mut percentiles, mut samples) = (MetricValues::default(), [0; Metric::ALL.len()]);
        let rated: Vec<u64> = row.rated.into_iter().map(count).collect::<Result<_, _>>()?;
        let rated = Rated::of_all(&rated)
            .ok_or_else(|| StoreError::Corrupt("not three counts of each metric".to_owned()))?;
        let places = row.lows.into_iter().zip(row.highs).zip(row.beyond);
        for ((number, sample), ((low, high), beyond)) in row.metrics.iter().zip(row.samples).zip(places) {
            let metric = metric_of(*number)?;
            let between = Between { low, high, beyond };
            let value = rated[metric as usize].settled(metric, HEADLINE_PERCENT, between.value());
            percentiles.set(metric, Some(value));
            samples[metric as usize] = count(sample)?;
        }
        Ok(Self {
            figures: ViewFigures {
                views: count(row.views)?,
                core_views: count(row.core_views)?,
                good_views: count(row.good_views)?,
                error_views: count(row.error_views)?,
                errors: count(row.errors)?,
                back_forwards: count(row.back_forwards)?,
                restored: count(row.restored)?,
                rated,
                percentiles,
            },
            samples,
            requests: count(row.requests)?,
            failed_requests: count(row.failed_requests)?,
        })
    }
}

#[async_trait]
impl ViewMetricStore for PgVitalsReads {
    async fn views(&self, asked: &[(ViewsQuery, bool)]) -> Result<Vec<Option<SeenViews>>, StoreError> {
        let mut answers = vec![None; asked.len()];
        if asked.is_empty() {
            return Ok(answers);
        }
        let domains: Vec<Uuid> = asked.iter().map(|(query, _)| query.domain.0).collect();
        let since: Vec<OffsetDateTime> = asked.iter().map(|(query, _)| query.range.from).collect();
        let until: Vec<OffsetDateTime> = asked.iter().map(|(query, _)| query.range.until).collect();
        let devices: Vec<Option<i16>> = asked
            .iter()
            .map(|(query, _)| query.device.map(|device| device as i16))
            .collect();
        let with_requests: Vec<bool> = asked.iter().map(|(_, with_requests)| *with_requests).collect();
        let mut connection = self.database.long_read().await?;
        let rows: Vec<Row> = sql!("alert_metrics.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<Timestamptz>, _>(since)
            .bind::<Array<Timestamptz>, _>(until)
            .bind::<Array<Nullable<SmallInt>>, _>(devices)
            .bind::<Array<Bool>, _>(with_requests)
            .bind::<Array<Double>, _>(bands())
            .bind::<Double, _>(LEAST)
            .bind::<Double, _>(BUCKET_GROWTH)
            .bind::<Integer, _>(i32::from(HEADLINE_PERCENT))
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        for row in rows {
            let place = usize::try_from(row.number - 1).ok();
            if let Some(answer) = place.and_then(|place| answers.get_mut(place)) {
                *answer = Some(row.try_into()?);
            }
        }
        Ok(answers)
    }
}
