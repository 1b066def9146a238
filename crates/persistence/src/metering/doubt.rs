//! Finds out whether a transaction was committed whose commit was not answered.

use std::time::Duration;

use diesel::{
    QueryableByName,
    sql_types::{Bool, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_domain::{credits::LogEntry, log_pace::LogPace, store::StoreError};
use tokio::time::sleep;

use crate::{failure::failure, moment::to_micros, pool::Database, sql};

/// How long to wait before a database that did not answer is asked again.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// Whether the transaction that wrote the entry was committed. Asks until the database says, however long that takes: whoever
/// answers before that could refuse what was charged (ADR 41). It ends with the request, too.
pub(super) async fn is_committed(database: &Database, entry: &LogEntry) -> bool {
    tracing::warn!(request = %entry.request_id, "a commit is in doubt; looking into it");
    loop {
        match look(database, entry).await {
            Ok(found) => return found,
            Err(error) => {
                static PACE: LogPace = LogPace::new();
                if let Some(held_back) = PACE.turn() {
                    tracing::warn!(%error, held_back, "whether a commit came about can't be seen yet");
                }
            }
        }
        sleep(PAUSE).await;
    }
}

/// The transaction held the balance when it was last heard of. So once the balance is ours, it has ended.
async fn look(database: &Database, entry: &LogEntry) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, diesel::result::Error, _>(async |connection| {
            let lock = sql!(text "SELECT FROM credit_balances WHERE workspace_id = $1 FOR NO KEY UPDATE")
                .bind::<SqlUuid, _>(entry.workspace_id.0);
            lock.execute(connection).await?;
            let find = sql!("find_row.sql")
                .bind::<SqlUuid, _>(entry.workspace_id.0)
                .bind::<SqlUuid, _>(entry.request_id.0)
                .bind::<Timestamptz, _>(to_micros(entry.occurred_at));
            let row: FoundRow = find.get_result(connection).await?;
            Ok(row.found)
        })
        .await
        .map_err(failure)
}
