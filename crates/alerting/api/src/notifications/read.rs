//! POST /domains/{domain_id}/notifications/{notification_id}/read

use pharos_alerting::store::NotificationStore;
use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, ids::NotificationId, module::Module,
    problem::Suffix, role::Role, scope::Scope,
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{missing, notification::NotificationPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "markNotificationRead",
    method: Verb::Post,
    path: "/domains/{domain_id}/notifications/{notification_id}/read",
    module: Module::Notifications,
    summary: "Mark a notification as read, or as unread",
    description: "For the user behind the credential. Doing it again changes nothing, so it needs no `Idempotency-Key`. \
                  Without a body: read.",
    scope: Some(Scope::WriteNotifications),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::NotificationNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn mark(
    access: Charged<DomainAccess>,
    PathId(id): PathId<NotificationId>,
    OptionalBody(body): OptionalBody<NotificationRead>,
    notifications: Port<dyn NotificationStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<NotificationPublic> {
    let read = body
        .judged(|body| Ok(body.read.unwrap_or(true)))
        .map_err(Problem::invalid)?;
    let marked = notifications.mark(&access, id, read, clock.now()).await?;
    Ok(marked.ok_or_else(|| missing(id))?.into())
}

/// Whether it was read.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NotificationRead {
    /// Left out: true. False marks it as unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, default = true)]
    read: Option<bool>,
}

impl Example for NotificationRead {
    fn example() -> Self {
        Self { read: Some(true) }
    }
}
