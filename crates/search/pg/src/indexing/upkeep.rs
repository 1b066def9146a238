//! Deletes rows that are no longer kept.

use diesel::sql_types::{Text, Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;

/// How long inspections and changes are kept, as PostgreSQL says it.
pub(crate) const KEPT: &str = "12 months";
/// How many rows one statement forgets, so that none takes long.
const FORGOTTEN_AT_ONCE: usize = 10_000;

/// Forgets what is old: how domains stood, quotas, URLs that were taken out, and those that runs alone named.
pub(crate) async fn forget_old(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    for statement in [
        sql!(text "DELETE FROM indexing_days WHERE day < (day_before($1, $2) AT TIME ZONE 'UTC')::date")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .execute(&mut connection)
            .await,
        sql!(text "DELETE FROM indexing_quota WHERE day < (day_before($1, $2) AT TIME ZONE 'UTC')::date")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .execute(&mut connection)
            .await,
        sql!(text "DELETE FROM indexing_removed WHERE removed_at < day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(KEPT)
            .execute(&mut connection)
            .await,
    ] {
        statement.map_err(failure)?;
    }
    loop {
        // The results of their inspections are as old.
        let query = sql!(text "DELETE FROM indexing_urls WHERE id = ANY (ARRAY(
                SELECT id FROM indexing_urls
                WHERE next_inspection_at IS NULL AND coalesce(inspected_at, created_at) < day_before($1, $2)
                LIMIT 10000))")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            return Ok(());
        }
    }
}

/// Forgets the results of runs that have expired, or were called off.
pub(crate) async fn forget_run_results(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!("forget_run_results.sql").bind::<Timestamptz, _>(now);
        if query.execute(&mut connection).await.map_err(failure)? < FORGOTTEN_AT_ONCE {
            break;
        }
    }
    let query = sql!(text "UPDATE indexing_runs AS i SET has_results = false
        WHERE i.has_results AND NOT EXISTS (SELECT FROM indexing_run_urls AS u WHERE u.run_id = i.run_id)");
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
