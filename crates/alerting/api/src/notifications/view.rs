//! GET /domains/{domain_id}/notifications/{notification_id}

use pharos_alerting::store::NotificationStore;
use pharos_domain::{
    identity::DomainAccess, ids::NotificationId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};

use super::{missing, notification::NotificationPublic};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getNotification",
    path: "/domains/{domain_id}/notifications/{notification_id}",
    module: Module::Notifications,
    summary: "One notification about a domain",
    scope: Some(Scope::ReadNotifications),
    credits: Credits::Cheap,
    problems: &[Suffix::NotificationNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<NotificationId>,
    notifications: Port<dyn NotificationStore>,
) -> ApiResult<NotificationPublic> {
    let found = notifications.find(&access, id).await?;
    Ok(found.ok_or_else(|| missing(id))?.into())
}
