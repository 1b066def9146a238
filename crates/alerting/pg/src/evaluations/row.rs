//! The rows of rules that are due, and of the alerts that they lead to.

use diesel::{
    Insertable, QueryableByName,
    sql_types::{Bool, Date as SqlDate, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    alert::{AlertEnd, Fired, NewAlert},
    evaluate::{Figures, Standing},
    notification::NotificationType,
    rule::RuleSettings,
    store::{DueRule, PendingEvents},
};
use pharos_domain::{
    alert_metric::MetricFilter,
    ids::{AlertId, AlertRuleId, DomainId, NotificationId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::due::{Claimed, ClaimedRow};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::{
    rules::row::SettingsRow,
    schema::{alert_history, notifications},
};

#[derive(QueryableByName)]
pub(super) struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) rule_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Double>)]
    last_value: Option<f64>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_fired_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_evaluated_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    put_off_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    told_through: Option<Date>,
    #[diesel(sql_type = Bool)]
    is_open: bool,
    #[diesel(sql_type = Bool)]
    is_in_plan: bool,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(embed)]
    settings: SettingsRow,
    #[diesel(embed)]
    claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl TryFrom<DueRow> for DueRule {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: AlertRuleId(row.rule_id),
            domain_id: DomainId(row.domain_id),
            domain_name: row.hostname,
            workspace_id: WorkspaceId(row.workspace_id),
            settings: RuleSettings::try_from(row.settings)?,
            is_in_plan: row.is_in_plan,
            updated_at: row.updated_at,
            last_evaluated_at: row.last_evaluated_at,
            was_put_off: row.put_off_until.is_some(),
            standing: Standing {
                state: row.state.parse()?,
                last_value: row.last_value,
                last_fired_at: row.last_fired_at,
                told_through: row.told_through,
                is_open: row.is_open,
            },
            pending: PendingEvents::default(),
            domain_firings: 0,
            due_at: row.claimed.due_at,
            leased_until: row.claimed.leased_until,
        })
    }
}

/// Alerts that are to be stored, each with the notification that tells of it.
#[derive(Default)]
pub(super) struct NewAlerts {
    alerts: Vec<NewAlertRow>,
    notifications: Vec<NewNotificationRow>,
}

#[derive(Insertable)]
#[diesel(table_name = alert_history)]
struct NewAlertRow {
    id: Uuid,
    rule_id: Uuid,
    domain_id: Uuid,
    workspace_id: Uuid,
    notification_id: Uuid,
    module: &'static str,
    metric: String,
    metric_label: String,
    unit: String,
    operator: &'static str,
    threshold: f64,
    comparison_window: Option<&'static str>,
    evaluation_window: &'static str,
    url: Option<String>,
    form_factor: Option<&'static str>,
    search_type: Option<&'static str>,
    value: f64,
    baseline_value: Option<f64>,
    change_pct: Option<f64>,
    severity: &'static str,
    title: String,
    message: String,
    context: Value,
    fired_at: OffsetDateTime,
    resolved_at: Option<OffsetDateTime>,
    end_reason: Option<&'static str>,
}

#[derive(Insertable)]
#[diesel(table_name = notifications)]
struct NewNotificationRow {
    id: Uuid,
    workspace_id: Uuid,
    domain_id: Uuid,
    kind: &'static str,
    severity: &'static str,
    module: &'static str,
    title: String,
    body: String,
    data: Value,
    alert_id: Uuid,
    resource_path: String,
    created_at: OffsetDateTime,
    resolved_at: Option<OffsetDateTime>,
}

/// How many rows one statement stores: PostgreSQL takes 65,535 values at most.
const ROWS: usize = 1_000;

impl NewAlerts {
    pub(super) fn add(
        &mut self,
        id: AlertId,
        notification: NotificationId,
        rule: AlertRuleId,
        (domain_id, workspace_id): (Uuid, Uuid),
        alert: &NewAlert,
    ) {
        let resolved_at = alert.is_over.then_some(alert.fired.fired_at);
        let data = Value::Object(alert.fired.data(rule));
        let Fired {
            module,
            metric,
            metric_label,
            unit,
            operator,
            threshold,
            comparison_window,
            evaluation_window,
            filter:
                MetricFilter {
                    url,
                    form_factor,
                    search_type,
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
            context,
            fired_at,
        } = alert.fired.clone();
        self.notifications.push(NewNotificationRow {
            id: notification.0,
            workspace_id,
            domain_id,
            kind: NotificationType::Alert.as_str(),
            severity: severity.as_str(),
            module: module.as_str(),
            title: title.clone(),
            body: message.clone(),
            data,
            alert_id: id.0,
            resource_path: format!("/alerts/history/{id}"),
            created_at: fired_at,
            resolved_at,
        });
        self.alerts.push(NewAlertRow {
            id: id.0,
            rule_id: rule.0,
            domain_id,
            workspace_id,
            notification_id: notification.0,
            module: module.as_str(),
            metric,
            metric_label,
            unit,
            operator: operator.as_str(),
            threshold,
            comparison_window: comparison_window.map(|window| window.as_str()),
            evaluation_window: evaluation_window.as_str(),
            url,
            form_factor: form_factor.map(|factor| factor.as_str()),
            search_type: search_type.map(|kind| kind.as_str()),
            value,
            baseline_value: baseline,
            change_pct,
            severity: severity.as_str(),
            title,
            message,
            context: Value::Object(context),
            fired_at,
            resolved_at,
            end_reason: alert.is_over.then_some(AlertEnd::Over.as_str()),
        });
    }

    pub(super) async fn store(self, connection: &mut AsyncPgConnection) -> diesel::QueryResult<()> {
        let Self {
            alerts,
            notifications,
        } = self;
        let mut alerts = alerts.into_iter();
        let mut told = notifications.into_iter();
        loop {
            let some: Vec<NewAlertRow> = alerts.by_ref().take(ROWS).collect();
            if some.is_empty() {
                return Ok(());
            }
            diesel::insert_into(alert_history::table)
                .values(some)
                .execute(connection)
                .await?;
            let some: Vec<NewNotificationRow> = told.by_ref().take(ROWS).collect();
            diesel::insert_into(notifications::table)
                .values(some)
                .execute(connection)
                .await?;
        }
    }
}
