//! GET /domains/{domain_id}/alerts/history

use pharos_alerting::{
    notification::{NotificationFilter, NotificationType},
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{Page, PageRequest},
    scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};

use crate::notifications::notification::{NotificationPublic, UnreadTotal};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listDomainAlertHistory",
    path: "/domains/{domain_id}/alerts/history",
    module: Module::Alerts,
    summary: "The alerts of a domain as notifications, the newest first",
    description: "`alert_id` leads to the figures of each: `GET /alerts/history/{alert_id}`.",
    scope: Some(Scope::ReadAlerts),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    page: PageRequest,
    notifications: Port<dyn NotificationStore>,
) -> ApiResult<Page<NotificationPublic, UnreadTotal>> {
    let alerts = NotificationFilter {
        kind: Some(NotificationType::Alert),
        ..NotificationFilter::default()
    };
    let reader = access.identity().user_id;
    let found = notifications
        .list(Reach::Domain(&access), &alerts, reader, &page)
        .await?;
    let unread = UnreadTotal::of(found.unread_total);
    Ok(found.page.map(NotificationPublic::from).with(unread))
}
