//! The monthly partitions of checks.

use diesel::{sql_query, sql_types::Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::OffsetDateTime;

use crate::{failure::failure, pool::Database};

impl Database {
    /// Makes the partitions of this month and the next two, where they are missing. To be called once a day; a
    /// worker that registers its region does so too. Without them checks go to the default partition.
    ///
    /// # Errors
    /// The database could not.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        sql_query("SELECT ensure_uptime_check_partitions($1)")
            .bind::<Timestamptz, _>(now)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}
