//! Events that alert rules count. Triggers of the groups write them, one of alerting queues them for its rules.

use diesel::sql_types::{Text, Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::OffsetDateTime;

use crate::{failure::failure, pool::Database, sql};

/// How long events are kept, as PostgreSQL says it.
const KEPT: &str = "30 days";

/// Deletes events that are no longer kept.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM metric_events WHERE recorded_at <= day_before($1, $2)")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
