//! Schedules that are due.

use std::slice;

use async_trait::async_trait;
use diesel::{ExpressionMethods, QueryDsl, QueryResult, QueryableByName, result::Error};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::WorkspaceId, store::StoreError};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, Claimed, ClaimedRow, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    moment::not_ahead,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};
use pharos_reporting::store::{DueSchedule, ReportSchedules, ScheduleOutcome};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    runs::create,
    schema::report_templates,
    templates::{LANE, row::TemplateRow},
};

/// Templates whose schedule is due.
pub const SCHEDULES: DueTable = due_table!(
    table: "report_templates",
    key: "id",
    due: "next_run_at",
    from: "report_templates AS s JOIN domains AS d ON d.id = s.domain_id",
    lane: "$1 = 'reports'",
    live: "d.deleted_at IS NULL",
    columns: "claimed.id, claimed.domain_id, claimed.workspace_id, claimed.name, claimed.description, claimed.sections,
        claimed.locale, claimed.format, claimed.default_period, claimed.compare_previous, claimed.branding,
        claimed.schedule, claimed.requester_kind, claimed.credential_id, claimed.last_run_at,
        claimed.created_by, claimed.created_at, claimed.updated_at, claimed.recipients_count",
    joins: ""
);
/// When a schedule that can't be read, or whose report can't be recorded, is looked at again.
const PUT_OFF: Duration = Duration::HOUR;

/// Counts the templates that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text SCHEDULES.backlog), LANE).await
}

/// Schedules in PostgreSQL.
#[derive(Debug)]
pub struct PgReportSchedules {
    database: Database,
    turns: Turns,
}

impl PgReportSchedules {
    /// Those of `database`.
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
    #[diesel(embed)]
    claimed: Claimed,
    #[diesel(embed)]
    template: TemplateRow,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl TryFrom<DueRow> for DueSchedule {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace: WorkspaceId(row.template.workspace_id),
            requested_by: row.template.requester()?,
            due_at: row.claimed.due_at,
            due_in: row.claimed.due_in(),
            leased_until: row.claimed.leased_until,
            template: row.template.try_into()?,
        })
    }
}

#[async_trait]
impl ReportSchedules for PgReportSchedules {
    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        // No lease is as long as this: it was written by a clock that has been set back since.
        let query = sql!(text "UPDATE report_templates SET leased_until = NULL WHERE leased_until > now() + interval '1 hour'");
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSchedule>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let statement = sql!(text SCHEDULES.claim);
        let rows: Vec<DueRow> = due::claim(&mut connection, statement, LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let held = (row.template.id, row.claimed.leased_until);
            match DueSchedule::try_from(row) {
                Ok(schedule) => due.push(schedule),
                Err(error) => {
                    let note = SetAside::unread(Kind::ReportTemplate, &held.0, &error);
                    // The others are claimed by now, whatever becomes of this one.
                    if let Err(error) = put_off(&mut connection, held, note, claim.now).await {
                        tracing::warn!(template = %held.0, %error, "a schedule waits until its lease ends");
                    }
                }
            }
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text SCHEDULES.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn settle(&self, outcomes: &[ScheduleOutcome], now: OffsetDateTime) -> Result<(), StoreError> {
        let mut ended = Ended {
            database: &self.database,
            now,
        };
        // Each has a transaction of its own, so that none holds the template of another.
        for outcome in outcomes {
            set_aside::write(&mut ended, slice::from_ref(outcome)).await?;
        }
        Ok(())
    }

    async fn release(&self, claimed: &[&DueSchedule]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.template.id.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text SCHEDULES.release), LANE, claimed)
            .await
            .map_err(failure)
    }
}

/// Outcomes of schedules, on their way into the tables.
struct Ended<'a> {
    database: &'a Database,
    now: OffsetDateTime,
}

#[async_trait]
impl Batch<ScheduleOutcome> for Ended<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, outcomes: &[ScheduleOutcome]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.database.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                for outcome in outcomes {
                    settle(connection, outcome).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, outcome: &ScheduleOutcome, why: StoreError) -> Result<Vec<()>, StoreError> {
        let held = (outcome.template.0, outcome.leased_until);
        let note = SetAside::unstored(Kind::ReportTemplate, &held.0, &why, outcome);
        let mut connection = self.database.claiming().await?;
        put_off(&mut connection, held, note, self.now)
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// The run, and when the schedule is due next, where nobody has changed the template since it was claimed.
async fn settle(
    connection: &mut AsyncPgConnection,
    outcome: &ScheduleOutcome,
) -> Result<(), Abort<StoreError>> {
    let held = diesel::update(report_templates::table.find(outcome.template.0))
        .filter(report_templates::leased_until.eq(outcome.leased_until))
        .set((
            report_templates::next_run_at.eq(outcome.next_at),
            report_templates::leased_until.eq(None::<OffsetDateTime>),
        ))
        .execute(connection)
        .await?;
    if held > 0
        && let Some(run) = &outcome.run
    {
        create(connection, run).await?;
    }
    Ok(())
}

/// Puts a schedule off for an hour if it can't be read, or its report can't be recorded, so that the others go on.
async fn put_off(
    connection: &mut AsyncPgConnection,
    (id, leased_until): (Uuid, OffsetDateTime),
    note: SetAside,
    now: OffsetDateTime,
) -> QueryResult<()> {
    connection
        .transaction::<_, Error, _>(async |connection| {
            // A clock that is ahead puts nothing off for longer.
            let now = not_ahead(connection, now).await?;
            diesel::update(report_templates::table.find(id))
                .filter(report_templates::leased_until.eq(leased_until))
                .set((
                    report_templates::next_run_at.eq(now + PUT_OFF),
                    report_templates::leased_until.eq(None::<OffsetDateTime>),
                ))
                .execute(connection)
                .await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}
