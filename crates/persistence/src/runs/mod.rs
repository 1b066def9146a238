//! Runs: what callers asked to be done. A trigger on jobs (`move_runs`) moves them on.

mod row;
mod upkeep;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, IntoSql, NullableExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    dsl,
    sql_types::{Integer, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    jobs::{ClaimedJob, JobState},
    runs::{NewRun, Run, RunItems, RunKind, RunStatus, RunStore},
    store::StoreError,
};
use time::OffsetDateTime;

pub use self::row::RunRow;
pub(crate) use self::upkeep::see_to;
use self::{row::NewRunRow, upkeep::OPEN};
use crate::{
    failure::{Abort, failure},
    jobs::enqueue_for,
    metering::charged::charged,
    moment::Moment,
    pool::Database,
    schema::{jobs, runs},
    sql,
};

/// Runs in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRunStore {
    database: Database,
}

impl PgRunStore {
    /// The runs of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn first(
        &self,
        domain: &DomainAccess,
        kind: RunKind,
        id: Option<RunId>,
        now: OffsetDateTime,
    ) -> Result<Option<Run>, StoreError> {
        let mut query = runs::table
            .select(RunRow::as_select())
            .filter(runs::domain_id.eq(domain.id().0))
            .filter(runs::kind.eq(kind.as_str()))
            .order((runs::requested_at.desc(), runs::id.desc()))
            .into_boxed();
        if let Some(id) = id {
            query = query.filter(runs::id.eq(id.0));
        }
        let reader = self.database.reader().await?;
        let row: Option<RunRow> = query.first(&mut &*reader).await.optional().map_err(failure)?;
        row.map(|row| Ok(Run::try_from(row)?.at(now))).transpose()
    }
}

/// Records a run with its jobs, in the transaction that charges it. A group that keeps more of a run than its jobs say
/// calls this beside its own inserts, within [`charged`]; the others have [`RunStore::request`]. The answer is the run as it
/// is stored: no later than now by the database's clock.
///
/// # Errors
/// The database failed, or the run has no job: it would never be over.
pub async fn create(connection: &mut AsyncPgConnection, new: &NewRun) -> Result<Run, Abort<StoreError>> {
    let NewRun {
        run,
        jobs,
        result_kept,
    } = new;
    if jobs.is_empty() {
        return Err(Abort::Port(StoreError::Failed("a run without a job".into())));
    }
    let present = diesel::select(dsl::now.into_sql::<Timestamptz>())
        .get_result(connection)
        .await?;
    let run = Run {
        requested_at: Moment::new(run.requested_at, present).now,
        ..run.clone()
    };
    diesel::insert_into(runs::table)
        .values(NewRunRow::new(&run, *result_kept))
        .execute(connection)
        .await?;
    enqueue_for(connection, Some(run.id), jobs).await?;
    Ok(run)
}

/// Cancels what is still to be done for a domain, in the transaction that deletes it. Jobs that nobody has begun go; a
/// worker that has one hears of it when it notes its progress.
pub(crate) async fn cancel_all(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let open = runs::table
        .filter(runs::domain_id.eq(domain.0))
        .filter(runs::status.eq_any(OPEN))
        .select(runs::id.nullable());
    // Jobs before runs, as workers lock them; what a worker has locked it is about to have.
    let waiting: Vec<uuid::Uuid> = jobs::table
        .filter(jobs::run_id.eq_any(open))
        .filter(jobs::state.eq(JobState::Queued.as_str()))
        .select(jobs::id)
        .for_update()
        .skip_locked()
        .load(connection)
        .await?;
    diesel::delete(jobs::table.filter(jobs::id.eq_any(waiting)))
        .execute(connection)
        .await?;
    diesel::update(runs::table)
        .filter(runs::domain_id.eq(domain.0))
        .filter(runs::status.eq_any(OPEN))
        .set((
            runs::status.eq(RunStatus::Canceled.as_str()),
            runs::finished_at.eq(now),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Cancels runs, as far as they are open, in the transaction that ends what they are about. Those of their jobs go
/// that nobody has begun; the end of the others moves no run.
///
/// # Errors
/// The database failed.
pub async fn cancel(
    connection: &mut AsyncPgConnection,
    ids: &[uuid::Uuid],
    work: &[uuid::Uuid],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    // Jobs before runs, as workers lock them; what a worker has locked it is about to have.
    let waiting: Vec<uuid::Uuid> = jobs::table
        .filter(jobs::id.eq_any(work))
        .filter(jobs::state.eq(JobState::Queued.as_str()))
        .select(jobs::id)
        .for_update()
        .skip_locked()
        .load(connection)
        .await?;
    diesel::delete(jobs::table.filter(jobs::id.eq_any(waiting)))
        .execute(connection)
        .await?;
    diesel::update(runs::table)
        .filter(runs::id.eq_any(ids))
        .filter(runs::status.eq_any(OPEN))
        .set((
            runs::status.eq(RunStatus::Canceled.as_str()),
            runs::finished_at.eq(now),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

#[async_trait]
impl RunStore for PgRunStore {
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewRun,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, SettleError> {
        charged(
            &self.database,
            domain.slip(),
            Some(answer),
            async move |connection| create(connection, new).await.map_err(Abort::widen),
        )
        .await
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        kind: RunKind,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<Run>, StoreError> {
        self.first(domain, kind, Some(id), now).await
    }

    async fn last(
        &self,
        domain: &DomainAccess,
        kind: RunKind,
        now: OffsetDateTime,
    ) -> Result<Option<Run>, StoreError> {
        self.first(domain, kind, None, now).await
    }

    async fn progress(&self, job: &ClaimedJob, items: RunItems) -> Result<bool, StoreError> {
        let count = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let query = sql!("progress.sql")
            .bind::<SqlUuid, _>(job.id.0)
            .bind::<Integer, _>(count(job.attempt))
            .bind::<Integer, _>(count(items.total))
            .bind::<Integer, _>(count(items.completed))
            .bind::<Integer, _>(count(items.failed));
        let mut connection = self.database.connection().await?;
        let noted = query.execute(&mut connection).await.map_err(failure)?;
        Ok(noted > 0)
    }
}
