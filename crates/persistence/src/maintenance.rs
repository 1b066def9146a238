//! What has to be done from time to time: partitions, and what retention takes away.

use diesel::{
    sql_query,
    sql_types::{Integer, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::OffsetDateTime;

use crate::{failure::failure, metering::replays, pool::Database, statement::statement};

/// The tables in partitions: what is partitioned how, and how many partitions are made ahead.
const PARTITIONED: [(&str, &str, i32); 2] = [("uptime_checks", "month", 2), ("credit_log", "day", 3)];

/// How long rows of the tables in partitions are kept, as PostgreSQL says it.
const KEPT: [(&str, &str); 2] = [("uptime_checks", UPTIME_KEPT), ("credit_log", "90 days")];

/// How long what uptime monitoring found is kept.
const UPTIME_KEPT: &str = "12 months";

struct EnsurePartitions;
struct DropPartitions;
struct ForgetSpans;
struct ForgetIncidents;

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

    /// What every installation needs when it starts and then once an hour, by whichever node: partitions ahead; dropped
    /// are the credit log's days of more than 90 days ago, and what uptime monitoring found more than 12 months ago;
    /// forgotten are the answers that keys had for 24 hours.
    ///
    /// # Errors
    /// The database could not do all of it.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        self.ensure_partitions(now).await?;
        let mut connection = self.connection().await?;
        for (table, kept) in KEPT {
            let query = sql_query("SELECT drop_partitions($1::regclass, day_before($2, $3))")
                .bind::<Text, _>(table)
                .bind::<Timestamptz, _>(now)
                .bind::<Text, _>(kept);
            statement::<DropPartitions, _>(query)
                .execute(&mut connection)
                .await
                .map_err(failure)?;
        }
        let query = sql_query("DELETE FROM uptime_spans WHERE ended_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        statement::<ForgetSpans, _>(query)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        let query = sql_query("DELETE FROM uptime_incidents WHERE resolved_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        statement::<ForgetIncidents, _>(query)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        drop(connection);
        replays::clean_up(self, now).await
    }
}
