//! The content of a delivery, whatever the channel.

use pharos_domain::{
    ids::{AlertId, DeliveryId, DomainId, NotificationId, WorkspaceId},
    module::Module,
    wire_enum,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::channel::Channel;
use crate::{message::resolved_title, notification::NotificationType, severity::Severity};

wire_enum! {
    /// The event that a delivery tells of.
    Event {
        /// Something happened.
        Raised = "raised",
        /// It is over.
        Resolved = "resolved",
        /// Somebody tries the channel.
        Test = "test",
    }
}

/// The content of a delivery, whatever the channel. Its texts come from people and sites: each channel escapes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The same at each attempt: receivers tell repetitions by it.
    pub id: DeliveryId,
    /// The event.
    pub event: Event,
    /// The type of the notification.
    pub kind: NotificationType,
    /// The notification; `None`: a test.
    pub notification_id: Option<NotificationId>,
    /// How bad it is.
    pub severity: Severity,
    /// The module.
    pub module: Option<Module>,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The name of the workspace.
    pub workspace_name: String,
    /// The domain with its name; `None`: it is about the workspace.
    pub domain: Option<(DomainId, String)>,
    /// One line of plain text, as of the beginning; see [`Message::headline`].
    pub title: String,
    /// Plain text.
    pub body: String,
    /// Facts for programs.
    pub data: Map<String, Value>,
    /// The alert that it tells of.
    pub alert_id: Option<AlertId>,
    /// When it began.
    pub created_at: OffsetDateTime,
    /// When it was over.
    pub resolved_at: Option<OffsetDateTime>,
}

impl Message {
    /// A message by which somebody tries a channel.
    #[must_use]
    pub fn test(id: DeliveryId, channel: &Channel, workspace_name: &str, at: OffsetDateTime) -> Self {
        Self {
            id,
            event: Event::Test,
            kind: NotificationType::Announcement,
            notification_id: None,
            severity: Severity::Info,
            module: None,
            workspace_id: channel.workspace_id,
            workspace_name: workspace_name.to_owned(),
            domain: None,
            title: format!("Test of the channel \u{201c}{}\u{201d}", channel.settings.name),
            body: "Whoever reads this is told of alerts by this channel. Nothing is wrong.".to_owned(),
            data: Map::new(),
            alert_id: None,
            created_at: at,
            resolved_at: None,
        }
    }

    /// One line that says what happened, or that it is over.
    #[must_use]
    pub fn headline(&self) -> String {
        let title = super::text::one_line(&self.title);
        match self.event {
            Event::Raised | Event::Test => title,
            Event::Resolved => resolved_title(&title),
        }
    }

    /// The moment that it tells of.
    #[must_use]
    pub fn at(&self) -> OffsetDateTime {
        match self.event {
            Event::Raised | Event::Test => self.created_at,
            Event::Resolved => self.resolved_at.unwrap_or(self.created_at),
        }
    }

    /// The key by which services take the beginning and the end together.
    #[must_use]
    pub(super) fn key(&self) -> String {
        self.notification_id.map_or_else(|| self.id.to_string(), |id| id.to_string())
    }

    /// The name of the domain, or of the workspace where it is about all of that.
    #[must_use]
    pub(super) fn source(&self) -> &str {
        self.domain.as_ref().map_or(&self.workspace_name, |(_, name)| name)
    }
}
