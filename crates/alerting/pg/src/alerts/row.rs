//! The row of an alert.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_alerting::{
    alert::{Alert, Fired, Firing},
    evaluate::Figures,
};
use pharos_domain::{
    alert_metric::MetricFilter,
    ids::{AlertId, AlertRuleId, DomainId, NotificationId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{json::Json, names};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::rules::row::optional;

#[derive(QueryableByName)]
pub(crate) struct AlertRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    rule_id: Option<Uuid>,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = SqlUuid)]
    notification_id: Uuid,
    #[diesel(sql_type = Text)]
    module: String,
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = Text)]
    metric_label: String,
    #[diesel(sql_type = Text)]
    unit: String,
    #[diesel(sql_type = Text)]
    operator: String,
    #[diesel(sql_type = Double)]
    threshold: f64,
    #[diesel(sql_type = Nullable<Text>)]
    comparison_window: Option<String>,
    #[diesel(sql_type = Text)]
    evaluation_window: String,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    form_factor: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    search_type: Option<String>,
    #[diesel(sql_type = Double)]
    value: f64,
    #[diesel(sql_type = Nullable<Double>)]
    baseline_value: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    change_pct: Option<f64>,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    message: String,
    #[diesel(sql_type = Jsonb)]
    context: Json<Map<String, Value>>,
    #[diesel(sql_type = Timestamptz)]
    pub(super) fired_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    end_reason: Option<String>,
    #[diesel(sql_type = BigInt)]
    deliveries: i64,
}

impl TryFrom<AlertRow> for Alert {
    type Error = StoreError;

    fn try_from(row: AlertRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: AlertId(row.id),
            rule_id: row.rule_id.map(AlertRuleId),
            domain_id: DomainId(row.domain_id),
            domain_name: row.hostname,
            workspace_id: WorkspaceId(row.workspace_id),
            workspace_name: row.workspace_name,
            notification_id: NotificationId(row.notification_id),
            told: Fired {
                module: row.module.parse()?,
                metric: row.metric,
                metric_label: row.metric_label,
                unit: row.unit,
                operator: row.operator.parse()?,
                threshold: row.threshold,
                comparison_window: optional(row.comparison_window)?,
                evaluation_window: row.evaluation_window.parse()?,
                filter: MetricFilter {
                    url: row.url,
                    form_factor: optional(row.form_factor)?,
                    search_type: optional(row.search_type)?,
                },
                severity: row.severity.parse()?,
                figures: Figures {
                    value: row.value,
                    baseline: row.baseline_value,
                    change_pct: row.change_pct,
                },
                title: row.title,
                message: row.message,
                context: row.context.read("the context of an alert")?,
                fired_at: row.fired_at,
            },
            resolved_at: row.resolved_at,
            end: optional(row.end_reason)?,
            deliveries_count: names::count(row.deliveries)?,
        })
    }
}

/// The gravest alert in force of a domain, and how many there are.
#[derive(QueryableByName)]
pub(super) struct FiringRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    incident_id: Option<String>,
    #[diesel(sql_type = BigInt)]
    in_force: i64,
}

impl TryFrom<FiringRow> for Firing {
    type Error = StoreError;

    fn try_from(row: FiringRow) -> Result<Self, StoreError> {
        Ok(Self {
            domain_id: DomainId(row.domain_id),
            count: names::count(row.in_force)?,
            severity: row.severity.parse()?,
            title: row.title,
            incident: row.incident_id.and_then(|id| id.parse().ok()),
        })
    }
}
