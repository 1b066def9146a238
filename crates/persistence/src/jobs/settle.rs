//! Stores the outcomes of jobs.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Double, Integer, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Attempt, JobOutcome, JobState, LONGEST_PAUSE},
    store::StoreError,
};
use uuid::Uuid;

use crate::{
    failure::failure,
    pool::Database,
    set_aside::{Batch, Kind, SetAside},
    sql,
    text::without_nul,
};

/// The outcomes of a worker's jobs, on their way into the table.
pub(super) struct Settling<'a> {
    pub(super) database: &'a Database,
    pub(super) worker: WorkerId,
}

#[derive(QueryableByName)]
struct SettledRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    state: String,
}

#[async_trait]
impl Batch<Attempt> for Settling<'_> {
    type Said = (JobId, JobState);
    type Error = StoreError;

    async fn write(&mut self, attempts: &[Attempt]) -> Result<Vec<(JobId, JobState)>, StoreError> {
        let (mut ids, mut numbers) = (Vec::new(), Vec::new());
        let (mut reasons, mut pauses) = (Vec::new(), Vec::new());
        let (mut codes, mut details) = (Vec::new(), Vec::new());
        for Attempt { job, number, outcome } in attempts {
            let (why, pause, public_error) = match outcome {
                JobOutcome::Succeeded => (None, None, None),
                JobOutcome::PutOff { pause } => (None, Some(*pause), None),
                JobOutcome::Failed {
                    why,
                    pause,
                    public_error,
                } => (Some(without_nul(why.clone())), *pause, public_error.as_ref()),
            };
            codes.push(public_error.map(|error| error.code.as_str()));
            details.push(public_error.map(|error| without_nul(error.detail.clone())));
            ids.push(job.0);
            numbers.push(i32::try_from(*number).unwrap_or(i32::MAX));
            reasons.push(why);
            pauses.push(pause.map(|pause| LONGEST_PAUSE.min(pause).as_seconds_f64()));
        }
        let mut connection = self.database.claiming().await?;
        let query = sql!("settle.sql")
            .bind::<SqlUuid, _>(self.worker.0)
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Array<Integer>, _>(numbers)
            .bind::<Array<Nullable<Text>>, _>(reasons)
            .bind::<Array<Nullable<Double>>, _>(pauses)
            .bind::<Array<Nullable<Text>>, _>(codes)
            .bind::<Array<Nullable<Text>>, _>(details);
        let rows: Vec<SettledRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter()
            .map(|SettledRow { id, state }| Ok((JobId(id), state.parse()?)))
            .collect()
    }

    /// The job becomes due again when its lease ends, and has one attempt less.
    async fn set_aside(
        &mut self,
        attempt: &Attempt,
        why: StoreError,
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        let note = SetAside::unstored(Kind::Job, &attempt.job, &why, attempt);
        self.database.note(note).await?;
        Ok(Vec::new())
    }
}
