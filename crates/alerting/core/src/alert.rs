//! Alerts: rules that fired.

use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricFilter},
    ids::{AlertId, AlertRuleId, DomainId, IncidentId, NotificationId, WorkspaceId},
    wire_enum,
};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use crate::{evaluate::Figures, severity::Severity};

/// A rule that fired, with the figures of that moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    /// The id by which it is looked up.
    pub id: AlertId,
    /// The rule; `None`: it was deleted.
    pub rule_id: Option<AlertRuleId>,
    /// The domain that it is about.
    pub domain_id: DomainId,
    /// The name of the domain.
    pub domain_name: String,
    /// The workspace whose people are told.
    pub workspace_id: WorkspaceId,
    /// The name of the workspace.
    pub workspace_name: String,
    /// The notification that tells of it.
    pub notification_id: NotificationId,
    /// The rule as it fired, and its figures.
    pub told: Fired,
    /// When it was over; `None`: it is open.
    pub resolved_at: Option<OffsetDateTime>,
    /// Why it was over; `None`: it is open.
    pub end: Option<AlertEnd>,
    /// How many channels it was sent to.
    pub deliveries_count: u32,
}

wire_enum! {
    /// Why an alert is over.
    AlertEnd {
        /// Its condition no longer holds, or it reported an event.
        Over = "over",
        /// Its monitor was paused: the site is no longer watched.
        MonitorPaused = "monitor_paused",
        /// The plan of its workspace no longer has its module.
        ModuleOff = "module_off",
        /// Its rule was changed, and does not fire as it is now.
        RuleChanged = "rule_changed",
        /// Its rule was disabled.
        RuleDisabled = "rule_disabled",
        /// Its rule was deleted.
        RuleDeleted = "rule_deleted",
        /// Its domain was deleted.
        DomainDeleted = "domain_deleted",
    }
}

/// A rule as it fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Fired {
    /// The module of the metric.
    pub module: AlertModule,
    /// The metric that the rule watched.
    pub metric: String,
    /// The name of the metric for people.
    pub metric_label: String,
    /// The unit as shown behind a value.
    pub unit: String,
    /// The operator.
    pub operator: AlertOperator,
    /// The threshold.
    pub threshold: f64,
    /// The past that the operator compares with.
    pub comparison_window: Option<ComparisonWindow>,
    /// The evaluation window.
    pub evaluation_window: EvaluationWindow,
    /// The part of the domain that the rule watches.
    pub filter: MetricFilter,
    /// How bad it is.
    pub severity: Severity,
    /// The figures.
    pub figures: Figures,
    /// One line.
    pub title: String,
    /// The same in sentences.
    pub message: String,
    /// Further facts, such as the incident that it is about.
    pub context: Map<String, Value>,
    /// When it fired.
    pub fired_at: OffsetDateTime,
}

/// The alerts of a domain that are in force, by the gravest of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The domain.
    pub domain_id: DomainId,
    /// How many there are.
    pub count: u32,
    /// The severity of the most severe, the newest of several.
    pub severity: Severity,
    /// Its title.
    pub title: String,
    /// The incident that it is about.
    pub incident: Option<IncidentId>,
}

/// An alert that an evaluation led to.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAlert {
    /// The rule as it fired, and its figures.
    pub fired: Fired,
    /// Whether it is over as it is told.
    pub is_over: bool,
}

impl Fired {
    /// The data of the notification that tells of it.
    #[must_use]
    pub fn data(&self, rule: AlertRuleId) -> Map<String, Value> {
        let members = [
            ("rule_id", json!(rule)),
            ("metric", json!(self.metric)),
            ("value", json!(self.figures.value)),
            ("threshold_value", json!(self.threshold)),
            ("operator", json!(self.operator)),
            ("unit", json!(self.unit)),
            ("url", json!(self.filter.url)),
        ];
        members
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }
}
