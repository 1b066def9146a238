//! Counts and sums, as the statements of history give them back.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Nullable},
};
use pharos_domain::store::StoreError;
use pharos_persistence::names;
use pharos_uptime::history::{CheckCounts, tally::Tally};

/// The columns that statements of whole tallies have.
#[derive(QueryableByName)]
pub(super) struct Sums {
    #[diesel(sql_type = Nullable<BigInt>)]
    least_us: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    most_us: Option<i64>,
    /// All, up, down, degraded.
    #[diesel(sql_type = Array<BigInt>)]
    counts: Vec<i64>,
    /// In the order of the measures.
    #[diesel(sql_type = Array<BigInt>)]
    samples: Vec<i64>,
    /// Likewise.
    #[diesel(sql_type = Array<BigInt>)]
    micros: Vec<i64>,
}

impl Sums {
    /// A tally without distributions.
    pub(super) fn read(self) -> Result<Tally, StoreError> {
        let [total, up, down, degraded] = self.counts[..] else {
            let counts = self.counts;
            return Err(StoreError::Corrupt(format!("{counts:?} are no counts of checks")));
        };
        let mut tally = Tally {
            counts: CheckCounts {
                total: names::count(total)?,
                up: names::count(up)?,
                down: names::count(down)?,
                degraded: names::count(degraded)?,
            },
            least: self.least_us.map(names::count).transpose()?,
            most: self.most_us.map(names::count).transpose()?,
            ..Tally::default()
        };
        let sums = self.samples.into_iter().zip(self.micros);
        for (times, (samples, micros)) in tally.times.iter_mut().zip(sums) {
            times.samples = names::count(samples)?;
            times.micros = names::count(micros)?;
        }
        Ok(tally)
    }
}
