//! The queue of jobs.

pub mod admin;
pub mod backlog;
mod bring_back;
mod enqueue;
mod settle;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName, dsl,
    result::Error,
    sql_types::{Array, BigInt, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{
        Attempt, Claim, ClaimedJob, JobKind, JobQueue, JobState, KEEP_DEAD, KEEP_SUCCEEDED, LONGEST_LEASE,
    },
    store::StoreError,
};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub(crate) use self::bring_back::bring_back;
pub(crate) use self::enqueue::JOBS;
pub use self::enqueue::enqueue;
pub(crate) use self::enqueue::enqueue_for;
use self::settle::Settling;
use crate::{
    due::Turns,
    failure::failure,
    json::Json,
    metrics::{self, JobEnd},
    names,
    pool::Database,
    schema::jobs,
    set_aside::{self, Kind, SetAside},
    sql,
};

/// How many jobs one statement deletes.
const CHUNK: usize = 10_000;
/// How many workers of a process are told apart. It has two; one that ended in a panic comes back as another.
const MOST_WORKERS: usize = 64;

/// The queue in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgJobQueue {
    database: Database,
    turns: Arc<Mutex<HashMap<WorkerId, Turns>>>,
}

impl PgJobQueue {
    /// The queue of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Arc::default(),
        }
    }

    /// The turns of a worker. Those of another, which does other kinds of jobs, would have it pass workspaces over.
    fn turns(&self, worker: WorkerId) -> Turns {
        let mut turns = self.lock();
        if turns.len() >= MOST_WORKERS && !turns.contains_key(&worker) {
            // All begin anew.
            turns.clear();
        }
        turns.entry(worker).or_default().clone()
    }

    /// A poisoned lock is as good as any: what it holds is whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<WorkerId, Turns>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(QueryableByName)]
struct ClaimedJobRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    payload: Json<Value>,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    visited: Option<Uuid>,
}

#[derive(QueryableByName)]
struct NextDueRow {
    #[diesel(sql_type = Nullable<Double>)]
    next_due: Option<f64>,
}

#[derive(QueryableByName)]
struct HeldRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

impl ClaimedJobRow {
    /// The job that the worker has now; `None` where its last attempt was lost.
    fn claimed(self, kinds: &[JobKind]) -> Result<Option<ClaimedJob>, StoreError> {
        let Self {
            id,
            kind,
            payload,
            attempts,
            state,
            visited: _,
        } = self;
        let kind = *kinds
            .iter()
            .find(|known| known.as_str() == kind)
            .ok_or_else(|| StoreError::Corrupt(format!("nobody asked for jobs of the kind {kind:?}")))?;
        if state.parse::<JobState>()? == JobState::Dead {
            tracing::error!(job = %id, %kind, "a job is dead: its worker was lost in the last attempt");
            metrics::job_ended(kind, JobEnd::Dead);
            return Ok(None);
        }
        Ok(Some(ClaimedJob {
            id: JobId(id),
            kind,
            payload: payload.read("the payload of a job")?,
            attempt: names::count(attempts)?,
        }))
    }
}

fn kind_names(kinds: &[JobKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}

/// Sets a claimed job aside that can't be read: the queue's place for those is among the dead.
async fn bury(
    connection: &mut AsyncPgConnection,
    (id, worker): (Uuid, WorkerId),
    why: &StoreError,
) -> diesel::QueryResult<()> {
    let note = SetAside::unread(Kind::Job, &id, why);
    connection
        .transaction::<_, Error, _>(async |connection| {
            diesel::update(jobs::table.find(id))
                .filter(jobs::worker.eq(worker.0))
                .set((
                    jobs::state.eq(JobState::Dead.as_str()),
                    jobs::leased_until.eq(None::<OffsetDateTime>),
                    jobs::worker.eq(None::<Uuid>),
                    jobs::last_error.eq(why.to_string()),
                    jobs::error_code.eq(None::<String>),
                    jobs::error_detail.eq(None::<String>),
                    jobs::finished_at.eq(dsl::sql::<Nullable<Timestamptz>>("now()")),
                ))
                .execute(connection)
                .await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}

#[async_trait]
impl JobQueue for PgJobQueue {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        let Claim {
            worker,
            kinds,
            lane,
            lease,
            limit,
        } = *claim;
        let turns = self.turns(worker);
        let mut connection = self.database.claiming().await?;
        let query = sql!("claim.sql")
            .bind::<Text, _>(lane)
            .bind::<Array<Text>, _>(kind_names(kinds))
            .bind::<Double, _>(LONGEST_LEASE.min(lease).as_seconds_f64())
            .bind::<SqlUuid, _>(worker.0)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
            .bind::<SqlUuid, _>(turns.last())
            .bind::<BigInt, _>(Turns::visits(limit));
        let rows: Vec<ClaimedJobRow> = query.load(&mut connection).await.map_err(failure)?;
        turns.go_on(rows.iter().find_map(|row| row.visited));
        let mut claimed = Vec::with_capacity(rows.len());
        for row in rows {
            let id = row.id;
            match row.claimed(kinds) {
                Ok(job) => claimed.extend(job),
                // The others are this worker's by now, whatever becomes of this one.
                Err(error) => {
                    if let Err(error) = bury(&mut connection, (id, worker), &error).await {
                        tracing::warn!(job = %id, %error, "a job that can't be read waits until its lease ends");
                    }
                }
            }
        }
        Ok(claimed)
    }

    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        lease: Duration,
    ) -> Result<Vec<JobId>, StoreError> {
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
        let mut connection = self.database.claiming().await?;
        let query = sql!("extend.sql")
            .bind::<SqlUuid, _>(worker.0)
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Double, _>(LONGEST_LEASE.min(lease).as_seconds_f64());
        let held: Vec<HeldRow> = query.load(&mut connection).await.map_err(failure)?;
        Ok(held.into_iter().map(|row| JobId(row.id)).collect())
    }

    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        let database = &self.database;
        set_aside::write(&mut Settling { database, worker }, attempts).await
    }

    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
        let mut connection = self.database.claiming().await?;
        let query = sql!("release.sql")
            .bind::<SqlUuid, _>(worker.0)
            .bind::<Array<SqlUuid>, _>(ids);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<Duration>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("next_due.sql")
            .bind::<Text, _>(lane)
            .bind::<Array<Text>, _>(kind_names(kinds));
        let row: NextDueRow = query.get_result(&mut connection).await.map_err(failure)?;
        Ok(row.next_due.map(Duration::saturating_seconds_f64))
    }

    async fn clean_up(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        let mut connection = self.database.connection().await?;
        let mut all = 0;
        loop {
            let query = sql!("clean_up.sql")
                .bind::<Timestamptz, _>(now - KEEP_SUCCEEDED)
                .bind::<Timestamptz, _>(now - KEEP_DEAD)
                .bind::<BigInt, _>(i64::try_from(CHUNK).unwrap_or(i64::MAX));
            let deleted = query.execute(&mut connection).await.map_err(failure)?;
            all += deleted;
            if deleted < CHUNK {
                return Ok(all);
            }
        }
    }
}

/// Enqueues jobs in a transaction of their own. For tests.
///
/// # Errors
/// The store failed.
#[cfg(feature = "testing")]
pub async fn enqueued(database: &Database, jobs: &[pharos_domain::jobs::NewJob]) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    enqueue(&mut connection, jobs).await.map_err(failure)
}
