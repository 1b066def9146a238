//! How long days and hours are kept that lie in no partition.

use diesel::sql_types::{Text, Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;

use crate::KEPT;

/// Forgets days that are as old as what partitions no longer have, and hours that no import replaces any more.
pub(crate) async fn forget_old(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    for query in [
        sql!(text "DELETE FROM search_days WHERE date < (day_before($1, $2) AT TIME ZONE 'UTC')::date")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .execute(&mut connection)
            .await,
        sql!(text "DELETE FROM search_month_sums
            WHERE month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')::date")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .execute(&mut connection)
        .await,
        sql!(text "DELETE FROM search_months
            WHERE month < date_trunc('month', day_before($1, $2) AT TIME ZONE 'UTC')::date")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT)
        .execute(&mut connection)
        .await,
        sql!(text "DELETE FROM search_hours WHERE hour < day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>("14 days")
            .execute(&mut connection)
            .await,
    ] {
        query.map_err(failure)?;
    }
    Ok(())
}
