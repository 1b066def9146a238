//! The row of a notification.

use diesel::{
    QueryableByName,
    sql_types::{Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_alerting::notification::Notification;
use pharos_domain::{
    ids::{AlertId, DomainId, NotificationId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::json::Json;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::rules::row::optional;

#[derive(QueryableByName)]
pub(super) struct NotificationRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    severity: String,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    domain_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    hostname: Option<String>,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Nullable<Text>)]
    module: Option<String>,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    body: String,
    #[diesel(sql_type = Jsonb)]
    data: Json<Map<String, Value>>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    alert_id: Option<Uuid>,
    #[diesel(sql_type = Timestamptz)]
    pub(super) created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    resolved_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    resource_path: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    read_at: Option<OffsetDateTime>,
}

impl TryFrom<NotificationRow> for Notification {
    type Error = StoreError;

    fn try_from(row: NotificationRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: NotificationId(row.id),
            kind: row.kind.parse()?,
            severity: row.severity.parse()?,
            domain: row.domain_id.map(DomainId).zip(row.hostname),
            workspace_id: WorkspaceId(row.workspace_id),
            workspace_name: row.workspace_name,
            module: optional(row.module)?,
            title: row.title,
            body: row.body,
            data: row.data.read("the data of a notification")?,
            alert_id: row.alert_id.map(AlertId),
            created_at: row.created_at,
            read_at: row.read_at,
            resolved_at: row.resolved_at,
            resource_path: row.resource_path,
        })
    }
}
