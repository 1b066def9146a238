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

/// The jobs that could be claimed, of all kinds and lanes.
#[derive(Clone, Copy, Debug, PartialEq, QueryableByName)]
pub struct Backlog {
    /// How many there are; at most 10,000 of each lane are counted.
    #[diesel(sql_type = BigInt)]
    pub due: i64,
    /// For how many seconds the oldest of them has been due.
    #[diesel(sql_type = Nullable<Double>)]
    pub age: Option<f64>,
}

impl Database {
    /// The jobs of the queue that are due.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn job_backlog(&self) -> Result<Backlog, StoreError> {
        let mut connection = self.connection().await?;
        let query = sql!("backlog.sql").bind::<BigInt, _>(MOST);
        query.get_result(&mut connection).await.map_err(failure)
    }
}
