//! Jobs that a clock has put where nobody comes for them.

use diesel::sql_types::Double;
use diesel_async::RunQueryDsl;
use pharos_domain::{
    jobs::{LONGEST_LEASE, LONGEST_PAUSE},
    store::StoreError,
};

use crate::{failure::failure, pool::Database, sql};

/// Makes jobs due that lie further ahead than any job of a clock that is right.
///
/// # Errors
/// The database could not do it.
pub(crate) async fn bring_back(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!("bring_back.sql")
        .bind::<Double, _>(LONGEST_PAUSE.as_seconds_f64())
        .bind::<Double, _>(LONGEST_LEASE.as_seconds_f64());
    let strays = query.execute(&mut connection).await.map_err(failure)?;
    if strays > 0 {
        tracing::warn!(strays, "jobs lay too far ahead; they are due now");
    }
    Ok(())
}
