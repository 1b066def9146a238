//! POST /domains/{domain_id}/alerts/rules

use pharos_alerting::{catalogue::Catalogue, rule::RuleDraft, severity::Severity, store::RuleStore};
use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, FormFactor, SearchType},
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    module::Module,
    role::Role,
    scope::Scope,
    settings::ChangeError,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    rule::AlertRulePublic,
    schemas::{CooldownMinutes, MinSample, RuleName, Threshold, WatchedUrl},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createAlertRule",
    method: Verb::Post,
    path: "/domains/{domain_id}/alerts/rules",
    module: Module::Alerts,
    summary: "Make a rule",
    description: "`GET /alerts/metrics` has the metrics with their operators and defaults. Members that are left out take \
                  those, but two: `comparison_window` has to be named by rules on `pct_decrease`, `pct_increase` and \
                  `anomaly`, and `threshold_value` where the operator looks another way than the metric's \
                  `default_operator` does (`gt` and `gte` look one way, `lt` and `lte` the other; `eq`, `pct_decrease` \
                  and `pct_increase` each their own). A condition that every value of the metric fulfils, or none, is \
                  refused. The rule is evaluated at once, then every minute. A domain may have 500 rules.",
    scope: Some(Scope::WriteAlerts),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<AlertRuleCreatePublic>,
    rules: Port<dyn RuleStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<AlertRulePublic> {
    let hostname = &access.domain().hostname;
    let settings = body
        .judged(|wanted| wanted.clone().draft().settings(&catalogue, hostname))
        .map_err(ChangeError::Faults)?;
    Ok(rules.create(&access, &settings, clock.now()).await?.into())
}

/// A rule to make.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AlertRuleCreatePublic {
    /// The module of the metric.
    module: AlertModule,
    /// The metric, by its name in the catalogue.
    metric: String,
    /// How the metric is compared: one of the metric's operators.
    operator: AlertOperator,
    /// A name; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RuleName>)]
    name: Option<String>,
    /// The value that it is compared with; with `pct_decrease` and `pct_increase` the percentage, with `anomaly` the
    /// sensitivity in deviations. Null or left out: 3 with `anomaly`, else the metric's `default_threshold`, which is for
    /// operators that look the same way as its `default_operator`: `gt` and `gte` one way, `lt` and `lte` the other, each
    /// of the rest its own. Needed with any other operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Threshold>)]
    threshold_value: Option<f64>,
    /// The past that it is compared with: needed by `pct_decrease`, `pct_increase` and `anomaly`, null for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comparison_window: Option<ComparisonWindow>,
    /// How much of the time before an evaluation it looks at; null or left out: as the catalogue says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evaluation_window: Option<EvaluationWindow>,
    /// It does not fire where less was measured in its evaluation window: checks, views, impressions. Only for metrics
    /// that are measured over a window, and not with `latest`. Null or left out: it always may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MinSample>)]
    min_sample: Option<u32>,
    /// Watches one URL, where the metric can; null or left out: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<WatchedUrl>)]
    url: Option<String>,
    /// Watches one form factor, where the metric can; null or left out: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    form_factor: Option<FormFactor>,
    /// Watches one search type, where the metric can; null or left out: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    search_type: Option<SearchType>,
    /// How bad it is when it fires; null or left out: `warning`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    severity: Option<Severity>,
    /// Whether it is evaluated; null or left out: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    enabled: Option<bool>,
    /// After a firing there is no second one for so many minutes; null or left out: as the catalogue says. With 0 it fires
    /// once for each breach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CooldownMinutes>)]
    cooldown_minutes: Option<u32>,
}

impl AlertRuleCreatePublic {
    fn draft(self) -> RuleDraft {
        let Self {
            module,
            metric,
            operator,
            name,
            threshold_value,
            comparison_window,
            evaluation_window,
            min_sample,
            url,
            form_factor,
            search_type,
            severity,
            enabled,
            cooldown_minutes,
        } = self;
        RuleDraft {
            name,
            module,
            metric,
            operator,
            threshold: threshold_value,
            comparison_window,
            evaluation_window,
            min_sample,
            url,
            form_factor,
            search_type,
            severity,
            enabled,
            cooldown_minutes,
        }
    }
}

impl Example for AlertRuleCreatePublic {
    fn example() -> Self {
        Self {
            module: AlertModule::Uptime,
            metric: "response_ms".to_owned(),
            operator: AlertOperator::Gt,
            name: Some("The shop is slow".to_owned()),
            threshold_value: Some(2_000.0),
            comparison_window: None,
            evaluation_window: None,
            min_sample: None,
            url: None,
            form_factor: None,
            search_type: None,
            severity: None,
            enabled: None,
            cooldown_minutes: None,
        }
    }
}
