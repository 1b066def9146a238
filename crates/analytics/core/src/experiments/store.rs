//! The port: experiments and their evaluations.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::DomainId,
    jobs::NewJob,
    settings::{ChangeError, SettingsChange},
    store::StoreError,
    wire_enum,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Design, Experiment, ExperimentMethod, ExperimentMetric, ExperimentSettings, Outcome, Panel};

wire_enum! {
    /// How far an evaluation is.
    EvaluationStatus as "ExperimentEvaluationStatus" {
        /// It is being computed.
        Pending = "pending",
        /// It is there.
        Completed = "completed",
        /// It could not be computed.
        Failed = "failed",
    }
}

/// An evaluation of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The id by which it is looked up.
    pub id: Uuid,
    /// The id of the experiment.
    pub experiment_id: Uuid,
    /// How far it is.
    pub status: EvaluationStatus,
    /// How before and after were compared.
    pub method: ExperimentMethod,
    /// By which metric.
    pub metric: ExperimentMetric,
    /// When it was requested.
    pub requested_at: OffsetDateTime,
    /// When it was there, or had failed.
    pub completed_at: Option<OffsetDateTime>,
    /// How much of it is done, 0 to 100.
    pub progress_pct: f64,
    /// The outcome.
    pub outcome: Outcome,
}

/// An evaluation that a job has to compute.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedEvaluation {
    /// The domain that the experiment is of.
    pub domain: DomainId,
    /// The comparison.
    pub design: Design,
    /// When it was requested: it is about the days that were over by then.
    pub requested_at: OffsetDateTime,
    /// The figures of its pages by day.
    pub panel: Panel,
}

/// Keeps experiments.
#[async_trait]
pub trait ExperimentStore: Send + Sync {
    /// Those of a domain, the newest first.
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<Experiment>, StoreError>;

    /// One of a domain.
    async fn find(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<Experiment>, StoreError>;

    /// Makes one and charges for it, in one transaction. A domain that has [`MOST_EXPERIMENTS`](super::MOST_EXPERIMENTS) gets no
    /// further one: that is a fault.
    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &ExperimentSettings,
        now: OffsetDateTime,
    ) -> Result<Experiment, ChangeError>;

    /// Changes one and charges for it, in one transaction. `None`: the domain has no such experiment.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: Uuid,
        change: &SettingsChange<'_, ExperimentSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<Experiment>, ChangeError>;

    /// Deletes one with its evaluations and charges for it, in one transaction. `false`: the domain has no such experiment.
    async fn delete(&self, domain: &Charged<DomainAccess>, id: Uuid) -> Result<bool, SettleError>;

    /// The figures of a design's pages by day, and the days of which anything was received: of visits, so that there are none for a
    /// metric of search. Revenue is of orders in the domain's currency, or that name none.
    async fn panel(&self, domain: &DomainAccess, design: &Design) -> Result<Panel, StoreError>;

    /// Stores an evaluation of an experiment, with the job that works it out where it is pending, and charges for it, in one
    /// transaction. A draft is running from then on. `None`: the domain has no such experiment, or its design is no longer the
    /// one that was evaluated.
    async fn evaluate(
        &self,
        domain: &Keyed<DomainAccess>,
        evaluation: &Evaluation,
        design: &Design,
        job: Option<&NewJob>,
        answer: &Answering<'_, Evaluation>,
    ) -> Result<Option<Evaluation>, SettleError>;

    /// The newest evaluation of an experiment. One whose job was given up has failed.
    async fn latest(&self, domain: &DomainAccess, experiment: Uuid)
    -> Result<Option<Evaluation>, StoreError>;

    /// The evaluation that a job has to compute; `None`: nobody waits for it any more.
    async fn wanted(&self, evaluation: Uuid) -> Result<Option<WantedEvaluation>, StoreError>;

    /// Notes how much of an evaluation is done. `false`: nobody waits for it any more.
    async fn progress(&self, evaluation: Uuid, progress_pct: f64) -> Result<bool, StoreError>;

    /// Stores what a pending evaluation found.
    async fn complete(
        &self,
        evaluation: Uuid,
        outcome: &Outcome,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;
}
