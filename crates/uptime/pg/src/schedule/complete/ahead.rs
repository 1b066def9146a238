//! Clocks that were ahead of the database's: what they left behind when they were set back.

use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_persistence::sql;
use pharos_uptime::complete::Before;
use uuid::Uuid;

/// Moves the beginning of open incidents that lie ahead of the present to the present.
pub(super) async fn bring_back(
    connection: &mut AsyncPgConnection,
    before: &mut Before,
) -> diesel::QueryResult<()> {
    let ahead: Vec<Uuid> = before
        .bring_back()
        .into_iter()
        .map(|incident| incident.0)
        .collect();
    if ahead.is_empty() {
        return Ok(());
    }
    let query = sql!("bring_back.sql")
        .bind::<Array<SqlUuid>, _>(ahead)
        .bind::<Timestamptz, _>(before.present);
    query.execute(connection).await.map(|_| ())
}
