//! A notification, as answers show it.

use pharos_alerting::{
    notification::{Notification, NotificationType},
    severity::Severity,
};
use pharos_domain::{
    ids::{AlertId, DomainId, NotificationId, WorkspaceId},
    module::Module,
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use serde_json::{Map, Value, json};
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// Something that the people of a workspace are told.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NotificationPublic {
    /// The notification's id.
    id: NotificationId,
    /// The subject of the notification.
    r#type: NotificationType,
    /// How bad it is.
    severity: Severity,
    /// The domain; null where it is about the workspace.
    #[schema(required)]
    domain_id: Option<DomainId>,
    /// The name of the domain; null where it is about the workspace.
    #[schema(required)]
    domain_name: Option<String>,
    /// The id of the workspace whose people are told.
    workspace_id: WorkspaceId,
    /// The name of the workspace.
    workspace_name: String,
    /// The module; null where it is about none.
    #[schema(required)]
    module: Option<Module>,
    /// One line of plain text.
    title: String,
    /// Plain text.
    body: String,
    /// Facts for programs; an alert has `rule_id`, `metric`, `value`, `threshold_value`, `operator`, `unit`, `url`.
    #[schema(value_type = Object, additional_properties = true)]
    data: Map<String, Value>,
    /// The alert that it tells of; null for other types.
    #[schema(required)]
    alert_id: Option<AlertId>,
    /// When it was made.
    created_at: Timestamp,
    /// When the user behind the credential read it; null: not yet. All credentials of a user share it. Always null where
    /// `domain_id` is null.
    #[schema(required)]
    read_at: Option<Timestamp>,
    /// When it was over; null: it is not, or it never was anything that ends.
    #[schema(required)]
    resolved_at: Option<Timestamp>,
    /// The path of the API to look at next, below `/api/public/v1`; null where there is none.
    #[schema(required)]
    resource_path: Option<String>,
}

impl From<Notification> for NotificationPublic {
    fn from(notification: Notification) -> Self {
        let Notification {
            id,
            kind,
            severity,
            domain,
            workspace_id,
            workspace_name,
            module,
            title,
            body,
            data,
            alert_id,
            created_at,
            read_at,
            resolved_at,
            resource_path,
        } = notification;
        let (domain_id, domain_name) = domain.unzip();
        Self {
            id,
            r#type: kind,
            severity,
            domain_id,
            domain_name,
            workspace_id,
            workspace_name,
            module,
            title,
            body,
            data,
            alert_id,
            created_at: created_at.into(),
            read_at: read_at.map(Timestamp::from),
            resolved_at: resolved_at.map(Timestamp::from),
            resource_path,
        }
    }
}

impl Example for NotificationPublic {
    fn example() -> Self {
        let data = [
            (
                "rule_id".to_owned(),
                json!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e20"),
            ),
            ("metric".to_owned(), json!("consecutive_failures")),
            ("value".to_owned(), json!(2.0)),
            ("threshold_value".to_owned(), json!(2.0)),
            ("operator".to_owned(), json!("gte")),
            ("unit".to_owned(), json!("checks")),
            ("url".to_owned(), Value::Null),
        ];
        Self {
            id: NotificationId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e22")),
            r#type: NotificationType::Alert,
            severity: Severity::Critical,
            domain_id: Some(DomainId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11"))),
            domain_name: Some("shop.example".to_owned()),
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e10")),
            workspace_name: "Example".to_owned(),
            module: Some(Module::Uptime),
            title: "shop.example: 2 failing checks in a row".to_owned(),
            body: "There are 2 failing checks in a row now. The rule fires at 2 checks or more.".to_owned(),
            data: data.into_iter().collect(),
            alert_id: Some(AlertId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e21"))),
            created_at: datetime!(2026-03-31 09:15:30 UTC).into(),
            read_at: None,
            resolved_at: None,
            resource_path: Some("/alerts/history/0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e21".to_owned()),
        }
    }
}

/// The members of a list of notifications beside its page.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct UnreadTotal {
    /// How many the user behind the credential has not read of those that `type`, `severity`, `module` and `workspace_id` let
    /// through, on all pages. `unread` changes nothing of it. No more than 10000 are counted: then there are as many, or more.
    #[schema(minimum = 0)]
    unread_total: u64,
}

impl UnreadTotal {
    pub(crate) fn of(unread_total: u64) -> Self {
        Self { unread_total }
    }
}

impl Example for UnreadTotal {
    fn example() -> Self {
        Self { unread_total: 1 }
    }
}
