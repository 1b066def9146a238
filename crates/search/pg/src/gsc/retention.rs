//! How long days and hours are kept that lie in no partition, and values without days.

use diesel::sql_types::{Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;

use crate::KEPT;

/// How many rows one statement forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 10_000;
/// How long hours are kept, as PostgreSQL writes it.
const HOURS_KEPT: &str = "14 days";

/// A statement that forgets at most so many rows.
macro_rules! forget {
    ($file:literal, $connection:expr, $now:expr, $kept:expr) => {
        while sql!($file)
            .bind::<Timestamptz, _>($now)
            .bind::<Text, _>($kept)
            .execute($connection)
            .await
            .map_err(failure)?
            >= FORGOTTEN_AT_ONCE
        {}
    };
}

/// Forgets days that are as old as what partitions no longer have, and hours that no import replaces any more.
pub(crate) async fn forget_old(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let connection: &mut AsyncPgConnection = &mut connection;
    forget!("forget_month_sums.sql", connection, now, KEPT);
    forget!("forget_days.sql", connection, now, KEPT);
    forget!("forget_months.sql", connection, now, KEPT);
    forget!("forget_hours.sql", connection, now, HOURS_KEPT);
    Ok(())
}

/// Forgets values whose last days are as old.
pub(crate) async fn forget_values(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    forget!("forget_values.sql", &mut connection, now, KEPT);
    Ok(())
}
