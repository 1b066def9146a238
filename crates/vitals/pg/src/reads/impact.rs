//! Which pages most visitors are held up by.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Double, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_vitals::{
    impact::{Impact, ImpactMetric, ImpactReads, MEDIA, SuspectedCause},
    metric::Metric,
};

use super::PgVitalsReads;
use crate::rollups::bands;

#[derive(QueryableByName)]
struct ImpactRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SmallInt)]
    metric: i16,
    #[diesel(sql_type = BigInt)]
    views: i64,
    #[diesel(sql_type = BigInt)]
    affected: i64,
    #[diesel(sql_type = BigInt)]
    poor: i64,
    #[diesel(sql_type = BigInt)]
    all_affected: i64,
    #[diesel(sql_type = Double)]
    percentile: f64,
    #[diesel(sql_type = Nullable<Array<Nullable<Double>>>)]
    parts: Option<Vec<Option<f64>>>,
}

#[async_trait]
impl ImpactReads for PgVitalsReads {
    async fn impact(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        metric: Option<ImpactMetric>,
        most: usize,
        percent: u8,
    ) -> Result<Vec<Impact>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let statement = sql!("impact.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(window.start())
            .bind::<Timestamptz, _>(window.end())
            .bind::<Array<Double>, _>(bands())
            .bind::<Nullable<SmallInt>, _>(metric.map(|metric| Metric::from(metric) as i16))
            .bind::<Integer, _>(i32::from(percent))
            .bind::<BigInt, _>(i64::try_from(most).unwrap_or(i64::MAX))
            .bind::<Text, _>(MEDIA);
        let rows: Vec<ImpactRow> = statement.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(ImpactRow::impact).collect()
    }
}

impl ImpactRow {
    fn impact(self) -> Result<Impact, StoreError> {
        let place: usize = count(self.metric)?;
        let metric = ImpactMetric::ALL.get(place).copied();
        let metric =
            metric.ok_or_else(|| StoreError::Corrupt(format!("no core metric has the number {place}")))?;
        Ok(Impact {
            url: self.url,
            metric,
            views: count(self.views)?,
            affected: count(self.affected)?,
            poor: count(self.poor)?,
            all_affected: count(self.all_affected)?,
            percentile: self.percentile,
            cause: SuspectedCause::of(metric, &self.parts.unwrap_or_default()),
        })
    }
}
