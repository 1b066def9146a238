//! Upkeep of runs: of those that nobody does, and of those that are over.

use diesel::sql_types::{BigInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    runs::{KEEP_RUNS, OPEN_FOR, RunStatus},
    store::StoreError,
};
use time::OffsetDateTime;

use crate::{failure::failure, pool::Database, sql};

/// Runs that are not over.
pub(super) const OPEN: [&str; 2] = [RunStatus::Queued.as_str(), RunStatus::Running.as_str()];

/// How many rows one statement changes.
const CHUNK: usize = 1_000;

/// Ends runs that no worker has ended in the time that they have, notes which results are no longer kept, and forgets runs
/// that ended long ago, as did their results.
///
/// # Errors
/// The database could not do all of it.
pub(crate) async fn see_to(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let chunk = i64::try_from(CHUNK).unwrap_or(i64::MAX);
    let why = format!("No worker did it within {} days.", OPEN_FOR.whole_days());
    loop {
        let query = sql!("end.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now - OPEN_FOR)
            .bind::<BigInt, _>(chunk)
            .bind::<Text, _>(&why);
        let ended = query.execute(&mut connection).await.map_err(failure)?;
        if ended < CHUNK {
            break;
        }
    }
    loop {
        let query = sql!("expire.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(chunk);
        let expired = query.execute(&mut connection).await.map_err(failure)?;
        if expired < CHUNK {
            break;
        }
    }
    loop {
        let query = sql!("forget.sql")
            .bind::<Timestamptz, _>(now - KEEP_RUNS)
            .bind::<BigInt, _>(chunk);
        let forgotten = query.execute(&mut connection).await.map_err(failure)?;
        if forgotten < CHUNK {
            return Ok(());
        }
    }
}
