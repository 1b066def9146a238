//! Notices to the people of a workspace.

use serde_json::Value;
use time::OffsetDateTime;

use crate::{
    ids::{DomainId, WorkspaceId},
    module::Module,
    notification_type::NotificationType,
    severity::Severity,
};

/// A notice to the people of a workspace. It becomes a notification.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNotice {
    /// The workspace whose people should know.
    pub workspace: WorkspaceId,
    /// The domain; `None`: it is about the workspace.
    pub domain: Option<DomainId>,
    /// The subject.
    pub kind: NotificationType,
    /// How bad it is.
    pub severity: Severity,
    /// The module.
    pub module: Option<Module>,
    /// One line of plain text.
    pub title: String,
    /// Plain text.
    pub body: String,
    /// An object that programs read.
    pub data: Value,
    /// The path of the API to look at next, below its base path.
    pub resource_path: Option<String>,
    /// When it came about.
    pub at: OffsetDateTime,
}
