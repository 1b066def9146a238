//! GET /notifications

use pharos_alerting::{
    notification::{NotificationFilter, NotificationType},
    severity::Severity,
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    ids::WorkspaceId,
    module::Module,
    page::{Page, PageRequest},
    scope::Scope,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::notification::{NotificationPublic, UnreadTotal};
use crate::reach::workspaces;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listNotifications",
    path: "/notifications",
    module: Module::Notifications,
    summary: "The notifications of all workspaces in reach, the newest first",
    description: "Those about domains that were deleted are left out. Whether one was read is kept for the user behind \
                  the credential. No operation marks as read one about a workspace alone (`domain_id` is null): \
                  people do that in the console, and until then it counts in `unread_total`.",
    scope: Some(Scope::ReadNotifications),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct NotificationsQuery {
    /// Only the notifications of this workspace. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    workspace_id: Option<WorkspaceId>,
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
    caller: Caller,
    Query(query): Query<NotificationsQuery>,
    page: PageRequest,
    notifications: Port<dyn NotificationStore>,
) -> ApiResult<Page<NotificationPublic, UnreadTotal>> {
    let reach = workspaces(&caller, query.workspace_id, Module::Notifications)?;
    let filter = NotificationFilter {
        kind: query.r#type,
        unread: query.unread,
        severity: query.severity,
        module: query.module,
    };
    let found = notifications
        .list(Reach::Workspaces(&reach), &filter, caller.0.user_id, &page)
        .await?;
    let unread = UnreadTotal::of(found.unread_total);
    Ok(found.page.map(NotificationPublic::from).with(unread))
}
