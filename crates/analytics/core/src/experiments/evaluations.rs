//! Evaluations: at once, or by a job where they take long.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    ids::WorkspaceId,
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    page_facts::{PageSearchDays, PageSpeedDays},
    ranking_updates::RankingUpdates,
    site_address::SiteAddresses,
};
use serde::Deserialize;
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    Evaluation, EvaluationStatus, Experiment, ExperimentMethod, ExperimentStore, Outcome, Panel, evaluate,
    series_of,
    statistics::bsts::{Impact, Sampler, Series},
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("experiment_evaluation");
/// How often an evaluation is tried while the database is away: for some four minutes.
const MAX_ATTEMPTS: u16 = 8;
/// After so many samples it is noted how much is done.
const SAMPLES_AT_ONCE: usize = 120;

/// The payload of a job.
#[derive(Debug, Deserialize)]
struct Order {
    evaluation_id: Uuid,
}

/// An evaluation, and the job that works it out if that takes long.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvaluation {
    /// The evaluation: complete, or pending.
    pub evaluation: Evaluation,
    /// The job that works it out. `None`: it is computed already.
    pub job: Option<NewJob>,
}

impl NewEvaluation {
    /// An evaluation that a job works out: it reads what the pages come to itself.
    #[must_use]
    pub fn pending(experiment: &Experiment, workspace: WorkspaceId, now: OffsetDateTime) -> Self {
        let design = &experiment.settings.design;
        let id = Uuid::now_v7();
        Self {
            evaluation: Evaluation {
                id,
                experiment_id: experiment.id,
                status: EvaluationStatus::Pending,
                method: design.method,
                metric: design.metric,
                requested_at: now,
                completed_at: None,
                progress_pct: 0.0,
                outcome: Outcome::default(),
            },
            job: Some(job(id, workspace)),
        }
    }

    /// Evaluates an experiment at once, by what its pages come to.
    #[must_use]
    pub fn completed(
        experiment: &Experiment,
        panel: &Panel,
        updates: &dyn RankingUpdates,
        now: OffsetDateTime,
    ) -> Self {
        let design = &experiment.settings.design;
        Self {
            evaluation: Evaluation {
                id: Uuid::now_v7(),
                experiment_id: experiment.id,
                status: EvaluationStatus::Completed,
                method: design.method,
                metric: design.metric,
                requested_at: now,
                completed_at: Some(now),
                progress_pct: 100.0,
                outcome: evaluate(design, panel, updates, now.date(), None),
            },
            job: None,
        }
    }
}

impl ExperimentMethod {
    /// Whether it takes so long that a job does it.
    #[must_use]
    pub const fn takes_long(self) -> bool {
        matches!(self, Self::Bsts)
    }
}

fn job(evaluation: Uuid, workspace: WorkspaceId) -> NewJob {
    NewJob::of(
        workspace,
        KIND,
        json!({ "evaluation_id": evaluation }),
        MAX_ATTEMPTS,
    )
}

/// Works evaluations out.
#[derive(Clone)]
pub struct EvaluationJobs {
    /// Where they are kept.
    pub store: Arc<dyn ExperimentStore>,
    /// The updates of rankings.
    pub updates: Arc<dyn RankingUpdates>,
    /// Where sites lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// How fast pages were.
    pub speed: Arc<dyn PageSpeedDays>,
    /// The visits that the search sent to them.
    pub searches: Arc<dyn PageSearchDays>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for EvaluationJobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvaluationJobs").finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for EvaluationJobs {
    fn kind(&self) -> JobKind {
        KIND
    }

    /// Half of the places: each keeps a core busy for as long as it takes.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(2)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { evaluation_id } = job.read()?;
        let Some(wanted) = self.store.wanted(evaluation_id).await? else {
            tracing::info!(%evaluation_id, "nobody waits for an evaluation any more");
            return Ok(Changed::new());
        };
        let today = wanted.requested_at.date();
        let panel = wanted
            .panel
            .completed(
                &wanted.design,
                wanted.domain,
                &*self.addresses,
                &*self.speed,
                &*self.searches,
            )
            .await?;
        let impact = match series_of(&wanted.design, &panel, today) {
            Some(series) => match self.impact(evaluation_id, series).await? {
                Drawn::Impact(impact) => impact,
                Drawn::Unwanted => return Ok(Changed::new()),
            },
            None => None,
        };
        let outcome = evaluate(&wanted.design, &panel, &*self.updates, today, impact.as_ref());
        self.store
            .complete(evaluation_id, &outcome, self.clock.now())
            .await?;
        // Reads of evaluations are not kept.
        Ok(Changed::new())
    }
}

/// The result of drawing the samples.
enum Drawn {
    /// The effect; `None`: the series says nothing.
    Impact(Option<Impact>),
    /// Nobody waits for it any more.
    Unwanted,
}

impl EvaluationJobs {
    /// Draws the samples, and notes how many there are. The seed is the evaluation's, so that doing it again finds the same.
    async fn impact(&self, evaluation: Uuid, series: Series) -> Result<Drawn, JobFailure> {
        let (_, seed) = evaluation.as_u64_pair();
        let Some(mut sampler) = Sampler::new(&series, seed) else {
            return Ok(Drawn::Impact(None));
        };
        loop {
            let drawing = tokio::task::spawn_blocking(move || {
                let is_done = sampler.draw(SAMPLES_AT_ONCE);
                (sampler, is_done)
            });
            let drawn = drawing.await;
            let is_done;
            (sampler, is_done) = drawn.map_err(|error| JobFailure::permanent(error.to_string()))?;
            if is_done {
                break;
            }
            if !self.store.progress(evaluation, sampler.progress_pct()).await? {
                return Ok(Drawn::Unwanted);
            }
        }
        let summing = tokio::task::spawn_blocking(move || sampler.impact(&series));
        let impact = summing
            .await
            .map_err(|error| JobFailure::permanent(error.to_string()))?;
        Ok(Drawn::Impact(impact))
    }
}
