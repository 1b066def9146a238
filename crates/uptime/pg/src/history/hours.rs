//! Sums of checks by hour: for reads of days that are not rolled up, and for rolling days up.

use diesel::{
    QueryableByName,
    sql_types::{Array, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError, time_range::TimeRange};
use pharos_persistence::{failure::Abort, names, sql};
use pharos_series::histogram::Histogram;
use pharos_uptime::history::{aggregate::Measure, plan::Hour};
use time::OffsetDateTime;

use super::sums::Sums;

/// The sums of the checks of a region in an hour.
#[derive(QueryableByName)]
struct HourRow {
    #[diesel(sql_type = Timestamptz)]
    starts_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(embed)]
    sums: Sums,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    response: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    dns: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    connect: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    tls: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    ttfb: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    download: Option<Vec<i32>>,
}

/// The sums of the checks of a range, hour by hour; with the histograms of `measures`. In no order.
pub(crate) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    range: TimeRange,
    region: Option<&str>,
    measures: &[Measure],
) -> Result<Vec<Hour>, Abort<StoreError>> {
    let measures: Vec<&str> = measures.iter().map(|measure| measure.as_str()).collect();
    let query = sql!("hours.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(range.from)
        .bind::<Timestamptz, _>(range.until)
        .bind::<Nullable<Text>, _>(region)
        .bind::<Array<Text>, _>(measures);
    let rows: Vec<HourRow> = query.load(&mut &*connection).await?;
    rows.into_iter()
        .map(|row| row.read().map_err(Abort::Port))
        .collect()
}

impl HourRow {
    fn read(self) -> Result<Hour, StoreError> {
        let mut aggregate = self.sums.read()?;
        let found = [
            self.response,
            self.dns,
            self.connect,
            self.tls,
            self.ttfb,
            self.download,
        ];
        for (times, found) in aggregate.times.iter_mut().zip(found) {
            let found: Result<Vec<u32>, StoreError> = found.into_iter().flatten().map(names::count).collect();
            times.histogram = Histogram::of(found?);
        }
        Ok((self.starts_at, self.region, aggregate))
    }
}
