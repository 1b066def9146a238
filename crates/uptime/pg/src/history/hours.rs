//! What checks come to by hour: of what is not rolled up, and for what is to be.

use diesel::{
    QueryableByName, sql_query,
    sql_types::{Array, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, names, statement::statement};
use pharos_uptime::{
    availability::Stretch,
    history::{
        distribution::Distribution,
        tally::{Measure, Tally},
    },
};
use time::OffsetDateTime;

use super::sums::Sums;

struct Hours;

/// What the checks of a region come to in an hour.
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

/// A region's hour, and when it began.
pub(crate) type Hour = (OffsetDateTime, String, Tally);

/// What the checks of a stretch come to, hour by hour; with the distributions of `measures`. In no order.
pub(crate) async fn read(
    connection: &AsyncPgConnection,
    domain: DomainId,
    (since, until): Stretch,
    region: Option<&str>,
    measures: &[Measure],
) -> Result<Vec<Hour>, Abort<StoreError>> {
    let measures: Vec<&str> = measures.iter().map(|measure| measure.as_str()).collect();
    let query = sql_query(include_str!("hours.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(since)
        .bind::<Timestamptz, _>(until)
        .bind::<Nullable<Text>, _>(region)
        .bind::<Array<Text>, _>(measures);
    let rows: Vec<HourRow> = statement::<Hours, _>(query).load(&mut &*connection).await?;
    rows.into_iter()
        .map(|row| row.read().map_err(Abort::Port))
        .collect()
}

impl HourRow {
    fn read(self) -> Result<Hour, StoreError> {
        let mut tally = self.sums.read()?;
        let found = [
            self.response,
            self.dns,
            self.connect,
            self.tls,
            self.ttfb,
            self.download,
        ];
        for (times, found) in tally.times.iter_mut().zip(found) {
            let found: Result<Vec<u32>, StoreError> = found.into_iter().flatten().map(names::count).collect();
            times.distribution = Distribution::of(found?);
        }
        Ok((self.starts_at, self.region, tally))
    }
}
