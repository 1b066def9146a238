//! The queue of jobs.

pub mod admin;
pub mod bell;
mod enqueue;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobOutcome, JobQueue, JobState, KEEP_DEAD, KEEP_SUCCEEDED},
    store::StoreError,
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) use self::enqueue::enqueue;
use crate::{failure::failure, names, pool::Database, schema::jobs, statement::statement};

/// How many jobs one statement deletes.
const CHUNK: usize = 10_000;

/// The queue in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgJobQueue {
    database: Database,
}

impl PgJobQueue {
    /// The queue of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

struct ClaimJobs;
struct NextDue;
struct Settle;
struct Release;
struct CleanUp;

#[derive(QueryableByName)]
struct ClaimedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    payload: Value,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Text)]
    state: String,
}

#[derive(QueryableByName)]
struct NextDueRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    next_due: Option<OffsetDateTime>,
}

#[derive(QueryableByName)]
struct SettledRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    state: String,
}

impl ClaimedRow {
    /// The job that the worker has now; `None` where its last attempt was lost.
    fn claimed(self, kinds: &[JobKind]) -> Result<Option<ClaimedJob>, StoreError> {
        let Self {
            id,
            kind,
            payload,
            attempts,
            state,
        } = self;
        if state.parse::<JobState>()? == JobState::Dead {
            tracing::error!(job = %id, kind, "a job is dead: its worker was lost in the last attempt");
            return Ok(None);
        }
        let kind = kinds
            .iter()
            .find(|known| known.as_str() == kind)
            .ok_or_else(|| StoreError::Corrupt(format!("nobody asked for jobs of the kind {kind:?}")))?;
        Ok(Some(ClaimedJob {
            id: JobId(id),
            kind: *kind,
            payload,
            attempt: names::count(attempts)?,
        }))
    }
}

fn kind_names(kinds: &[JobKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}

#[async_trait]
impl JobQueue for PgJobQueue {
    async fn claim(&self, claim: &Claim<'_>, now: OffsetDateTime) -> Result<Vec<ClaimedJob>, StoreError> {
        let Claim {
            worker,
            kinds,
            lane,
            lease,
            limit,
        } = *claim;
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("claim.sql"))
            .bind::<Text, _>(lane)
            .bind::<Array<Text>, _>(kind_names(kinds))
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now + lease)
            .bind::<SqlUuid, _>(worker.0)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows: Vec<ClaimedRow> = statement::<ClaimJobs, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        rows.into_iter()
            .filter_map(|row| row.claimed(kinds).transpose())
            .collect()
    }

    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        until: OffsetDateTime,
    ) -> Result<Vec<JobId>, StoreError> {
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
        let mut connection = self.database.connection().await?;
        let held: Vec<Uuid> = diesel::update(jobs::table)
            .filter(jobs::id.eq_any(ids))
            .filter(jobs::state.eq(JobState::Running.as_str()))
            .filter(jobs::worker.eq(worker.0))
            .set(jobs::leased_until.eq(until))
            .returning(jobs::id)
            .get_results(&mut connection)
            .await
            .map_err(failure)?;
        Ok(held.into_iter().map(JobId).collect())
    }

    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
        now: OffsetDateTime,
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        let (mut ids, mut numbers) = (Vec::new(), Vec::new());
        let (mut reasons, mut retries) = (Vec::new(), Vec::new());
        for Attempt { job, number, outcome } in attempts {
            let (why, retry_at) = match outcome {
                JobOutcome::Succeeded => (None, None),
                // PostgreSQL's text holds no NUL.
                JobOutcome::Failed { why, retry_at } => (Some(why.replace('\0', "\u{fffd}")), *retry_at),
            };
            ids.push(job.0);
            numbers.push(i32::try_from(*number).unwrap_or(i32::MAX));
            reasons.push(why);
            retries.push(retry_at);
        }
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("settle.sql"))
            .bind::<SqlUuid, _>(worker.0)
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Array<Integer>, _>(numbers)
            .bind::<Array<Nullable<Text>>, _>(reasons)
            .bind::<Array<Nullable<Timestamptz>>, _>(retries)
            .bind::<Timestamptz, _>(now);
        let rows: Vec<SettledRow> = statement::<Settle, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        rows.into_iter()
            .map(|SettledRow { id, state }| Ok((JobId(id), state.parse()?)))
            .collect()
    }

    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("release.sql"))
            .bind::<SqlUuid, _>(worker.0)
            .bind::<Array<SqlUuid>, _>(ids);
        statement::<Release, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("next_due.sql"))
            .bind::<Text, _>(lane)
            .bind::<Array<Text>, _>(kind_names(kinds));
        let row: NextDueRow = statement::<NextDue, _>(query)
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(row.next_due)
    }

    async fn clean_up(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        let mut connection = self.database.connection().await?;
        let mut all = 0;
        loop {
            let query = sql_query(include_str!("clean_up.sql"))
                .bind::<Timestamptz, _>(now - KEEP_SUCCEEDED)
                .bind::<Timestamptz, _>(now - KEEP_DEAD)
                .bind::<BigInt, _>(i64::try_from(CHUNK).unwrap_or(i64::MAX));
            let deleted = statement::<CleanUp, _>(query)
                .execute(&mut connection)
                .await
                .map_err(failure)?;
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
pub async fn enqueued(
    database: &Database,
    jobs: &[pharos_domain::jobs::NewJob],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    enqueue(&mut connection, jobs, now).await.map_err(failure)
}
