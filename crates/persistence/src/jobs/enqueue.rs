//! Putting jobs into the queue.

use diesel::{
    QueryResult,
    sql_types::{Array, Double, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::RunId,
    jobs::{LONGEST_PAUSE, NewJob},
};

use crate::sql;

/// The channel on which jobs are announced, by their lane, or by their kind where they have none.
pub(crate) const JOBS: &str = "pharos_jobs";

/// Enqueues jobs in the transaction that asks for them, and wakes those who do them once it is committed.
pub async fn enqueue(connection: &mut AsyncPgConnection, jobs: &[NewJob]) -> QueryResult<()> {
    enqueue_for(connection, None, jobs).await
}

/// The same of the jobs of a run.
pub(crate) async fn enqueue_for(
    connection: &mut AsyncPgConnection,
    run: Option<RunId>,
    jobs: &[NewJob],
) -> QueryResult<()> {
    if jobs.is_empty() {
        return Ok(());
    }
    let (mut ids, mut kinds, mut lanes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut payloads, mut pauses, mut limits) = (Vec::new(), Vec::new(), Vec::new());
    let mut workspaces = Vec::new();
    for job in jobs {
        let NewJob {
            id,
            kind,
            lane,
            workspace,
            payload,
            pause,
            max_attempts,
        } = job;
        ids.push(id.0);
        kinds.push(kind.as_str());
        lanes.push(lane.as_deref());
        workspaces.push(workspace.map(|workspace| workspace.0));
        payloads.push(payload);
        pauses.push(LONGEST_PAUSE.min(*pause).as_seconds_f64());
        limits.push(i32::from(*max_attempts));
    }
    let query = sql!("enqueue.sql")
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Text>, _>(kinds)
        .bind::<Array<Nullable<Text>>, _>(lanes)
        .bind::<Array<Jsonb>, _>(payloads)
        .bind::<Array<Double>, _>(pauses)
        .bind::<Array<Integer>, _>(limits)
        .bind::<Array<Nullable<SqlUuid>>, _>(workspaces)
        .bind::<Nullable<SqlUuid>, _>(run.map(|run| run.0));
    query.execute(connection).await.map(|_| ())
}

/// Rings every bell for this lane or kind, once the transaction is committed.
pub(super) async fn announce(connection: &mut AsyncPgConnection, name: &str) -> QueryResult<()> {
    let query = sql!(text "SELECT pg_notify('pharos_jobs', $1)").bind::<Text, _>(name);
    query.execute(connection).await.map(|_| ())
}
