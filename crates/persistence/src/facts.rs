//! Facts of the database itself: how large it is, which nodes hear it, and the time that it has.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::OffsetDateTime;

use crate::{announce::LISTENER, failure::failure, pool::Database, sql};

/// The facts of a database at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Facts {
    /// How many bytes it takes, indexes included.
    #[diesel(sql_type = BigInt)]
    pub bytes: i64,
    /// How many nodes hear of its changes.
    #[diesel(sql_type = BigInt)]
    pub nodes: i64,
    /// The time by its clock.
    #[diesel(sql_type = Timestamptz)]
    pub now: OffsetDateTime,
}

impl Facts {
    /// How many bytes it takes, as a figure for a metric.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a byte is nothing in a size beyond 8 PiB"
    )]
    pub fn size(&self) -> f64 {
        self.bytes as f64
    }
}

impl Database {
    /// The facts of the database.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn facts(&self) -> Result<Facts, StoreError> {
        let mut connection = self.connection().await?;
        let query = sql!(
            text "SELECT pg_database_size(current_database()) AS bytes, count(*) AS nodes, clock_timestamp() AS now
                  FROM pg_stat_activity
                  WHERE datname = current_database() AND application_name = $1"
        );
        query
            .bind::<Text, _>(LISTENER)
            .get_result(&mut connection)
            .await
            .map_err(failure)
    }
}
