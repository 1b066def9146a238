//! How much of the queue is due, for whoever watches it.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Double, Nullable},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;

use crate::{failure::failure, pool::Database, sql};

/// As many due jobs of a lane are counted at most, so that a long queue is no slower to look at.
const MOST: i64 = 10_000;

/// The jobs, or other things with a due time, that could be claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, QueryableByName)]
pub struct Backlog {
    /// How many there are; of each lane at most 10,000 jobs are counted, or 1,000 other things.
    #[diesel(sql_type = BigInt)]
    pub due: i64,
    /// For how many seconds the oldest of them has been due.
    #[diesel(sql_type = Nullable<Double>)]
    pub age: Option<f64>,
}

impl Backlog {
    /// Those of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            due: self.due + other.due,
            age: self.age.into_iter().chain(other.age).reduce(f64::max),
        }
    }
}

impl Database {
    /// The jobs of the queue that are due, of all kinds and lanes.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn job_backlog(&self) -> Result<Backlog, StoreError> {
        let mut connection = self.connection().await?;
        let query = sql!("backlog.sql").bind::<BigInt, _>(MOST);
        query.get_result(&mut connection).await.map_err(failure)
    }
}
