//! Notifications: everything that people of a workspace are told.

use pharos_domain::{
    ids::{AlertId, DomainId, NotificationId, WorkspaceId},
    module::Module,
    page::Page,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;

use crate::severity::Severity;

pub use pharos_domain::notification_type::NotificationType;

/// Unread notifications are counted so far: nobody reads more, and each list counts them.
pub const MOST_COUNTED: u32 = 10_000;

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// The id by which it is looked up.
    pub id: NotificationId,
    /// The type: an alert, a run that ended and the like.
    pub kind: NotificationType,
    /// How bad it is.
    pub severity: Severity,
    /// The domain with its name; `None`: it is about the workspace.
    pub domain: Option<(DomainId, String)>,
    /// The workspace whose people are told.
    pub workspace_id: WorkspaceId,
    /// The name of the workspace.
    pub workspace_name: String,
    /// The module.
    pub module: Option<Module>,
    /// One line of plain text.
    pub title: String,
    /// Plain text.
    pub body: String,
    /// The facts for programs; of an alert the rule, the metric and its figures.
    pub data: Map<String, Value>,
    /// The alert that it tells of.
    pub alert_id: Option<AlertId>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When its reader read it; `None`: not yet.
    pub read_at: Option<OffsetDateTime>,
    /// When what it tells of was over.
    pub resolved_at: Option<OffsetDateTime>,
    /// The path of the API to look at next.
    pub resource_path: Option<String>,
}

/// The notifications that a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct NotificationFilter {
    /// Only those about this.
    pub kind: Option<NotificationType>,
    /// Only those that are unread, or read.
    pub unread: Option<bool>,
    /// Only those of this severity.
    pub severity: Option<Severity>,
    /// Only those of this module.
    pub module: Option<Module>,
}

/// A page of notifications.
#[derive(Clone, Debug)]
pub struct NotificationPage {
    /// The page, the newest first.
    pub page: Page<Notification>,
    /// How many are unread of those that the filter lets through, whatever it says of what was read, up to
    /// [`MOST_COUNTED`].
    pub unread_total: u64,
}

/// Which notifications of a domain are marked as read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadAll {
    /// Only those about this.
    pub kind: Option<NotificationType>,
    /// Only those made before this moment.
    pub before: Option<OffsetDateTime>,
}
