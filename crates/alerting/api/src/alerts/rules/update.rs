//! PUT /domains/{domain_id}/alerts/rules/{rule_id}

use pharos_alerting::{
    catalogue::Catalogue,
    rule::{RuleChange, RuleSettings},
    severity::Severity,
    store::RuleStore,
};
use pharos_domain::{
    alert_metric::{AlertOperator, ComparisonWindow, EvaluationWindow, FormFactor, SearchType},
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    ids::AlertRuleId,
    module::Module,
    patch::Patch,
    problem::Suffix,
    role::Role,
    scope::Scope,
};
use pharos_http::{
    extract::{body::Body, path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    missing,
    rule::AlertRulePublic,
    schemas::{CooldownMinutes, MinSample, RuleName, Threshold, WatchedUrl},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateAlertRule",
    method: Verb::Put,
    path: "/domains/{domain_id}/alerts/rules/{rule_id}",
    module: Module::Alerts,
    summary: "Change a rule",
    description: "A partial update: a member that is left out stays as it is, null empties a member that may be null. An \
                  operator of another kind needs its threshold, and where it looks at the past its `comparison_window`, \
                  in the same request. The rule is evaluated at once: an open alert of it is resolved if its condition no \
                  longer holds, or if it is disabled.",
    scope: Some(Scope::WriteAlerts),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::AlertRuleNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    PathId(id): PathId<AlertRuleId>,
    body: Body<AlertRuleUpdatePublic>,
    rules: Port<dyn RuleStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<AlertRulePublic> {
    let hostname = &access.domain().hostname;
    let apply = |present: Option<&RuleSettings>| {
        body.judged(|change| {
            let present = present.ok_or_else(Vec::new)?;
            change.clone().change().apply(present, &catalogue, hostname)
        })
    };
    let changed = rules.update(&access, id, &apply, clock.now()).await?;
    let changed: Result<_, Problem> = changed.ok_or_else(|| missing(id));
    Ok(changed?.into())
}

/// The settings to change. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AlertRuleUpdatePublic {
    /// A name; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<RuleName>)]
    name: Patch<String>,
    /// How the metric is compared: one of the metric's operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    operator: Option<AlertOperator>,
    /// The value that it is compared with, the percentage, or the deviations; null: the default, where there is one.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<Threshold>)]
    threshold_value: Patch<f64>,
    /// The past that it is compared with; null for operators that look at none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<ComparisonWindow>)]
    comparison_window: Patch<ComparisonWindow>,
    /// How much of the time before an evaluation it looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    evaluation_window: Option<EvaluationWindow>,
    /// It does not fire where less was measured in its evaluation window; null: it always may.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<MinSample>)]
    min_sample: Patch<u32>,
    /// How bad it is when it fires.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    severity: Option<Severity>,
    /// Whether it is evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// After a firing there is no second one for so many minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CooldownMinutes>)]
    cooldown_minutes: Option<u32>,
    /// Watches one URL, where the metric can; null: all.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<WatchedUrl>)]
    url: Patch<String>,
    /// Watches one form factor, where the metric can; null: all.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<FormFactor>)]
    form_factor: Patch<FormFactor>,
    /// Watches one search type, where the metric can; null: all.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<SearchType>)]
    search_type: Patch<SearchType>,
}

impl AlertRuleUpdatePublic {
    fn change(self) -> RuleChange {
        let Self {
            name,
            operator,
            threshold_value,
            comparison_window,
            evaluation_window,
            min_sample,
            severity,
            enabled,
            cooldown_minutes,
            url,
            form_factor,
            search_type,
        } = self;
        RuleChange {
            name,
            operator,
            threshold: threshold_value,
            comparison_window,
            evaluation_window,
            min_sample,
            severity,
            enabled,
            cooldown_minutes,
            url,
            form_factor,
            search_type,
        }
    }
}

impl Example for AlertRuleUpdatePublic {
    fn example() -> Self {
        Self {
            threshold_value: Patch::Set(1_500.0),
            cooldown_minutes: Some(60),
            ..Self::default()
        }
    }
}
