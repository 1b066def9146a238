//! What the statements of history give back.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz},
};
use pharos_domain::store::StoreError;
use pharos_uptime::history::{
    CheckCounts,
    distribution::Distribution,
    tally::{Measure, Tally},
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
    #[diesel(sql_type = Nullable<BigInt>)]
    least_us: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    most_us: Option<i64>,
    /// All, up, down, degraded.
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
    /// In the order of the measures; null where times are not asked for.
    #[diesel(sql_type = Nullable<Array<BigInt>>)]
    pub(super) samples: Option<Vec<i64>>,
    /// Likewise.
    #[diesel(sql_type = Nullable<Array<BigInt>>)]
    micros: Option<Vec<i64>>,
}

impl TryFrom<TallyRow> for Tally {
    type Error = StoreError;

    fn try_from(row: TallyRow) -> Result<Self, StoreError> {
        let TallyRow {
            grain: _,
            starts_at: _,
            region: _,
            least_us,
            most_us,
            counts,
            samples,
            micros,
        } = row;
        let [total, up, down, degraded] = counts[..] else {
            return Err(StoreError::Corrupt(format!("{counts:?} are no counts of checks")));
        };
        let mut tally = Self {
            counts: CheckCounts {
                total: names::count(total)?,
                up: names::count(up)?,
                down: names::count(down)?,
                degraded: names::count(degraded)?,
            },
            least: least_us.map(names::count).transpose()?,
            most: most_us.map(names::count).transpose()?,
            ..Self::default()
        };
        let told = samples
            .unwrap_or_default()
            .into_iter()
            .zip(micros.unwrap_or_default());
        for (times, (samples, micros)) in tally.times.iter_mut().zip(told) {
            times.samples = names::count(samples)?;
            times.micros = names::count(micros)?;
        }
        Ok(tally)
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
