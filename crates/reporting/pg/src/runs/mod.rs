//! Runs of reports.

pub(crate) mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl,
    sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    ids::RunId,
    page::{Page, PageRequest, Position},
    runs::RunStatus,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    json::{Json, written},
    metering::charged::charged,
    pool::Database,
    runs,
    set_aside::Kind,
    sql,
    upkeep_failures::Outcomes,
};
use pharos_reporting::{
    run::{NewReportRun, ReportResult, ReportRun},
    store::{ReportRunStore, ReportWork, RunFilter, WantedReport},
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{OldResultRow, ReportRunRow, WantedRow, at};
use crate::schema::report_runs;

/// Runs in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgReportRunStore {
    database: Database,
}

impl PgReportRunStore {
    /// The runs of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl ReportRunStore for PgReportRunStore {
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewReportRun,
        answer: &Answering<'_, ReportRun>,
    ) -> Result<ReportRun, SettleError> {
        charged(
            &self.database,
            domain.slip(),
            Some(answer),
            async move |connection| create(connection, new).await.map_err(Abort::widen),
        )
        .await
    }

    async fn list(
        &self,
        domain: &DomainAccess,
        filter: RunFilter,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<ReportRun>, StoreError> {
        let after = page.after.unwrap_or(Position::START);
        let status = filter.status.map(|status| status.as_str());
        let rows: Vec<ReportRunRow> = match filter.template {
            None => {
                let statuses: Vec<&str> = RunStatus::ALL.iter().map(|status| status.as_str()).collect();
                let query = sql!("list.sql")
                    .bind::<SqlUuid, _>(domain.id().0)
                    .bind::<Timestamptz, _>(after.key)
                    .bind::<SqlUuid, _>(after.id)
                    .bind::<Nullable<Text>, _>(status)
                    .bind::<Timestamptz, _>(now)
                    .bind::<BigInt, _>(page.rows())
                    .bind::<Array<Text>, _>(statuses);
                let reader = self.database.reader().await?;
                query.load(&mut &*reader).await.map_err(failure)?
            }
            Some(template) => {
                let query = sql!("of_template.sql")
                    .bind::<SqlUuid, _>(domain.id().0)
                    .bind::<Timestamptz, _>(after.key)
                    .bind::<SqlUuid, _>(after.id)
                    .bind::<Nullable<Text>, _>(status)
                    .bind::<Timestamptz, _>(now)
                    .bind::<BigInt, _>(page.rows())
                    .bind::<SqlUuid, _>(template.0);
                // It looks at a year of the template.
                let mut connection = self.database.long_read().await?;
                query.load(&mut connection).await.map_err(read_failure)?
            }
        };
        let cut = Page::cut(rows, page, |row| Position {
            key: row.run.requested_at(),
            id: row.run.id().0,
        });
        let mut runs: Page<ReportRun> = self
            .database
            .readable_page(Kind::ReportTemplate, cut, |row: &ReportRunRow| row.run.id())
            .await;
        let ended = std::mem::take(&mut runs.items);
        runs.items = ended.into_iter().map(|run| at(run, now)).collect();
        Ok(runs)
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<ReportRun>, StoreError> {
        let query = sql!("one.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id.0);
        let reader = self.database.reader().await?;
        let row: Option<ReportRunRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| row.read(now)).transpose()
    }
}

#[async_trait]
impl ReportWork for PgReportRunStore {
    async fn wanted(&self, id: RunId, now: OffsetDateTime) -> Result<Option<WantedReport>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<WantedRow> = sql!("wanted.sql")
            .bind::<SqlUuid, _>(id.0)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| row.read(now)).transpose()
    }

    async fn storing(&self, id: RunId) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::update(report_runs::table.find(id.0))
            .set(report_runs::has_result.eq(true))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn made(&self, id: RunId, result: &ReportResult, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("made.sql")
            .bind::<SqlUuid, _>(id.0)
            .bind::<Jsonb, _>(Json::of(written(result)?))
            .bind::<Timestamptz, _>(now);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn old_results(
        &self,
        now: OffsetDateTime,
        but: &[RunId],
        most: usize,
    ) -> Result<Vec<RunId>, StoreError> {
        let but: Vec<Uuid> = but.iter().map(|run| run.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<OldResultRow> = sql!("old_results.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::try_from(most).unwrap_or(i64::MAX))
            .bind::<Array<SqlUuid>, _>(but)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(|row| RunId(row.run_id)).collect())
    }

    async fn gone(&self, gone: &[RunId]) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = gone.iter().map(|run| run.0).collect();
        let mut connection = self.database.connection().await?;
        let query = sql!("gone.sql").bind::<Array<SqlUuid>, _>(ids);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn note_upkeep(&self, why_not: Option<String>) {
        self.database
            .note_upkeep(&Outcomes::from([("results of reports", why_not)]))
            .await;
    }
}

/// Records a run with its job.
pub(crate) async fn create(
    connection: &mut AsyncPgConnection,
    new: &NewReportRun,
) -> Result<ReportRun, Abort<StoreError>> {
    let NewReportRun {
        run,
        template,
        template_name,
        trigger,
        format,
        period,
        days,
        order,
        is_mailed,
    } = new;
    let (first_day, last_day) = (DateRange::first(*days), DateRange::last(*days));
    let run = runs::create(connection, run).await?;
    let ordered = written(order).map_err(Abort::Port)?;
    diesel::insert_into(report_runs::table)
        .values((
            report_runs::run_id.eq(run.id.0),
            report_runs::template_id.eq(template.0),
            report_runs::template_name.eq(template_name),
            report_runs::trigger.eq(trigger.as_str()),
            report_runs::format.eq(format.as_str()),
            report_runs::period.eq(period.map(|period| period.as_str())),
            report_runs::first_day.eq(first_day),
            report_runs::last_day.eq(last_day),
            report_runs::ordered.eq(Json::of(ordered)),
            report_runs::is_mailed.eq(is_mailed),
        ))
        .execute(connection)
        .await?;
    Ok(ReportRun {
        run,
        template: Some(*template),
        template_name: template_name.clone(),
        trigger: *trigger,
        format: *format,
        period: *period,
        days: *days,
        result: None,
    })
}
