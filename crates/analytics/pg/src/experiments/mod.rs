//! Experiments and their evaluations.

mod begun;
mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl,
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::experiments::{
    Design, Evaluation, EvaluationStatus, Experiment, ExperimentSettings, ExperimentStatus, ExperimentStore,
    MOST_EXPERIMENTS, Outcome, Panel, PanelRow, WantedEvaluation,
};
use pharos_domain::{
    collect::kept_path,
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, UserId},
    jobs::NewJob,
    settings::{ChangeError, SettingFault, SettingsChange},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    hold,
    jobs::enqueue,
    json::{self, Json},
    metering::charged::charged,
    missing::{Undone, found},
    moment::{not_ahead, to_micros},
    pool::Database,
    set_aside::Kind,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{EvaluationRow, ExperimentRow, FiguresRow, ReceivedRow, SettingsRow, WantedRow};
use crate::schema::{analytics_evaluations, analytics_experiments};

/// How many evaluations of an experiment are kept: answers show the newest.
const EVALUATIONS_KEPT: i64 = 20;

/// Experiments in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgExperimentStore {
    database: Database,
}

impl PgExperimentStore {
    /// The experiments of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn panel_of(&self, domain: DomainId, design: &Design) -> Result<Panel, StoreError> {
        if design.metric.is_of_search() {
            return Ok(Panel::default());
        }
        let mut connection = self.database.long_read().await?;
        let received: Option<ReceivedRow> = sql!("received.sql")
            .bind::<SqlUuid, _>(domain.0)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(read_failure)?;
        let Some(received) = received.and_then(|row| row.days()) else {
            return Ok(Panel::default());
        };
        let Some(days) = design.days(received) else {
            return Ok(Panel {
                received: Some(received),
                ..Panel::default()
            });
        };
        let [control, variant] = [&design.control_urls, &design.variant_urls].map(|urls| {
            urls.iter()
                .map(|url| kept_path(url).to_owned())
                .collect::<Vec<String>>()
        });
        let query = sql!("panel.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(days.start())
            .bind::<Timestamptz, _>(days.end())
            .bind::<Array<Text>, _>(control)
            .bind::<Array<Text>, _>(variant);
        let rows: Vec<FiguresRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let rows: Result<Vec<PanelRow>, _> = rows.into_iter().map(PanelRow::try_from).collect();
        Ok(Panel {
            rows: rows?,
            received: Some(received),
            ..Panel::default()
        })
    }
}

#[async_trait]
impl ExperimentStore for PgExperimentStore {
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<Experiment>, StoreError> {
        let query = sql!("list.sql").bind::<SqlUuid, _>(domain.id().0);
        let reader = self.database.reader().await?;
        let rows: Vec<ExperimentRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(self
            .database
            .readable(Kind::Experiment, rows, ExperimentRow::id)
            .await)
    }

    async fn find(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<Experiment>, StoreError> {
        let query = sql!("one.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id);
        let reader = self.database.reader().await?;
        let row: Option<ExperimentRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Experiment::try_from).transpose()
    }

    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &ExperimentSettings,
        now: OffsetDateTime,
    ) -> Result<Experiment, ChangeError> {
        let by = domain.identity().user_id;
        charged(&self.database, domain.slip(), None, async move |connection| {
            create(connection, domain.id(), by, settings, to_micros(now)).await
        })
        .await
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: Uuid,
        change: &SettingsChange<'_, ExperimentSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<Experiment>, ChangeError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            update(connection, domain.id(), id, change, to_micros(now)).await
        })
        .await;
        found(done)
    }

    async fn delete(&self, domain: &Charged<DomainAccess>, id: Uuid) -> Result<bool, SettleError> {
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            lock::<SettleError>(connection, domain.id(), id).await?;
            diesel::delete(analytics_experiments::table.find(id))
                .execute(connection)
                .await?;
            Ok(())
        })
        .await;
        Ok(found(done)?.is_some())
    }

    async fn panel(&self, domain: &DomainAccess, design: &Design) -> Result<Panel, StoreError> {
        let _share = self
            .database
            .long_read_share(domain.workspace().workspace().id.0)
            .await?;
        self.panel_of(domain.id(), design).await
    }

    async fn evaluate(
        &self,
        domain: &Keyed<DomainAccess>,
        evaluation: &Evaluation,
        design: &Design,
        job: Option<&NewJob>,
        answer: &Answering<'_, Evaluation>,
    ) -> Result<Option<Evaluation>, SettleError> {
        let done = charged(
            &self.database,
            domain.slip(),
            Some(answer),
            async move |connection| store(connection, domain.id(), evaluation, design, job).await,
        )
        .await;
        found(done)
    }

    async fn latest(
        &self,
        domain: &DomainAccess,
        experiment: Uuid,
    ) -> Result<Option<Evaluation>, StoreError> {
        let query = sql!("latest.sql")
            .bind::<SqlUuid, _>(experiment)
            .bind::<SqlUuid, _>(domain.id().0);
        let reader = self.database.reader().await?;
        let row: Option<EvaluationRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Evaluation::try_from).transpose()
    }

    async fn wanted(&self, evaluation: Uuid) -> Result<Option<WantedEvaluation>, StoreError> {
        let row: Option<WantedRow> = {
            let mut connection = self.database.connection().await?;
            let query = sql!("wanted.sql").bind::<SqlUuid, _>(evaluation);
            query
                .get_result(&mut connection)
                .await
                .optional()
                .map_err(failure)?
        };
        let Some(row) = row else {
            return Ok(None);
        };
        let requested_at = row.requested_at;
        let experiment = Experiment::try_from(row.experiment)?;
        let design = experiment.settings.design;
        Ok(Some(WantedEvaluation {
            panel: self.panel_of(experiment.domain_id, &design).await?,
            domain: experiment.domain_id,
            design,
            requested_at,
        }))
    }

    async fn progress(&self, evaluation: Uuid, progress_pct: f64) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        let noted = diesel::update(analytics_evaluations::table.find(evaluation))
            .filter(analytics_evaluations::status.eq(EvaluationStatus::Pending.as_str()))
            .set(analytics_evaluations::progress_pct.eq(progress_pct))
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        Ok(noted > 0)
    }

    async fn complete(
        &self,
        evaluation: Uuid,
        outcome: &Outcome,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let outcome = json::written(outcome)?;
        let mut connection = self.database.connection().await?;
        let now = not_ahead(&mut connection, now).await.map_err(failure)?;
        diesel::update(analytics_evaluations::table.find(evaluation))
            .filter(analytics_evaluations::status.eq(EvaluationStatus::Pending.as_str()))
            .set((
                analytics_evaluations::status.eq(EvaluationStatus::Completed.as_str()),
                analytics_evaluations::completed_at.eq(to_micros(now)),
                analytics_evaluations::progress_pct.eq(100.0),
                analytics_evaluations::outcome.eq(Json::of(outcome)),
            ))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}

/// Its domain is locked, so that no two requests both make the last experiment that it may have.
async fn create(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    by: UserId,
    settings: &ExperimentSettings,
    now: OffsetDateTime,
) -> Result<Experiment, Abort<ChangeError>> {
    let (id, now) = (Uuid::now_v7(), not_ahead(connection, now).await?);
    hold::domain(connection, domain).await?;
    let experiments: i64 = analytics_experiments::table
        .filter(analytics_experiments::domain_id.eq(domain.0))
        .count()
        .get_result(connection)
        .await?;
    if experiments >= i64::from(MOST_EXPERIMENTS) {
        return Err(Abort::Port(ChangeError::Faults(vec![SettingFault::new(
            "",
            format!("the domain has {MOST_EXPERIMENTS} experiments, as many as it may; delete one first"),
        )])));
    }
    diesel::insert_into(analytics_experiments::table)
        .values((
            analytics_experiments::id.eq(id),
            analytics_experiments::domain_id.eq(domain.0),
            SettingsRow::from(settings),
            analytics_experiments::created_at.eq(now),
            analytics_experiments::updated_at.eq(now),
            analytics_experiments::created_by.eq(by.0),
        ))
        .execute(connection)
        .await?;
    Ok(Experiment {
        id,
        domain_id: domain,
        settings: settings.clone(),
        latest_evaluation_id: None,
        created_by: Some(by),
        created_at: now,
        updated_at: now,
    })
}

async fn update(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: Uuid,
    change: &SettingsChange<'_, ExperimentSettings>,
    now: OffsetDateTime,
) -> Result<Experiment, Abort<Undone<ChangeError>>> {
    let present = locked::<ChangeError>(connection, domain, id).await?;
    let now = not_ahead(connection, now).await?;
    let settings = change(Some(&present.settings))
        .map_err(|faults| Abort::Port(Undone::Other(ChangeError::Faults(faults))))?;
    diesel::update(analytics_experiments::table.find(id))
        .set((
            SettingsRow::from(&settings),
            analytics_experiments::updated_at.eq(now),
        ))
        .execute(connection)
        .await?;
    Ok(Experiment {
        settings,
        updated_at: now,
        ..present
    })
}

/// Stores an evaluation, of the design that it was made from. The experiment is locked, so that neither changes meanwhile.
async fn store(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    evaluation: &Evaluation,
    design: &Design,
    job: Option<&NewJob>,
) -> Result<Evaluation, Abort<Undone<SettleError>>> {
    let experiment = locked::<SettleError>(connection, domain, evaluation.experiment_id).await?;
    if experiment.settings.design != *design {
        return Err(Abort::Port(Undone::Missing));
    }
    let outcome = json::written(&evaluation.outcome)
        .map_err(|error| Abort::Port(Undone::Other(SettleError::from(error))))?;
    let requested_at = to_micros(not_ahead(connection, evaluation.requested_at).await?);
    let completed_at = evaluation.completed_at.map(|_| requested_at);
    diesel::insert_into(analytics_evaluations::table)
        .values((
            analytics_evaluations::id.eq(evaluation.id),
            analytics_evaluations::experiment_id.eq(evaluation.experiment_id),
            analytics_evaluations::status.eq(evaluation.status.as_str()),
            analytics_evaluations::method.eq(evaluation.method.as_str()),
            analytics_evaluations::metric.eq(evaluation.metric.as_str()),
            analytics_evaluations::requested_at.eq(requested_at),
            analytics_evaluations::completed_at.eq(completed_at),
            analytics_evaluations::progress_pct.eq(evaluation.progress_pct),
            analytics_evaluations::job_id.eq(job.map(|job| job.id.0)),
            analytics_evaluations::outcome.eq(Json::of(outcome)),
        ))
        .execute(connection)
        .await?;
    if let Some(job) = job {
        enqueue(connection, std::slice::from_ref(job)).await?;
    }
    sql!("forget.sql")
        .bind::<SqlUuid, _>(evaluation.experiment_id)
        .bind::<BigInt, _>(EVALUATIONS_KEPT)
        .execute(connection)
        .await?;
    if experiment.settings.status == ExperimentStatus::Draft {
        diesel::update(analytics_experiments::table.find(evaluation.experiment_id))
            .set((
                analytics_experiments::status.eq(ExperimentStatus::Running.as_str()),
                analytics_experiments::updated_at.eq(requested_at),
            ))
            .execute(connection)
            .await?;
    }
    Ok(Evaluation {
        requested_at,
        completed_at,
        ..evaluation.clone()
    })
}

/// Locks an experiment of a domain, also one of a later version, which this one can't read.
async fn lock<E>(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: Uuid,
) -> Result<(), Abort<Undone<E>>> {
    let found: Option<Uuid> = analytics_experiments::table
        .find(id)
        .filter(analytics_experiments::domain_id.eq(domain.0))
        .for_update()
        .select(analytics_experiments::id)
        .first(connection)
        .await
        .optional()?;
    found.map(|_| ()).ok_or(Abort::Port(Undone::Missing))
}

/// Locks an experiment of a domain, and reads it.
async fn locked<E: From<SettleError>>(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    id: Uuid,
) -> Result<Experiment, Abort<Undone<E>>> {
    lock::<E>(connection, domain, id).await?;
    let query = sql!("one.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id);
    let row: ExperimentRow = query.get_result(connection).await?;
    Experiment::try_from(row).map_err(|error| Abort::Port(Undone::Other(SettleError::from(error).into())))
}
