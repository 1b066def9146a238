//! What the statements of history give back.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz},
};
use pharos_domain::store::StoreError;
use pharos_uptime::history::{
    CheckCounts,
    distribution::Distribution,
    tally::{Measure, Tally, Times},
};
use time::OffsetDateTime;

use crate::names;

/// A roll-up of a region, without its distributions.
#[derive(QueryableByName)]
pub(super) struct TallyRow {
    #[diesel(sql_type = Text)]
    pub(super) grain: String,
    #[diesel(sql_type = Timestamptz)]
    pub(super) starts_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    pub(super) region: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    up: i64,
    #[diesel(sql_type = BigInt)]
    down: i64,
    #[diesel(sql_type = BigInt)]
    degraded: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    least_us: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    most_us: Option<i64>,
    #[diesel(sql_type = BigInt)]
    response_samples: i64,
    #[diesel(sql_type = BigInt)]
    response_us: i64,
    #[diesel(sql_type = BigInt)]
    dns_samples: i64,
    #[diesel(sql_type = BigInt)]
    dns_us: i64,
    #[diesel(sql_type = BigInt)]
    connect_samples: i64,
    #[diesel(sql_type = BigInt)]
    connect_us: i64,
    #[diesel(sql_type = BigInt)]
    tls_samples: i64,
    #[diesel(sql_type = BigInt)]
    tls_us: i64,
    #[diesel(sql_type = BigInt)]
    ttfb_samples: i64,
    #[diesel(sql_type = BigInt)]
    ttfb_us: i64,
    #[diesel(sql_type = BigInt)]
    download_samples: i64,
    #[diesel(sql_type = BigInt)]
    download_us: i64,
}

impl TryFrom<TallyRow> for Tally {
    type Error = StoreError;

    fn try_from(row: TallyRow) -> Result<Self, StoreError> {
        let TallyRow {
            grain: _,
            starts_at: _,
            region: _,
            total,
            up,
            down,
            degraded,
            least_us,
            most_us,
            response_samples,
            response_us,
            dns_samples,
            dns_us,
            connect_samples,
            connect_us,
            tls_samples,
            tls_us,
            ttfb_samples,
            ttfb_us,
            download_samples,
            download_us,
        } = row;
        let times = |samples: i64, micros: i64| -> Result<Times, StoreError> {
            Ok(Times {
                samples: names::count(samples)?,
                micros: names::count(micros)?,
                distribution: Distribution::default(),
            })
        };
        Ok(Self {
            counts: CheckCounts {
                total: names::count(total)?,
                up: names::count(up)?,
                down: names::count(down)?,
                degraded: names::count(degraded)?,
            },
            least: least_us.map(names::count).transpose()?,
            most: most_us.map(names::count).transpose()?,
            times: [
                times(response_samples, response_us)?,
                times(dns_samples, dns_us)?,
                times(connect_samples, connect_us)?,
                times(tls_samples, tls_us)?,
                times(ttfb_samples, ttfb_us)?,
                times(download_samples, download_us)?,
            ],
        })
    }
}

/// How often a region measured which time.
#[derive(QueryableByName)]
pub(super) struct DistributionRow {
    #[diesel(sql_type = Text)]
    pub(super) grain: String,
    #[diesel(sql_type = Text)]
    measure: String,
    #[diesel(sql_type = Timestamptz)]
    pub(super) starts_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    pub(super) region: String,
    #[diesel(sql_type = Array<Integer>)]
    micros: Vec<i32>,
    #[diesel(sql_type = Array<Integer>)]
    counts: Vec<i32>,
}

impl DistributionRow {
    /// Of what, and how often.
    pub(super) fn read(&self) -> Result<(Measure, Distribution), StoreError> {
        let counted = self.micros.iter().zip(&self.counts);
        let counted = counted.map(|(micros, count)| Ok((names::count(*micros)?, names::count(*count)?)));
        Ok((
            self.measure.parse()?,
            Distribution::new(counted.collect::<Result<_, StoreError>>()?),
        ))
    }
}
