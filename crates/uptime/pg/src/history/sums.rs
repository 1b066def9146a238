//! Counts and sums of checks, as the statements of history give them back and roll-ups keep them.

use diesel::prelude::{Insertable, QueryableByName};
use pharos_domain::store::StoreError;
use pharos_persistence::names;
use pharos_uptime::history::{CheckCounts, aggregate::CheckAggregate};

use crate::schema::uptime_rollups;

/// The columns that statements of whole aggregates have.
#[derive(Insertable, QueryableByName)]
#[diesel(table_name = uptime_rollups)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(crate) struct Sums {
    least_us: Option<i64>,
    most_us: Option<i64>,
    /// All, up, down, degraded.
    counts: Vec<i64>,
    /// In the order of the measures.
    samples: Vec<i64>,
    /// In the same order.
    micros: Vec<i64>,
}

impl Sums {
    /// Those of an aggregate.
    pub(crate) fn of(aggregate: &CheckAggregate) -> Result<Self, StoreError> {
        let CheckCounts {
            total,
            up,
            down,
            degraded,
        } = aggregate.counts;
        Ok(Self {
            least_us: aggregate.least.map(names::count).transpose()?,
            most_us: aggregate.most.map(names::count).transpose()?,
            counts: numbers([total, up, down, degraded])?,
            samples: numbers(aggregate.times.iter().map(|times| times.samples))?,
            micros: numbers(aggregate.times.iter().map(|times| times.micros))?,
        })
    }

    /// An aggregate without histograms.
    pub(super) fn read(self) -> Result<CheckAggregate, StoreError> {
        let [total, up, down, degraded] = self.counts[..] else {
            let counts = self.counts;
            return Err(StoreError::Corrupt(format!("{counts:?} are no counts of checks")));
        };
        let mut aggregate = CheckAggregate {
            counts: CheckCounts {
                total: names::count(total)?,
                up: names::count(up)?,
                down: names::count(down)?,
                degraded: names::count(degraded)?,
            },
            least: self.least_us.map(names::count).transpose()?,
            most: self.most_us.map(names::count).transpose()?,
            ..CheckAggregate::default()
        };
        let sums = self.samples.into_iter().zip(self.micros);
        for (times, (samples, micros)) in aggregate.times.iter_mut().zip(sums) {
            times.samples = names::count(samples)?;
            times.micros = names::count(micros)?;
        }
        Ok(aggregate)
    }
}

fn numbers(counts: impl IntoIterator<Item = u64>) -> Result<Vec<i64>, StoreError> {
    counts.into_iter().map(names::count).collect()
}
