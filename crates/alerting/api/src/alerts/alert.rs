//! A fired alert, as answers show it.

use pharos_alerting::{
    alert::{Alert, AlertEnd, Fired},
    evaluate::Figures,
    severity::Severity,
};
use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, ComparisonWindow, FormFactor, MetricFilter},
    ids::{AlertId, AlertRuleId, DomainId, NotificationId, WorkspaceId},
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use serde_json::{Map, Value, json};
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A rule that fired, with the figures of that moment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlertHistoryPublic {
    /// The alert's id.
    id: AlertId,
    /// The rule; null where it was deleted.
    #[schema(required)]
    rule_id: Option<AlertRuleId>,
    /// The id of the domain that the alert is about.
    domain_id: DomainId,
    /// The name of the domain.
    domain_name: String,
    /// The workspace of the domain.
    workspace_id: WorkspaceId,
    /// The name of the workspace.
    workspace_name: String,
    /// The module of the metric.
    module: AlertModule,
    /// The metric that the rule watched.
    metric: String,
    /// The name of the metric for people.
    metric_label: String,
    /// How the metric was compared.
    operator: AlertOperator,
    /// The threshold: a value, a percentage or deviations, by the operator. Never null: every rule has one.
    #[schema(required)]
    threshold_value: Option<f64>,
    /// The past that it was compared with; null for operators that look at none.
    #[schema(required)]
    comparison_window: Option<ComparisonWindow>,
    /// The value; never null, since nothing fires without one.
    #[schema(required)]
    value: Option<f64>,
    /// The base of the change, or the centre of the usual; null for operators that look at no past.
    #[schema(required)]
    baseline_value: Option<f64>,
    /// The change in percent of the base; null without a base, or with one of 0.
    #[schema(required)]
    change_pct: Option<f64>,
    /// The unit as shown behind a value; empty for a number without one.
    unit: String,
    /// How bad it is.
    severity: Severity,
    /// The URL that the rule watches; null: all.
    #[schema(required)]
    url: Option<String>,
    /// The form factor that the rule watches; null: all.
    #[schema(required)]
    form_factor: Option<FormFactor>,
    /// One line.
    title: String,
    /// The same in sentences.
    message: String,
    /// When it fired.
    fired_at: Timestamp,
    /// When it was over; null while it is open.
    #[schema(required)]
    resolved_at: Option<Timestamp>,
    /// The notification that tells of it.
    notification_id: NotificationId,
    /// How many channels were told of it, of those that there still are.
    #[schema(minimum = 0)]
    deliveries_count: u32,
    /// Further facts about the alert, such as `incident_id`, or `reason`: why the site fails, by its last check that did. An
    /// alert that is over has `end_reason`: `over`, `monitor_paused`, `module_off`, `rule_changed`, `rule_disabled`,
    /// `rule_deleted` or `domain_deleted`.
    #[schema(value_type = Object, additional_properties = true)]
    context: Map<String, Value>,
}

impl From<Alert> for AlertHistoryPublic {
    fn from(alert: Alert) -> Self {
        let Alert {
            id,
            rule_id,
            domain_id,
            domain_name,
            workspace_id,
            workspace_name,
            notification_id,
            told,
            resolved_at,
            end,
            deliveries_count,
        } = alert;
        let Fired {
            module,
            metric,
            metric_label,
            unit,
            operator,
            threshold,
            comparison_window,
            evaluation_window: _,
            filter:
                MetricFilter {
                    url,
                    form_factor,
                    search_type: _,
                },
            severity,
            figures:
                Figures {
                    value,
                    baseline,
                    change_pct,
                },
            title,
            message,
            mut context,
            fired_at,
        } = told;
        if let Some(end) = end {
            context.insert("end_reason".to_owned(), json!(end));
        }
        Self {
            id,
            rule_id,
            domain_id,
            domain_name,
            workspace_id,
            workspace_name,
            module,
            metric,
            metric_label,
            operator,
            threshold_value: Some(threshold),
            comparison_window,
            value: Some(value),
            baseline_value: baseline,
            change_pct,
            unit,
            severity,
            url,
            form_factor,
            title,
            message,
            fired_at: fired_at.into(),
            resolved_at: resolved_at.map(Timestamp::from),
            notification_id,
            deliveries_count,
            context,
        }
    }
}

/// An alert as the answers of the history show it, for webhooks, which tell no count of deliveries while they are made.
///
/// Its form in JSON, which every alert has.
#[must_use]
pub fn alert_json(alert: Alert) -> Value {
    let mut json = json!(AlertHistoryPublic::from(alert));
    if let Some(members) = json.as_object_mut() {
        members.remove("deliveries_count");
    }
    json
}

impl Example for AlertHistoryPublic {
    fn example() -> Self {
        let context = [
            (
                "incident_id".to_owned(),
                json!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e13"),
            ),
            ("end_reason".to_owned(), json!(AlertEnd::Over)),
        ];
        Self {
            id: AlertId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e21")),
            rule_id: Some(AlertRuleId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e20"))),
            domain_id: DomainId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            domain_name: "shop.example".to_owned(),
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e10")),
            workspace_name: "Example".to_owned(),
            module: AlertModule::Uptime,
            metric: "consecutive_failures".to_owned(),
            metric_label: "Failing checks in a row".to_owned(),
            operator: AlertOperator::Gte,
            threshold_value: Some(2.0),
            comparison_window: None,
            value: Some(2.0),
            baseline_value: None,
            change_pct: None,
            unit: "checks".to_owned(),
            severity: Severity::Critical,
            url: None,
            form_factor: None,
            title: "shop.example: 2 failing checks in a row".to_owned(),
            message: "There are 2 failing checks in a row now. The rule fires at 2 checks or more."
                .to_owned(),
            fired_at: datetime!(2026-03-31 09:15:30 UTC).into(),
            resolved_at: Some(datetime!(2026-03-31 09:21:30 UTC).into()),
            notification_id: NotificationId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e22")),
            deliveries_count: 1,
            context: context.into_iter().collect(),
        }
    }
}
