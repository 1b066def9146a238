//! POST /domains/{domain_id}/notifications/read-all

use pharos_alerting::{
    notification::{NotificationType, ReadAll},
    store::NotificationStore,
};
use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, module::Module, role::Role, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{body::OptionalBody, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "markAllNotificationsRead",
    method: Verb::Post,
    path: "/domains/{domain_id}/notifications/read-all",
    module: Module::Notifications,
    summary: "Mark all notifications about a domain as read",
    description: "For the user behind the credential. Doing it again changes nothing, so it needs no `Idempotency-Key`. \
                  Without a body: all. Those about the workspace alone stay as they are: people mark \
                  them in the console.",
    scope: Some(Scope::WriteNotifications),
    min_role: Role::Member,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn mark(
    access: Charged<DomainAccess>,
    OptionalBody(body): OptionalBody<NotificationsReadAll>,
    notifications: Port<dyn NotificationStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<NotificationsReadPublic> {
    let choice = body
        .judged(|body| {
            Ok(ReadAll {
                kind: body.r#type,
                before: body.before.map(Timestamp::moment),
            })
        })
        .map_err(Problem::invalid)?;
    let updated = notifications.mark_all(&access, &choice, clock.now()).await?;
    Ok(NotificationsReadPublic { updated })
}

/// Which of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NotificationsReadAll {
    /// Only those about this; null or left out for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<NotificationType>,
    /// Only those made before this moment. One to come counts as now. Null or left out: whenever they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Timestamp>,
}

impl Example for NotificationsReadAll {
    fn example() -> Self {
        Self {
            r#type: Some(NotificationType::Alert),
            before: None,
        }
    }
}

/// How many were marked.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = NotificationsRead)]
pub(crate) struct NotificationsReadPublic {
    /// How many of them were unread.
    #[schema(minimum = 0)]
    updated: u64,
}

impl Example for NotificationsReadPublic {
    fn example() -> Self {
        Self { updated: 3 }
    }
}
