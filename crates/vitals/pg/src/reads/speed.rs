//! How fast pages are that others list.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Double, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page_facts::{PageSpeed, PageSpeedDays, SpeedDay},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, sql};
use pharos_vitals::metric::Metric;
use time::{Date, Duration, OffsetDateTime};

use super::PgVitalsReads;

/// The time over which views are read.
const VIEWS: Duration = Duration::days(7);

#[derive(QueryableByName)]
struct SpeedRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Double)]
    lcp_ms: f64,
}

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = Nullable<Integer>)]
    page: Option<i32>,
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = Nullable<Double>)]
    lcp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    inp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    cls: Option<f64>,
}

#[async_trait]
impl PageSpeed for PgVitalsReads {
    async fn lcp_ms(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
        now: OffsetDateTime,
    ) -> Result<HashMap<String, f64>, StoreError> {
        if urls.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let query = sql!("page_speed.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(urls)
            .bind::<Timestamptz, _>(now.saturating_sub(VIEWS))
            .bind::<Timestamptz, _>(now);
        let rows: Vec<SpeedRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let rounded = rows
            .into_iter()
            .map(|row| (row.url, Metric::Lcp.rounded(row.lcp_ms)));
        Ok(rounded.collect())
    }
}

#[async_trait]
impl PageSpeedDays for PgVitalsReads {
    async fn by_day(
        &self,
        domain: DomainId,
        days: DateRange,
        ports: &[String],
        paths: &[String],
    ) -> Result<Vec<SpeedDay>, StoreError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let mut connection = self.database.long_read().await?;
        let query = sql!("speed_days.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Array<Text>, _>(paths)
            .bind::<Timestamptz, _>(days.start())
            .bind::<Timestamptz, _>(days.end())
            .bind::<Array<Text>, _>(ports);
        let rows: Vec<DayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let day = |row: DayRow| SpeedDay {
            page: row.page.map(|page| usize::try_from(page).unwrap_or(usize::MAX)),
            day: row.day,
            lcp_ms: row.lcp_ms,
            inp_ms: row.inp_ms,
            cls: row.cls,
        };
        Ok(rows.into_iter().map(day).collect())
    }
}
