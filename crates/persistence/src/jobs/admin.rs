//! Operators list jobs, and retry those that are dead.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper, dsl,
    pg::Pg,
    prelude::{Queryable, Selectable},
    sql_types::Timestamptz,
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    ids::{JobId, WorkspaceId},
    jobs::{JobAdmin, JobDetails, JobFilter, JobState, RetryError},
    store::StoreError,
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::enqueue::announce;
use crate::{
    audit::{self, By},
    failure::{Abort, failure},
    json::Json,
    names,
    pool::Database,
    schema::jobs,
};

/// The operators' view of the queue in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgJobAdmin {
    database: Database,
}

impl PgJobAdmin {
    /// The view of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct JobRow {
    id: Uuid,
    kind: String,
    lane: Option<String>,
    workspace_id: Option<Uuid>,
    payload: Json<Value>,
    state: String,
    run_at: OffsetDateTime,
    attempts: i32,
    max_attempts: i32,
    last_error: Option<String>,
    error_detail: Option<String>,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
}

impl TryFrom<JobRow> for JobDetails {
    type Error = StoreError;

    fn try_from(row: JobRow) -> Result<Self, StoreError> {
        let JobRow {
            id,
            kind,
            lane,
            workspace_id,
            payload,
            state,
            run_at,
            attempts,
            max_attempts,
            last_error,
            error_detail,
            created_at,
            finished_at,
        } = row;
        Ok(Self {
            id: JobId(id),
            kind,
            lane,
            workspace_id: workspace_id.map(WorkspaceId),
            state: state.parse()?,
            attempts: names::count(attempts)?,
            max_attempts: names::count(max_attempts)?,
            created_at: created_at.into(),
            run_at: run_at.into(),
            finished_at: finished_at.map(Into::into),
            last_error,
            error_detail,
            // Whoever looks for it finds it, even so.
            payload: payload
                .read("the payload of a job")
                .unwrap_or_else(|error| error.to_string().into()),
        })
    }
}

#[async_trait]
impl JobAdmin for PgJobAdmin {
    async fn list(&self, filter: &JobFilter) -> Result<Vec<JobDetails>, StoreError> {
        let JobFilter {
            state,
            kind,
            workspace,
            before,
            limit,
        } = filter;
        let mut query = jobs::table
            .select(JobRow::as_select())
            // Ids sort by the time that they were made at.
            .order(jobs::id.desc())
            .limit(i64::from(*limit))
            .into_boxed::<Pg>();
        if let Some(state) = state {
            query = query.filter(jobs::state.eq(state.as_str()));
        }
        if let Some(kind) = kind {
            query = query.filter(jobs::kind.eq(kind));
        }
        if let Some(workspace) = workspace {
            query = query.filter(jobs::workspace_id.eq(workspace.0));
        }
        if let Some(before) = before {
            query = query.filter(jobs::id.lt(before.0));
        }
        let mut connection = self.database.connection().await?;
        let rows: Vec<JobRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter().map(JobDetails::try_from).collect()
    }

    async fn find(&self, job: JobId) -> Result<Option<JobDetails>, StoreError> {
        let reader = self.database.reader().await?;
        let row: Option<JobRow> = jobs::table
            .find(job.0)
            .select(JobRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(JobDetails::try_from).transpose()
    }

    async fn retry(&self, job: JobId, actor: &Actor, now: OffsetDateTime) -> Result<JobDetails, RetryError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<RetryError>, _>(async |connection| {
                let before: Option<String> = jobs::table
                    .find(job.0)
                    .for_update()
                    .select(jobs::state)
                    .first(connection)
                    .await
                    .optional()?;
                let state = before.ok_or(Abort::Port(RetryError::NotFound))?;
                let state: JobState = state
                    .parse()
                    .map_err(|name| Abort::Port(StoreError::from(name).into()))?;
                if state != JobState::Dead {
                    return Err(Abort::Port(RetryError::NotDead(state)));
                }
                let row: JobRow = diesel::update(jobs::table.find(job.0))
                    .set((
                        jobs::state.eq(JobState::Queued.as_str()),
                        jobs::run_at.eq(dsl::sql::<Timestamptz>("now()")),
                        jobs::attempts.eq(0),
                        jobs::finished_at.eq(None::<OffsetDateTime>),
                    ))
                    .returning(JobRow::as_returning())
                    .get_result(connection)
                    .await?;
                let name = row.lane.as_deref().unwrap_or(&row.kind);
                announce(connection, name).await?;
                let details = json!({ "kind": row.kind, "lane": row.lane, "workspace_id": row.workspace_id });
                audit::record(connection, by, "job.retry", job, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        Ok(JobDetails::try_from(row)?)
    }
}
