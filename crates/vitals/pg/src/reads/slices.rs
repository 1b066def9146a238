//! Views by what they have in common.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Double, Integer, Nullable, SmallInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    metric::{Metric, Rated},
    overview::{MetricValues, ViewFigures, ViewFilter},
    slices::{Dimension, Slice, SliceKey, SliceReads, Slices},
};

use super::{
    PgVitalsReads,
    asked::{Asked, bound},
};
use crate::rollups::bands;

#[async_trait]
impl SliceReads for PgVitalsReads {
    async fn slices(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        dimensions: &[Dimension],
        most: usize,
        percent: u8,
    ) -> Result<Vec<Slices>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let asked = Asked {
            domain: domain.id(),
            days: window,
            filter,
        };
        let mut found = Vec::with_capacity(dimensions.len());
        for dimension in dimensions {
            found.push(slices(&mut connection, asked, *dimension, most, percent).await?);
        }
        Ok(found)
    }
}

#[derive(QueryableByName)]
struct SliceRow {
    #[diesel(sql_type = Nullable<Integer>)]
    key: Option<i32>,
    #[diesel(sql_type = BigInt)]
    all_views: i64,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
    #[diesel(sql_type = Array<Nullable<Double>>)]
    percentiles: Vec<Option<f64>>,
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    version: Option<String>,
}

/// The slices of one dimension, most views first.
pub(super) async fn slices(
    connection: &mut AsyncPgConnection,
    asked: Asked<'_>,
    dimension: Dimension,
    most: usize,
    percent: u8,
) -> Result<Slices, StoreError> {
    let statement = bound!(asked, sql!("slices.sql"))
        .bind::<Array<Double>, _>(bands())
        .bind::<SmallInt, _>(dimension as i16)
        .bind::<Integer, _>(i32::from(percent))
        .bind::<BigInt, _>(i64::try_from(most.saturating_add(1)).unwrap_or(i64::MAX));
    let rows: Vec<SliceRow> = statement.load(connection).await.map_err(read_failure)?;
    let views = rows
        .as_slice()
        .first()
        .map_or(Ok(0), |row| count(row.all_views))?;
    let is_truncated = rows.len() > most;
    let slices = rows.into_iter().take(most).map(SliceRow::slice);
    Ok(Slices {
        slices: slices.collect::<Result<_, _>>()?,
        views,
        is_truncated,
    })
}

impl SliceRow {
    fn slice(self) -> Result<Slice, StoreError> {
        let key = match (self.text, self.key) {
            (Some(text), _) => SliceKey::Text(text, self.version),
            (None, Some(kind)) => SliceKey::Kind(usize::try_from(kind).unwrap_or(usize::MAX)),
            (None, None) => SliceKey::Unknown,
        };
        Ok(Slice {
            key,
            figures: figures(self.figures, self.percentiles)?,
        })
    }
}

/// Figures, and the percentiles of each metric, in the order in which statements tell them.
pub(super) fn figures(told: Vec<i64>, percentiles: Vec<Option<f64>>) -> Result<ViewFigures, StoreError> {
    let told: Vec<u64> = told.into_iter().map(count).collect::<Result<_, _>>()?;
    let [
        views,
        core_views,
        good_views,
        error_views,
        errors,
        back_forwards,
        restored,
        bands @ ..,
    ] = told.as_slice()
    else {
        return Err(StoreError::Corrupt("too few figures of views".to_owned()));
    };
    let mut rated = [Rated::default(); 5];
    for (rated, told) in rated.iter_mut().zip(bands.chunks_exact(3)) {
        (rated.good, rated.needs_improvement, rated.poor) = (told[0], told[1], told[2]);
    }
    let mut values = MetricValues::default();
    for (metric, value) in Metric::ALL.iter().zip(percentiles) {
        values.set(*metric, value);
    }
    Ok(ViewFigures {
        views: *views,
        core_views: *core_views,
        good_views: *good_views,
        error_views: *error_views,
        errors: *errors,
        back_forwards: *back_forwards,
        restored: *restored,
        rated,
        percentiles: values,
    })
}
