//! A rule, as answers show it.

use pharos_alerting::{
    rule::{AlertRule, RuleSettings, RuleState},
    severity::Severity,
};
use pharos_domain::{
    alert_metric::{
        AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, FormFactor, MetricFilter, SearchType,
    },
    ids::{AlertRuleId, DomainId, UserId, WorkspaceId},
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A rule: which metric of a domain must not do what.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlertRulePublic {
    /// The rule's id.
    id: AlertRuleId,
    /// The domain that it watches.
    domain_id: DomainId,
    /// The name of the domain.
    domain_name: String,
    /// The workspace of the domain.
    workspace_id: WorkspaceId,
    /// The name that its owner gave it; null: none.
    #[schema(required)]
    name: Option<String>,
    /// The module of the metric.
    module: AlertModule,
    /// The metric, by its name in the catalogue.
    metric: String,
    /// How the metric is compared.
    operator: AlertOperator,
    /// The value that it is compared with; with `pct_decrease` and `pct_increase` the percentage, with `anomaly` the
    /// sensitivity in deviations. Never null: where none was given it is the default.
    #[schema(required)]
    threshold_value: Option<f64>,
    /// The past that it is compared with; null for operators that look at none.
    #[schema(required)]
    comparison_window: Option<ComparisonWindow>,
    /// How much of the time before an evaluation it looks at.
    evaluation_window: EvaluationWindow,
    /// It does not fire where less was measured in its evaluation window; null: it always may.
    #[schema(required, minimum = 1)]
    min_sample: Option<u32>,
    /// The URL that it watches; null: all.
    #[schema(required)]
    url: Option<String>,
    /// The form factor that it watches; null: all.
    #[schema(required)]
    form_factor: Option<FormFactor>,
    /// The search type that it watches; null: all.
    #[schema(required)]
    search_type: Option<SearchType>,
    /// How bad it is when it fires.
    severity: Severity,
    /// Whether it is evaluated.
    enabled: bool,
    /// After a firing there is no second one for so many minutes.
    #[schema(minimum = 0)]
    cooldown_minutes: u32,
    /// When it was evaluated last; null before the first time.
    #[schema(required)]
    last_evaluated_at: Option<Timestamp>,
    /// When it fired last; null: never.
    #[schema(required)]
    last_fired_at: Option<Timestamp>,
    /// The value at the last evaluation; null where there was none.
    #[schema(required)]
    last_value: Option<f64>,
    /// How it stands.
    state: RuleState,
    /// When it was made.
    created_at: Timestamp,
    /// When it was changed last.
    updated_at: Timestamp,
    /// Who made it; null: the service itself.
    #[schema(required)]
    created_by: Option<UserId>,
}

impl From<AlertRule> for AlertRulePublic {
    fn from(rule: AlertRule) -> Self {
        let AlertRule {
            id,
            domain_id,
            domain_name,
            workspace_id,
            settings,
            state,
            last_evaluated_at,
            last_fired_at,
            last_value,
            created_at,
            updated_at,
            created_by,
        } = rule;
        let RuleSettings {
            name,
            module,
            metric,
            operator,
            threshold,
            comparison_window,
            evaluation_window,
            min_sample,
            filter:
                MetricFilter {
                    url,
                    form_factor,
                    search_type,
                },
            severity,
            enabled,
            cooldown_minutes,
        } = settings;
        Self {
            id,
            domain_id,
            domain_name,
            workspace_id,
            name,
            module,
            metric,
            operator,
            threshold_value: Some(threshold),
            comparison_window,
            evaluation_window,
            min_sample,
            url,
            form_factor,
            search_type,
            severity,
            enabled,
            cooldown_minutes,
            last_evaluated_at: last_evaluated_at.map(Timestamp::from),
            last_fired_at: last_fired_at.map(Timestamp::from),
            last_value,
            state,
            created_at: created_at.into(),
            updated_at: updated_at.into(),
            created_by,
        }
    }
}

impl Example for AlertRulePublic {
    fn example() -> Self {
        Self {
            id: AlertRuleId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e20")),
            domain_id: DomainId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            domain_name: "shop.example".to_owned(),
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e10")),
            name: Some("The shop is slow".to_owned()),
            module: AlertModule::Uptime,
            metric: "response_ms".to_owned(),
            operator: AlertOperator::Gt,
            threshold_value: Some(2_000.0),
            comparison_window: None,
            evaluation_window: EvaluationWindow::Hour,
            min_sample: None,
            url: None,
            form_factor: None,
            search_type: None,
            severity: Severity::Warning,
            enabled: true,
            cooldown_minutes: 120,
            last_evaluated_at: Some(datetime!(2026-03-31 09:15:00 UTC).into()),
            last_fired_at: None,
            last_value: Some(120.5),
            state: RuleState::Ok,
            created_at: datetime!(2026-03-30 12:00:00 UTC).into(),
            updated_at: datetime!(2026-03-30 12:00:00 UTC).into(),
            created_by: Some(UserId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e01"))),
        }
    }
}
