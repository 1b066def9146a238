//! The rows of deliveries that are to be sent.

use diesel::{
    QueryableByName,
    sql_types::{Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_alerting::{
    alert::Alert,
    delivery::{
        channel::Channel,
        message::{DeliveryEvent, Message},
    },
};
use pharos_domain::{
    ids::{DeliveryId, DomainId, NotificationId},
    store::StoreError,
};
use pharos_persistence::json::Json;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::rules::row::optional;

/// A delivery, and how its channel stands.
#[derive(QueryableByName)]
pub(super) struct WaitingRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) channel_id: Uuid,
    #[diesel(sql_type = Text)]
    pub(super) workspace_name: String,
    #[diesel(sql_type = Text)]
    pub(super) event: String,
    #[diesel(sql_type = Text)]
    pub(super) state: String,
    #[diesel(sql_type = Text)]
    pub(super) severity: String,
    #[diesel(sql_type = Timestamptz)]
    pub(super) queued_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) taken_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    pub(super) raised: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) raised_due_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) raised_taken_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    pub(super) is_alone: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) next_send_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) failing_since: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    pub(super) rests: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub(super) tried_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    pub(super) present: OffsetDateTime,
}

/// A delivery that was given up.
#[derive(QueryableByName)]
pub(super) struct GivenUpRow {
    #[diesel(sql_type = Text)]
    pub(super) last_error: String,
}

/// A delivery that was taken, with its notification. All of that is null of a test.
#[derive(QueryableByName)]
pub(super) struct TakenRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    event: String,
    #[diesel(sql_type = Timestamptz)]
    asked_at: OffsetDateTime,
    #[diesel(embed)]
    notification: Option<NotificationRow>,
}

#[derive(QueryableByName)]
struct NotificationRow {
    #[diesel(sql_type = SqlUuid)]
    notification_id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Nullable<Text>)]
    module: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    domain_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    body: String,
    #[diesel(sql_type = Jsonb)]
    data: Json<Map<String, Value>>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    alert_id: Option<Uuid>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
}

impl TakenRow {
    /// The alert that it tells of.
    pub(super) fn alert(&self) -> Option<Uuid> {
        self.notification.as_ref().and_then(|row| row.alert_id)
    }

    /// The message of the delivery.
    pub(super) fn message(
        self,
        channel: &Channel,
        workspace_name: &str,
        alert: Option<Alert>,
    ) -> Result<Message, StoreError> {
        let id = DeliveryId(self.id);
        let event: DeliveryEvent = self.event.parse()?;
        let Some(row) = self.notification else {
            let workspace = (channel.workspace_id, workspace_name);
            let name = &channel.settings.name;
            return Ok(Message::test(id, workspace, name, self.asked_at));
        };
        // It may be over before its beginning was told: that is told apart, unless it was over as it began.
        let tells_the_end = event == DeliveryEvent::Resolved || row.resolved_at == Some(row.created_at);
        Ok(Message {
            id,
            beginning: None,
            event,
            kind: Some(row.kind.parse()?),
            notification_id: Some(NotificationId(row.notification_id)),
            severity: row.severity.parse()?,
            module: optional(row.module)?,
            workspace_id: channel.workspace_id,
            workspace_name: workspace_name.to_owned(),
            domain: row.domain_id.map(DomainId).zip(row.hostname),
            title: row.title,
            body: row.body,
            data: row.data.read("the data of a notification")?,
            alert: alert.map(|alert| Alert {
                resolved_at: alert.resolved_at.filter(|_| tells_the_end),
                end: alert.end.filter(|_| tells_the_end),
                ..alert
            }),
            link: None,
            created_at: row.created_at,
            resolved_at: row.resolved_at.filter(|_| tells_the_end),
        })
    }
}
