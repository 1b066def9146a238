//! What has to be done from time to time: partitions, and what retention takes away.

use diesel::{
    sql_query,
    sql_types::{Integer, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::{Duration, OffsetDateTime};

use crate::{failure::failure, metering::replays, pool::Database, statement::statement};

/// The tables in partitions: what is partitioned how, and how many partitions are made ahead.
const PARTITIONED: [(&str, &str, i32); 2] = [("uptime_checks", "month", 2), ("credit_log", "day", 3)];

/// How long a row of the credit log is kept.
const LOG_KEPT: Duration = Duration::days(90);

struct EnsurePartitions;
struct DropPartitions;

impl Database {
    /// Makes the partitions of the present and of what comes next, where they are missing. A worker that registers
    /// its region does so too. Without them rows go to default partitions.
    ///
    /// # Errors
    /// The database could not.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        for (table, grain, ahead) in PARTITIONED {
            let query = sql_query("SELECT ensure_partitions($1::regclass, $2, $3, $4)")
                .bind::<Text, _>(table)
                .bind::<Text, _>(grain)
                .bind::<Timestamptz, _>(now)
                .bind::<Integer, _>(ahead);
            statement::<EnsurePartitions, _>(query)
                .execute(&mut connection)
                .await
                .map_err(failure)?;
        }
        Ok(())
    }

    /// What every installation needs when it starts and then once an hour, by whichever node: partitions ahead, the
    /// credit log's days of more than 90 days ago dropped, and the answers forgotten that keys had for 24 hours.
    ///
    /// # Errors
    /// The database could not do all of it.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        self.ensure_partitions(now).await?;
        let query =
            sql_query("SELECT drop_partitions('credit_log', $1)").bind::<Timestamptz, _>(now - LOG_KEPT);
        let mut connection = self.connection().await?;
        statement::<DropPartitions, _>(query)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        drop(connection);
        replays::clean_up(self, now).await
    }
}
