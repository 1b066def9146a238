//! How long days and hours are kept that lie in no partition, and values without days.

use diesel::sql_types::{Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;

use crate::KEPT;

/// How many rows one statement forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 10_000;

/// A statement that forgets at most so many rows.
macro_rules! forget {
    ($file:literal, $connection:expr, $now:expr) => {
        while sql!($file)
            .bind::<Timestamptz, _>($now)
            .bind::<Text, _>(KEPT)
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
    forget!("forget_month_sums.sql", connection, now);
    for query in [
        sql!(text "DELETE FROM search_days WHERE date < (day_before($1, $2) AT TIME ZONE 'UTC')::date")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .execute(connection)
            .await,
        sql!(text "DELETE FROM search_months
            WHERE month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')::date")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .execute(connection)
        .await,
        sql!(text "DELETE FROM search_hours WHERE hour < day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>("14 days")
            .execute(connection)
            .await,
    ] {
        query.map_err(failure)?;
    }
    Ok(())
}

/// Forgets values whose last days are as old.
pub(crate) async fn forget_values(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    forget!("forget_values.sql", &mut connection, now);
    Ok(())
}
