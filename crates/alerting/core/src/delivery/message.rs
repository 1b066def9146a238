//! The content of a delivery, whatever the channel.

use pharos_domain::{
    ids::{DeliveryId, DomainId, NotificationId, WorkspaceId},
    line::one_line,
    module::Module,
    wire_enum,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::{
    ended::{ended, moment},
    text::{cut, lines},
};
use crate::{
    alert::{Alert, AlertEnd},
    notification::NotificationType,
    severity::Severity,
};

/// The characters of a domain or workspace that are shown.
const LONGEST_SOURCE: usize = 100;

wire_enum! {
    /// The event that a delivery tells of.
    DeliveryEvent {
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
    /// The id, which is the same at each attempt, so that receivers detect repetitions.
    pub id: DeliveryId,
    /// The delivery of the beginning, if this one reports both beginning and end.
    pub beginning: Option<DeliveryId>,
    /// The event that it tells of.
    pub event: DeliveryEvent,
    /// The type of the notification; `None`: a test.
    pub kind: Option<NotificationType>,
    /// The notification; `None`: a test.
    pub notification_id: Option<NotificationId>,
    /// How bad it is.
    pub severity: Severity,
    /// The module.
    pub module: Option<Module>,
    /// The workspace whose people are told.
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
    pub alert: Option<Alert>,
    /// The address of the console's page to look at. The deliverer fills it in.
    pub link: Option<String>,
    /// When it began.
    pub created_at: OffsetDateTime,
    /// When it was over.
    pub resolved_at: Option<OffsetDateTime>,
}

impl Message {
    /// A message by which somebody tries a channel.
    #[must_use]
    pub fn test(
        id: DeliveryId,
        (workspace_id, workspace_name): (WorkspaceId, &str),
        channel_name: &str,
        at: OffsetDateTime,
    ) -> Self {
        Self {
            id,
            beginning: None,
            event: DeliveryEvent::Test,
            kind: None,
            notification_id: None,
            severity: Severity::Info,
            module: None,
            workspace_id,
            workspace_name: workspace_name.to_owned(),
            domain: None,
            title: format!("Test of the channel \u{201c}{channel_name}\u{201d}"),
            body: "Whoever reads this is told of alerts by this channel. Nothing is wrong.".to_owned(),
            data: Map::new(),
            alert: None,
            link: None,
            created_at: at,
            resolved_at: None,
        }
    }

    /// One line that says what happened, or that it is over.
    #[must_use]
    pub fn headline(&self) -> String {
        headline(self.event, self.end(), &or(one_line(&self.title), "Untitled"))
    }

    /// Why the alert is over that it tells of.
    pub(super) fn end(&self) -> Option<AlertEnd> {
        self.alert.as_ref().and_then(|alert| alert.end)
    }

    /// The body as people read it: lines of plain text, in which nothing is hidden.
    #[must_use]
    pub(super) fn text(&self) -> String {
        let body = lines(&self.body);
        match self.event {
            DeliveryEvent::Raised | DeliveryEvent::Test => body,
            DeliveryEvent::Resolved => {
                let ended = ended(self.created_at, self.at(), self.end());
                match body.is_empty() {
                    true => ended,
                    false => format!("{ended}\nWhen it began: {body}"),
                }
            }
        }
    }

    /// The moment that it tells of.
    #[must_use]
    pub fn at(&self) -> OffsetDateTime {
        match self.event {
            DeliveryEvent::Raised | DeliveryEvent::Test => self.created_at,
            DeliveryEvent::Resolved => self.resolved_at.unwrap_or(self.created_at),
        }
    }

    /// The messages without beginnings whose end is among them: the end reports both.
    #[must_use]
    pub fn merged(messages: Vec<Self>) -> Vec<Self> {
        let (begun, mut merged): (Vec<Self>, Vec<Self>) = messages
            .into_iter()
            .partition(|message| message.event == DeliveryEvent::Raised && message.notification_id.is_some());
        let mut alone = Vec::new();
        for message in begun {
            let end = merged
                .iter_mut()
                .find(|end| end.notification_id == message.notification_id);
            match end {
                Some(end) => end.beginning = Some(message.id),
                None => alone.push(message),
            }
        }
        merged.extend(alone);
        merged.sort_by_key(Self::at);
        merged
    }

    /// The deliveries that it makes.
    pub fn deliveries(&self) -> impl Iterator<Item = DeliveryId> {
        std::iter::once(self.id).chain(self.beginning)
    }

    /// The key by which services join the beginning and the end: the alert's id, if there is an alert.
    #[must_use]
    pub(super) fn key(&self) -> String {
        match (&self.alert, self.notification_id) {
            (Some(alert), _) => alert.id.to_string(),
            (None, Some(notification)) => notification.to_string(),
            (None, None) => self.id.to_string(),
        }
    }

    /// The name of the domain in one short line, or of the workspace if the message is about all of it.
    #[must_use]
    pub(super) fn source(&self) -> String {
        let name = self
            .domain
            .as_ref()
            .map_or(&self.workspace_name, |(_, name)| name);
        or(cut(&one_line(name), LONGEST_SOURCE), "Pharos")
    }

    /// One line of small print: the source, how bad it is, and when it was.
    #[must_use]
    pub(super) fn small_print(&self) -> String {
        let at = moment(self.at());
        format!("{} \u{b7} {} \u{b7} {at}", self.source(), self.severity)
    }

    /// The colour for this severity, or for an end, as red, green and blue.
    #[must_use]
    pub(super) const fn colour(&self) -> u32 {
        match (self.event, self.severity) {
            (DeliveryEvent::Resolved, _) => 0x2e7d32,
            (_, Severity::Critical) => 0xc62828,
            (_, Severity::Warning) => 0xef6c00,
            (_, Severity::Info) => 0x1565c0,
        }
    }
}

/// The title of a beginning as it reads in the message of the end.
pub(super) fn headline(event: DeliveryEvent, end: Option<AlertEnd>, title: &str) -> String {
    match (event, end) {
        (DeliveryEvent::Raised | DeliveryEvent::Test, _) => title.to_owned(),
        (DeliveryEvent::Resolved, None | Some(AlertEnd::Over)) => format!("Resolved: {title}"),
        // The end does not say that all is well: nobody knows that.
        (DeliveryEvent::Resolved, Some(_)) => format!("Closed: {title}"),
    }
}

/// The text, or another one if nothing of it is visible: receivers refuse empty texts.
fn or(text: String, other: &str) -> String {
    if text.is_empty() { other.to_owned() } else { text }
}

#[cfg(test)]
pub(super) mod fixture {
    use serde_json::json;
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    /// A message that a site is down.
    pub(crate) fn firing() -> Message {
        let id = |n| Uuid::from_u128(n);
        Message {
            id: DeliveryId(id(1)),
            beginning: None,
            event: DeliveryEvent::Raised,
            kind: Some(NotificationType::Alert),
            notification_id: Some(NotificationId(id(2))),
            severity: Severity::Critical,
            module: Some(Module::Uptime),
            workspace_id: WorkspaceId(id(3)),
            workspace_name: "Shops".to_owned(),
            domain: Some((DomainId(id(4)), "shop.example".to_owned())),
            title: "shop.example: Incidents reached 1".to_owned(),
            body: "Incidents in the last 5 minutes is 1. The rule fires from 1 on.".to_owned(),
            data: [("metric".to_owned(), json!("uptime.incidents"))]
                .into_iter()
                .collect(),
            alert: None,
            link: Some("https://pharos.example/console/domains/5".to_owned()),
            created_at: datetime!(2026-01-10 12:00 UTC),
            resolved_at: None,
        }
    }

    /// The message that it is up again.
    pub(crate) fn over() -> Message {
        Message {
            id: DeliveryId(Uuid::from_u128(6)),
            event: DeliveryEvent::Resolved,
            resolved_at: Some(datetime!(2026-01-10 12:07 UTC)),
            ..firing()
        }
    }

    /// A message whose texts, which come from people and sites, are markup and as long as can be.
    pub(crate) fn hostile() -> Message {
        let text = "<script>alert('x')</script> [a](javascript:b) @everyone <@U1> *b* \r\nBcc: c\u{202e}"
            .repeat(200);
        Message {
            title: text.clone(),
            body: text.clone(),
            workspace_name: text.clone(),
            domain: Some((DomainId(Uuid::from_u128(4)), text)),
            ..firing()
        }
    }
}
