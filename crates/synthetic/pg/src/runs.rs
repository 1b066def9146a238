//! Runs and their lists.

use std::fmt::Debug;

use diesel::{
    Expression, ExpressionMethods, OptionalExtension, QueryDsl, SelectableExpression,
    query_builder::QueryId,
    sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Answering, Keyed},
    identity::DomainAccess,
    ids::{DomainId, JobId, RunId, SyntheticUrlId, WorkspaceId},
    page::{Page, PageRequest, Position},
    quota::QuotaResource,
    runs::{NewRun, Run, RunStatus},
    settings::ChangeError,
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    json::Json,
    metering::charged::charged,
    pool::Database,
    quota, runs,
    set_aside::Kind,
    sql,
};
use pharos_synthetic::{
    page::{PageSettings, TrackedPage},
    profile::Profile,
    result::{AuditRow, Filmstrip, Opportunity, Resource, ThirdParty},
    run::{LabRun, Trigger},
    store::RunFilter,
};
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use crate::{
    row::RunRow,
    schema::{synthetic_results, synthetic_runs},
};

pub(crate) async fn request(
    database: &Database,
    domain: &Keyed<DomainAccess>,
    new: &NewRun,
    page: &TrackedPage,
    profile: &Profile,
    answer: &Answering<'_, Run>,
) -> Result<Run, ChangeError> {
    let workspace = domain.workspace().workspace().id;
    let trigger = Trigger::of(domain.identity());
    charged(database, domain.slip(), Some(answer), async move |connection| {
        take(connection, workspace, new, page, profile, trigger).await
    })
    .await
}

async fn take(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    new: &NewRun,
    page: &TrackedPage,
    profile: &Profile,
    trigger: Trigger,
) -> Result<Run, Abort<ChangeError>> {
    let at = new.run.requested_at;
    if let Err(full) = quota::take(connection, workspace, QuotaResource::SyntheticRuns, 1, at).await? {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    let run = runs::create(connection, new).await.map_err(Abort::widen)?;
    let made = NewRow {
        id: run.id,
        domain: run.domain_id,
        page: page.id,
        job: new.jobs.as_slice().first().map(|job| job.id),
        settings: &page.settings,
        profile,
        trigger,
        requested_at: run.requested_at,
    };
    made.insert(connection).await?;
    Ok(run)
}

/// A run that is requested.
pub(crate) struct NewRow<'a> {
    pub(crate) id: RunId,
    pub(crate) domain: DomainId,
    pub(crate) page: SyntheticUrlId,
    pub(crate) job: Option<JobId>,
    pub(crate) settings: &'a PageSettings,
    pub(crate) profile: &'a Profile,
    pub(crate) trigger: Trigger,
    pub(crate) requested_at: OffsetDateTime,
}

impl NewRow<'_> {
    pub(crate) async fn insert(&self, connection: &mut AsyncPgConnection) -> diesel::QueryResult<()> {
        diesel::insert_into(synthetic_runs::table)
            .values((
                synthetic_runs::id.eq(self.id.0),
                synthetic_runs::domain_id.eq(self.domain.0),
                synthetic_runs::url_id.eq(self.page.0),
                synthetic_runs::job_id.eq(self.job.map(|job| job.0)),
                synthetic_runs::url.eq(&self.settings.url),
                synthetic_runs::profile_id.eq(self.profile.id),
                synthetic_runs::form_factor.eq(self.profile.form_factor.as_str()),
                synthetic_runs::trigger.eq(self.trigger.as_str()),
                synthetic_runs::status.eq(RunStatus::Queued.as_str()),
                synthetic_runs::requested_at.eq(self.requested_at),
            ))
            .execute(connection)
            .await
            .map(|_| ())
    }
}

pub(crate) async fn list(
    database: &Database,
    domain: DomainId,
    filter: &RunFilter,
    page: &PageRequest,
) -> Result<Page<LabRun>, StoreError> {
    let is_narrowed = filter.profile_id.is_some() || filter.status.is_some() || filter.trigger.is_some();
    let rows = if is_narrowed {
        found(database, domain, filter, page).await?
    } else {
        newest(database, domain, filter.url_id, page).await?
    };
    let cut = Page::cut(rows, page, |row: &RunRow| Position {
        key: row.requested_at,
        id: row.id,
    });
    Ok(database
        .readable_page(Kind::LabTest, cut, |row: &RunRow| row.id)
        .await)
}

/// The rows of a page of all runs, or of all of a tracked page.
async fn newest(
    database: &Database,
    domain: DomainId,
    of: Option<SyntheticUrlId>,
    page: &PageRequest,
) -> Result<Vec<RunRow>, StoreError> {
    let Position { key: at, id } = page.after.unwrap_or(Position::START);
    let reader = database.reader().await?;
    let loaded = match of {
        None => {
            sql!("sql/runs.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .load(&mut &*reader)
                .await
        }
        Some(url) => {
            sql!("sql/runs_of_page.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .bind::<SqlUuid, _>(url.0)
                .load(&mut &*reader)
                .await
        }
    };
    loaded.map_err(failure)
}

/// The same of those that a filter lets through: a page of each combination of profile, status and trigger that it leaves, so
/// nobody waits behind it.
async fn found(
    database: &Database,
    domain: DomainId,
    filter: &RunFilter,
    page: &PageRequest,
) -> Result<Vec<RunRow>, StoreError> {
    let Position { key: at, id } = page.after.unwrap_or(Position::START);
    let RunFilter {
        url_id,
        profile_id,
        status,
        trigger,
    } = filter;
    let statuses = status.as_ref().map_or(RunStatus::ALL, std::slice::from_ref);
    let statuses: Vec<&str> = statuses.iter().map(|status| status.as_str()).collect();
    let triggers = trigger.as_ref().map_or(Trigger::ALL, std::slice::from_ref);
    let triggers: Vec<&str> = triggers.iter().map(|trigger| trigger.as_str()).collect();
    let mut connection = database.long_read().await?;
    let loaded = match url_id {
        None => {
            sql!("sql/found_runs.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .bind::<Nullable<Text>, _>(profile_id.as_deref())
                .bind::<Array<Text>, _>(statuses)
                .bind::<Array<Text>, _>(triggers)
                .load(&mut connection)
                .await
        }
        Some(url) => {
            sql!("sql/found_runs_of_page.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .bind::<Nullable<Text>, _>(profile_id.as_deref())
                .bind::<Array<Text>, _>(statuses)
                .bind::<Array<Text>, _>(triggers)
                .bind::<SqlUuid, _>(url.0)
                .load(&mut connection)
                .await
        }
    };
    loaded.map_err(read_failure)
}

pub(crate) async fn one(
    database: &Database,
    domain: DomainId,
    id: RunId,
) -> Result<Option<LabRun>, StoreError> {
    let reader = database.reader().await?;
    let query = sql!("sql/run.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id.0);
    let row: Option<RunRow> = query
        .get_result(&mut &*reader)
        .await
        .optional()
        .map_err(failure)?;
    row.map(LabRun::try_from).transpose()
}

/// A list of a run, read whole; an empty one where the run has none.
async fn column<C, T>(database: &Database, run: RunId, column: C, what: &str) -> Result<T, StoreError>
where
    C: Expression<SqlType = Jsonb>
        + SelectableExpression<synthetic_results::table>
        + diesel::expression::ValidGrouping<(), IsAggregate = diesel::expression::is_aggregate::No>
        + diesel::query_builder::QueryFragment<diesel::pg::Pg>
        + QueryId
        + Send
        + 'static,
    T: DeserializeOwned + Debug + Default + Send + 'static,
{
    let reader = database.reader().await?;
    let found: Option<Json<T>> = synthetic_results::table
        .find(run.0)
        .select(column)
        .first(&mut &*reader)
        .await
        .optional()
        .map_err(failure)?;
    found.map_or_else(|| Ok(T::default()), |found| found.read(what))
}

pub(crate) async fn audits(database: &Database, run: RunId) -> Result<Vec<AuditRow>, StoreError> {
    column(
        database,
        run,
        synthetic_results::audits,
        "the audits of a lab test",
    )
    .await
}

pub(crate) async fn opportunities(database: &Database, run: RunId) -> Result<Vec<Opportunity>, StoreError> {
    let what = "the opportunities of a lab test";
    column(database, run, synthetic_results::opportunities, what).await
}

pub(crate) async fn resources(database: &Database, run: RunId) -> Result<Vec<Resource>, StoreError> {
    column(
        database,
        run,
        synthetic_results::resources,
        "the requests of a lab test",
    )
    .await
}

pub(crate) async fn third_parties(database: &Database, run: RunId) -> Result<Vec<ThirdParty>, StoreError> {
    let what = "the third parties of a lab test";
    column(database, run, synthetic_results::third_parties, what).await
}

pub(crate) async fn filmstrip(database: &Database, run: RunId) -> Result<Filmstrip, StoreError> {
    column(
        database,
        run,
        synthetic_results::filmstrip,
        "the filmstrip of a lab test",
    )
    .await
}
