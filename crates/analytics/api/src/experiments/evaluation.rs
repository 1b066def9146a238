//! An evaluation, as answers show it.

use pharos_analytics::experiments::{
    ClusteredBy, Details, DidDetails, Evaluation, EvaluationStatus, ExperimentMethod, ExperimentMetric,
    Outcome, Verdict, Warning, statistics::CI_LEVEL,
};
use pharos_domain::{problem::Suffix, timestamp::Timestamp};
use pharos_http::operation::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

/// An evaluation of an experiment: how large the effect of the change is, and whether it is more than chance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExperimentEvaluationPublic)]
pub(crate) struct EvaluationPublic {
    /// The id of the evaluation.
    id: Uuid,
    /// The experiment's id.
    experiment_id: Uuid,
    /// How far it is. `completed` and `failed` are final.
    status: EvaluationStatus,
    /// How before and after were compared.
    method: ExperimentMethod,
    /// By which metric.
    primary_metric: ExperimentMetric,
    /// When it was asked for: it is about the days that were over by then.
    requested_at: Timestamp,
    /// When it was there, or had failed; null while it is pending.
    #[schema(required)]
    completed_at: Option<Timestamp>,
    /// How much of it is done.
    #[schema(minimum = 0, maximum = 100)]
    progress_pct: f64,
    #[serde(flatten)]
    outcome: Outcome,
    /// The level of `ci_low` and `ci_high`.
    ci_level: f64,
    /// Why it failed, as the last segment of a problem's `type`; null where it did not.
    #[schema(required, example = "internal-error")]
    error_code: Option<&'static str>,
}

impl From<Evaluation> for EvaluationPublic {
    fn from(evaluation: Evaluation) -> Self {
        let Evaluation {
            id,
            experiment_id,
            status,
            method,
            metric,
            requested_at,
            completed_at,
            progress_pct,
            outcome,
        } = evaluation;
        Self {
            id,
            experiment_id,
            status,
            method,
            primary_metric: metric,
            requested_at: requested_at.into(),
            completed_at: completed_at.map(Timestamp::from),
            progress_pct,
            outcome,
            ci_level: CI_LEVEL,
            error_code: (status == EvaluationStatus::Failed).then_some(Suffix::InternalError.as_str()),
        }
    }
}

impl Example for EvaluationPublic {
    fn example() -> Self {
        let at = datetime!(2026-03-31 09:15:00 UTC);
        let details = DidDetails {
            did_estimate: 21.5,
            standard_error: 6.8,
            t_statistic: 3.16,
            degrees_of_freedom: 83,
            clustered_by: ClusteredBy::Day,
            parallel_trends_p_value: Some(0.41),
            variant_change: 30.2,
            control_change: 8.7,
            n_observations: 168,
        };
        Self::from(Evaluation {
            id: uuid!("0190f3c2-d4c8-7f31-8b02-6a1d5e9c3f47"),
            experiment_id: uuid!("0190f3c2-d2a4-7b1e-9a55-1c7e0f4b2d10"),
            status: EvaluationStatus::Completed,
            method: ExperimentMethod::Did,
            metric: ExperimentMetric::Visitors,
            requested_at: at,
            completed_at: Some(at),
            progress_pct: 100.0,
            outcome: Outcome {
                pre_days: Some(56),
                post_days: Some(28),
                excluded_days: Some(1),
                pre_mean_variant: Some(118.4),
                post_mean_variant: Some(148.6),
                pre_mean_control: Some(122.0),
                post_mean_control: Some(130.7),
                effect_absolute: Some(21.5),
                effect_relative_pct: Some(16.9),
                ci_low: Some(7.97),
                ci_high: Some(35.03),
                p_value: Some(0.0022),
                is_significant: Some(true),
                verdict: Some(Verdict::Improved),
                warnings: vec![Warning::LowVolume],
                details: Some(Details::Did(details)),
            },
        })
    }
}
