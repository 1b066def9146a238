//! An experiment, as answers show it.

use pharos_analytics::experiments::{
    Design, Experiment, ExperimentMethod, ExperimentMetric, ExperimentSettings, ExperimentStatus,
    MetricDirection,
};
use pharos_domain::{
    day::Day,
    ids::{DomainId, UserId},
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use time::{
    Date,
    macros::{date, datetime},
};
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

/// An experiment: whether pages did better after a change than before it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExperimentPublic {
    /// The id of the experiment, for paths of the API.
    id: Uuid,
    /// The domain that it is of.
    domain_id: DomainId,
    /// The name that people gave the experiment.
    name: String,
    /// The owner's expectation; null: nothing was said.
    #[schema(required)]
    hypothesis: Option<String>,
    /// How far it is. One that runs is `ready` once 14 days after the change are over, or with `post_end_date` where that comes sooner,
    /// if it has 7 days at least.
    status: ExperimentStatus,
    /// How before and after are compared.
    method: ExperimentMethod,
    /// By which metric.
    primary_metric: ExperimentMetric,
    /// Which way of the metric is the better one.
    metric_direction: MetricDirection,
    /// Pages that did not change: path and query.
    control_urls: Vec<String>,
    /// Pages that did.
    variant_urls: Vec<String>,
    /// The first day before the change, UTC; null: 55 days before `pre_end_date`.
    #[schema(required)]
    pre_start_date: Option<Day>,
    /// The last day before the change, which counts.
    pre_end_date: Day,
    /// The first day after it. Days between are left out.
    post_start_date: Day,
    /// The last day after it, which counts; null: as far as there is data.
    #[schema(required)]
    post_end_date: Option<Day>,
    /// Its newest evaluation; null: there is none.
    #[schema(required)]
    latest_evaluation_id: Option<Uuid>,
    /// Who made it; null: nobody who is known any more.
    #[schema(required)]
    created_by: Option<UserId>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was changed last.
    updated_at: Timestamp,
}

impl ExperimentPublic {
    /// The experiment as it is on a day.
    pub(super) fn new(experiment: Experiment, today: Date) -> Self {
        let status = experiment.settings.status_on(today);
        let Experiment {
            id,
            domain_id,
            settings:
                ExperimentSettings {
                    name,
                    hypothesis,
                    status: _,
                    design:
                        Design {
                            method,
                            metric,
                            control_urls,
                            variant_urls,
                            pre_start,
                            pre_end,
                            post_start,
                            post_end,
                        },
                },
            latest_evaluation_id,
            created_by,
            created_at,
            updated_at,
        } = experiment;
        Self {
            id,
            domain_id,
            name,
            hypothesis,
            status,
            method,
            primary_metric: metric,
            metric_direction: metric.direction(),
            control_urls,
            variant_urls,
            pre_start_date: pre_start.map(Day),
            pre_end_date: Day(pre_end),
            post_start_date: Day(post_start),
            post_end_date: post_end.map(Day),
            latest_evaluation_id,
            created_by,
            created_at: created_at.into(),
            updated_at: updated_at.into(),
        }
    }
}

impl Example for ExperimentPublic {
    fn example() -> Self {
        Self {
            id: uuid!("0190f3c2-d2a4-7b1e-9a55-1c7e0f4b2d10"),
            domain_id: DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
            name: "Shorter titles".to_owned(),
            hypothesis: Some("Shorter titles bring more visitors.".to_owned()),
            status: ExperimentStatus::Running,
            method: ExperimentMethod::Did,
            primary_metric: ExperimentMetric::Visitors,
            metric_direction: MetricDirection::HigherIsBetter,
            control_urls: vec!["/products/kettle".to_owned()],
            variant_urls: vec!["/products/teapot".to_owned()],
            pre_start_date: None,
            pre_end_date: Day(date!(2026 - 03 - 01)),
            post_start_date: Day(date!(2026 - 03 - 03)),
            post_end_date: None,
            latest_evaluation_id: None,
            created_by: Some(UserId(uuid!("0190f3c2-6f3d-7b20-8c41-2e0e9a597d00"))),
            created_at: datetime!(2026-03-02 09:15:00 UTC).into(),
            updated_at: datetime!(2026-03-02 09:15:00 UTC).into(),
        }
    }
}
