//! GET /domains/{domain_id}/notifications

use pharos_alerting::{
    notification::{NotificationFilter, NotificationType},
    severity::Severity,
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::notification::{NotificationPublic, UnreadTotal};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listDomainNotifications",
    path: "/domains/{domain_id}/notifications",
    module: Module::Notifications,
    summary: "The notifications about a domain, the newest first",
    scope: Some(Scope::ReadNotifications),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct DomainNotificationsQuery {
    /// Only those about this.
    #[param(inline)]
    r#type: Option<NotificationType>,
    /// Only those that are unread, or those that are read.
    unread: Option<bool>,
    /// Only those of this severity.
    #[param(inline)]
    severity: Option<Severity>,
    /// Only those of this module.
    #[param(inline)]
    module: Option<Module>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<DomainNotificationsQuery>,
    page: PageRequest,
    notifications: Port<dyn NotificationStore>,
) -> ApiResult<Page<NotificationPublic, UnreadTotal>> {
    let filter = NotificationFilter {
        kind: query.r#type,
        unread: query.unread,
        severity: query.severity,
        module: query.module,
    };
    let reader = access.identity().user_id;
    let found = notifications
        .list(Reach::Domain(&access), &filter, reader, &page)
        .await?;
    let unread = UnreadTotal::of(found.unread_total);
    Ok(found.page.map(NotificationPublic::from).with(unread))
}
