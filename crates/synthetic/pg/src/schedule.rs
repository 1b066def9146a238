//! The schedule of tests, and the results of runs.

use std::collections::BTreeSet;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName,
    result::Error,
    sql_types::{Binary, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, RunId, SyntheticUrlId, WorkspaceId},
    problem::Suffix,
    quota::QuotaResource,
    runs::RunStatus,
    settings::ChangeError,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    jobs::{self, backlog::Backlog},
    json::{Json, written},
    moment::not_ahead,
    pool::Database,
    quota, runs,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
    text::without_nul,
    upkeep_failures::Outcomes,
};
use pharos_synthetic::{
    budget::BudgetOutcome,
    conditions::Conditions,
    page::PageSettings,
    profile::Profile,
    run::{IMAGES_KEPT, Order, Trigger, WAITS, job},
    store::{Assignment, DuePage, Ended, LabSchedule, Measured, NewPage, OldFiles, Planned},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    budgets, files,
    pages::{self, LANE},
    row::SETTINGS,
    runs::NewRow,
    schema::{synthetic_results, synthetic_runs, synthetic_urls},
};

/// Pages that are due.
pub const PAGES: DueTable = due_table!(
    table: "synthetic_urls",
    key: "id",
    due: "next_run_at",
    from: "synthetic_urls AS s JOIN domains AS d ON d.id = s.domain_id",
    lane: "$1 = ''",
    live: "s.deleted_at IS NULL AND d.deleted_at IS NULL",
    columns: "claimed.id, claimed.domain_id, claimed.workspace_id, claimed.settings",
    joins: ""
);

/// The name of the former test's conditions in the error when they can't be read.
const CONDITIONS: &str = "the conditions of a lab test";
/// Why a run is given up that no node took.
const NOBODY: &str = "No node that can measure pages took the test in time. The operator of the installation finds the reason by \
                      `pharos doctor`.";
/// Why a run is given up whose job is over.
const LOST: &str = "The node that measured the page failed, and so did those that tried again.";

/// Counts the pages that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text PAGES.backlog), LANE).await
}

/// The schedule of the lab in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgLabSchedule {
    database: Database,
    turns: Turns,
}

impl PgLabSchedule {
    /// The schedule of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<PageSettings>,
    #[diesel(embed)]
    claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl TryFrom<DueRow> for DuePage {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: SyntheticUrlId(row.id),
            domain: DomainId(row.domain_id),
            workspace: WorkspaceId(row.workspace_id),
            due_in: row.claimed.due_in(),
            leased_until: row.claimed.leased_until,
            settings: row.settings.read(SETTINGS)?,
        })
    }
}

/// A run that is given up.
#[derive(QueryableByName)]
struct GivenUp {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
}

#[derive(QueryableByName)]
struct AssignmentRow {
    #[diesel(sql_type = Timestamptz)]
    requested_at: OffsetDateTime,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<PageSettings>,
    #[diesel(sql_type = Nullable<Binary>)]
    secrets: Option<Vec<u8>>,
    #[diesel(sql_type = Text)]
    profile_id: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    before: Option<Json<Conditions>>,
}

#[async_trait]
impl LabSchedule for PgLabSchedule {
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DuePage>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let statement = sql!(text PAGES.claim);
        let rows: Vec<DueRow> = due::claim(&mut connection, statement, LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let held = (row.id, row.claimed.leased_until);
            match DuePage::try_from(row) {
                Ok(page) => due.push(page),
                Err(error) => {
                    let note = SetAside::unread(Kind::LabTest, &held.0, &error);
                    // The others are claimed by now, whatever becomes of this one.
                    if let Err(error) = put_off(&mut connection, held, note, claim.now).await {
                        tracing::warn!(page = %held.0, %error, "a page of the lab waits until its lease ends");
                    }
                }
            }
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text PAGES.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let strays = sql!("sql/bring_back.sql")
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(strays, "pages of the lab lay too far ahead; they are due now");
        }
        Ok(())
    }

    async fn give_up(&self) -> Result<Vec<DomainId>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("sql/give_up.sql")
            .bind::<Double, _>(WAITS.as_seconds_f64())
            .bind::<Text, _>(NOBODY)
            .bind::<Text, _>(LOST);
        let given_up: Vec<GivenUp> = query.load(&mut connection).await.map_err(failure)?;
        if !given_up.is_empty() {
            tracing::warn!(
                given_up = given_up.len(),
                "lab tests that nobody will do have failed"
            );
        }
        let domains: BTreeSet<Uuid> = given_up.into_iter().map(|run| run.domain_id).collect();
        Ok(domains.into_iter().map(DomainId).collect())
    }

    async fn plan(&self, planned: &[Planned]) -> Result<(), StoreError> {
        if planned.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Plans(&self.database), planned)
            .await
            .map(|_| ())
    }

    async fn release(&self, claimed: &[&DuePage]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.id.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text PAGES.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn adopt(
        &self,
        domain: DomainId,
        workspace: WorkspaceId,
        page: &NewPage,
        now: OffsetDateTime,
    ) -> Result<bool, ChangeError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ChangeError>, _>(async |connection| {
                pages::adopt(connection, domain, workspace, page, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn begin(&self, run: RunId, now: OffsetDateTime) -> Result<Option<Assignment>, StoreError> {
        let mut connection = self.database.connection().await?;
        let now = not_ahead(&mut connection, now).await.map_err(failure)?;
        let query = sql!("sql/begin.sql")
            .bind::<SqlUuid, _>(run.0)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now + IMAGES_KEPT);
        let row: Option<AssignmentRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        if let Some(row) = row {
            return Ok(Some(Assignment {
                requested_at: row.requested_at,
                page_id: SyntheticUrlId(row.id),
                settings: row.settings.read(SETTINGS)?,
                sealed: row.secrets,
                profile_id: row.profile_id,
                before: row.before.map(|before| before.read(CONDITIONS)).transpose()?,
            }));
        }
        // Its page is gone, or it is over already.
        connection
            .transaction::<_, Error, _>(async |connection| call_off(connection, run, now).await)
            .await
            .map_err(failure)?;
        Ok(None)
    }

    async fn end(&self, run: RunId, ended: &Ended, now: OffsetDateTime) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| end(connection, run, ended, now).await)
            .await
            .map_err(Abort::answer)
    }

    async fn with_old_files(
        &self,
        now: OffsetDateTime,
        after: Option<OldFiles>,
        most: u32,
    ) -> Result<Vec<OldFiles>, StoreError> {
        files::old(&self.database, now, after, most).await
    }

    async fn files_gone(&self, runs: &[RunId]) -> Result<(), StoreError> {
        files::gone(&self.database, runs).await
    }

    async fn note_erasure(&self, why_not: Option<String>) {
        self.database
            .note_upkeep(&Outcomes::from([("files of lab tests", why_not)]))
            .await;
    }
}

/// Pages whose runs are recorded.
struct Plans<'a>(&'a Database);

#[async_trait]
impl Batch<Planned> for Plans<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, planned: &[Planned]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                for planned in planned {
                    plan(connection, planned).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, planned: &Planned, why: StoreError) -> Result<Vec<()>, StoreError> {
        let held = (planned.page.id.0, planned.page.leased_until);
        let note = SetAside::unstored(Kind::LabTest, &held.0, &why, &planned.page.id);
        let mut connection = self.0.claiming().await?;
        put_off(&mut connection, held, note, planned.now)
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// A run a profile. Where one of the schedule waits still, or a browser has it, there is no second: what can't keep up falls
/// behind no further.
async fn plan(connection: &mut AsyncPgConnection, planned: &Planned) -> Result<(), Abort<StoreError>> {
    let Planned {
        page,
        now,
        next_run_at,
    } = planned;
    let now = not_ahead(connection, *now).await?;
    let held = diesel::update(synthetic_urls::table.find(page.id.0))
        .filter(synthetic_urls::leased_until.eq(page.leased_until))
        .set((
            synthetic_urls::leased_until.eq(None::<OffsetDateTime>),
            synthetic_urls::next_run_at.eq(next_run_at),
            synthetic_urls::planned_at.eq(now),
        ))
        .execute(connection)
        .await?;
    // Another node has it by now, or somebody changed it.
    if held == 0 {
        return Ok(());
    }
    let open: Vec<String> = synthetic_runs::table
        .filter(synthetic_runs::url_id.eq(page.id.0))
        .filter(synthetic_runs::finished_at.is_null())
        .filter(synthetic_runs::trigger.eq(Trigger::Schedule.as_str()))
        .select(synthetic_runs::profile_id)
        .load(connection)
        .await?;
    for profile_id in &page.settings.profile_ids {
        if !open.contains(profile_id) {
            let profile = Profile::stored(profile_id).map_err(Abort::Port)?;
            ask(connection, page, profile, now).await?;
        }
    }
    Ok(())
}

async fn ask(
    connection: &mut AsyncPgConnection,
    page: &DuePage,
    profile: &Profile,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let id = RunId::generate();
    let full = quota::take(connection, page.workspace, QuotaResource::SyntheticRuns, 1, now)
        .await?
        .err();
    let order = Order {
        run_id: id,
        domain_id: page.domain,
    };
    let job = full.is_none().then(|| job(order, page.workspace));
    let new = NewRow {
        id,
        domain: page.domain,
        page: page.id,
        job: job.as_ref().map(|job| job.id),
        settings: &page.settings,
        profile,
        trigger: Trigger::Schedule,
        requested_at: now,
    };
    new.insert(connection).await?;
    if let Some(job) = job {
        jobs::enqueue(connection, &[job]).await?;
    }
    if let Some(full) = full {
        diesel::update(synthetic_runs::table.find(id.0))
            .set((
                synthetic_runs::status.eq(RunStatus::Failed.as_str()),
                synthetic_runs::finished_at.eq(now),
                synthetic_runs::error_code.eq(Suffix::QuotaExhausted.as_str()),
                synthetic_runs::error_detail.eq(full.to_string()),
            ))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Calls a run off as far as it is open. Whoever asked for it just before its page went hears that it was canceled, not that it
/// succeeded.
async fn call_off(connection: &mut AsyncPgConnection, run: RunId, now: OffsetDateTime) -> QueryResult<()> {
    let canceled = diesel::update(synthetic_runs::table.find(run.0))
        .filter(synthetic_runs::finished_at.is_null())
        .set((
            synthetic_runs::status.eq(RunStatus::Canceled.as_str()),
            synthetic_runs::finished_at.eq(now),
        ))
        .execute(connection)
        .await?;
    if canceled > 0 {
        runs::cancel(connection, &[run.0], &[], now).await?;
    }
    Ok(())
}

async fn end(
    connection: &mut AsyncPgConnection,
    run: RunId,
    ended: &Ended,
    now: OffsetDateTime,
) -> Result<bool, Abort<StoreError>> {
    let now = not_ahead(connection, now).await?;
    type Known = (Uuid, Option<Uuid>, String, OffsetDateTime, Option<OffsetDateTime>);
    let known: Option<Known> = synthetic_runs::table
        .find(run.0)
        .filter(synthetic_runs::finished_at.is_null())
        .for_update()
        .select((
            synthetic_runs::domain_id,
            synthetic_runs::url_id,
            synthetic_runs::profile_id,
            synthetic_runs::requested_at,
            synthetic_runs::started_at,
        ))
        .first(connection)
        .await
        .optional()?;
    let Some((domain, page, profile_id, requested_at, started_at)) = known else {
        return Ok(false);
    };
    // It ended no sooner than it began, whatever the clocks of two nodes say.
    let now = now.max(started_at.unwrap_or(requested_at));
    match ended {
        Ended::Failed { code, detail } => {
            diesel::update(synthetic_runs::table.find(run.0))
                .set((
                    synthetic_runs::status.eq(RunStatus::Failed.as_str()),
                    synthetic_runs::finished_at.eq(now),
                    synthetic_runs::error_code.eq(code),
                    synthetic_runs::error_detail.eq(without_nul(detail.clone())),
                ))
                .execute(connection)
                .await?;
        }
        Ended::Measured(measured) => {
            let (domain, page) = (DomainId(domain), page.map(SyntheticUrlId));
            let outcomes = judge(connection, domain, page, &profile_id, measured).await?;
            keep(connection, run, measured, &outcomes, now).await?;
        }
    }
    Ok(true)
}

/// Holds the figures to the budgets.
async fn judge(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    page: Option<SyntheticUrlId>,
    profile_id: &str,
    measured: &Measured,
) -> Result<Vec<BudgetOutcome>, Abort<StoreError>> {
    if measured.summary.runtime_error.is_some() {
        return Ok(Vec::new());
    }
    let budgets = budgets::of(connection, domain).await?;
    let held = budgets.iter().filter(|budget| budget.holds_for(page, profile_id));
    Ok(held
        .map(|budget| budget.judge(&measured.summary.figures))
        .collect())
}

async fn keep(
    connection: &mut AsyncPgConnection,
    run: RunId,
    measured: &Measured,
    outcomes: &[BudgetOutcome],
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let Measured {
        summary,
        lists,
        images_until,
        files_until,
    } = measured;
    let json = |value: Result<Value, StoreError>| value.map_err(Abort::Port);
    let error = summary.runtime_error.as_ref();
    let status = match error {
        None => RunStatus::Succeeded,
        Some(_) => RunStatus::Failed,
    };
    let query = sql!(text "UPDATE synthetic_runs
        SET status = $2, finished_at = $3, summary = $4, budgets = $5, images_until = $6, error_code = $7,
            error_detail = $8, files_until = $9
        WHERE id = $1")
    .bind::<SqlUuid, _>(run.0)
    .bind::<Text, _>(status.as_str())
    .bind::<Timestamptz, _>(now)
    .bind::<Jsonb, _>(json(written(summary))?)
    .bind::<Jsonb, _>(json(written(outcomes))?)
    .bind::<Nullable<Timestamptz>, _>(*images_until)
    .bind::<Nullable<Text>, _>(error.map(|_| Suffix::UpstreamError.as_str()))
    .bind::<Nullable<Text>, _>(error.map(|error| without_nul(error.message.clone())))
    .bind::<Timestamptz, _>(*files_until);
    query.execute(connection).await?;
    diesel::insert_into(synthetic_results::table)
        .values((
            synthetic_results::run_id.eq(run.0),
            synthetic_results::audits.eq(json(written(&lists.audits))?),
            synthetic_results::opportunities.eq(json(written(&lists.opportunities))?),
            synthetic_results::resources.eq(json(written(&lists.resources))?),
            synthetic_results::third_parties.eq(json(written(&lists.third_parties))?),
            synthetic_results::filmstrip.eq(json(written(&lists.filmstrip))?),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Puts a page off for a day if its settings can't be read, or its runs can't be recorded.
async fn put_off(
    connection: &mut AsyncPgConnection,
    (id, leased_until): (Uuid, OffsetDateTime),
    note: SetAside,
    now: OffsetDateTime,
) -> QueryResult<()> {
    connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!(text "UPDATE synthetic_urls
                -- A clock that is ahead puts nothing off for longer.
                SET next_run_at = least($3, now()) + interval '1 day', leased_until = NULL
                WHERE id = $1 AND leased_until = $2")
            .bind::<SqlUuid, _>(id)
            .bind::<Timestamptz, _>(leased_until)
            .bind::<Timestamptz, _>(now);
            query.execute(connection).await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}
