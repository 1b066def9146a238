//! Messages of every kind, and their texts as plain text.

use pharos_alerting::{
    alert::{Alert, Fired},
    delivery::message::{DeliveryEvent, Message},
    evaluate::Figures,
    notification::NotificationType,
    severity::Severity,
};
use pharos_domain::{
    alert_metric::{AlertModule, AlertOperator, EvaluationWindow, MetricFilter},
    ids::{AlertId, DeliveryId, DomainId, NotificationId, WorkspaceId},
    module::Module,
};
use serde_json::{Map, json};
use time::macros::datetime;
use uuid::Uuid;

use crate::lab::NOW;

/// Markup of every service, with what breaks lines and what turns the direction of writing.
const HOSTILE: &str =
    "<b>x</b> [a](j:b) @everyone <@U1> *b* :fire: https://e.example/a_b &lt;\r\n- Bcc: c\u{202e}d";
/// The same in one line.
const HOSTILE_LINE: &str =
    "<b>x</b> [a](j:b) @everyone <@U1> *b* :fire: https://e.example/a_b &lt; - Bcc: c d";
/// The same in lines.
const HOSTILE_LINES: &str =
    "<b>x</b> [a](j:b) @everyone <@U1> *b* :fire: https://e.example/a_b &lt;\n- Bcc: c d";

/// A message, and its texts as plain text.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) message: Message,
    pub(crate) title: String,
    pub(crate) body: String,
}

/// A message that a site is down.
pub(crate) fn raised() -> Message {
    let id = Uuid::from_u128;
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
pub(crate) fn resolved() -> Message {
    Message {
        id: DeliveryId(Uuid::from_u128(6)),
        event: DeliveryEvent::Resolved,
        resolved_at: Some(datetime!(2026-01-10 12:07 UTC)),
        ..raised()
    }
}

/// The alert that both of them tell of.
pub(crate) fn alert() -> Alert {
    let Message {
        workspace_id,
        workspace_name,
        title,
        body,
        severity,
        created_at,
        ..
    } = raised();
    Alert {
        id: AlertId(Uuid::from_u128(9)),
        rule_id: None,
        domain_id: DomainId(Uuid::from_u128(4)),
        domain_name: "shop.example".to_owned(),
        workspace_id,
        workspace_name,
        notification_id: NotificationId(Uuid::from_u128(2)),
        told: Fired {
            module: AlertModule::Uptime,
            metric: "incident_count".to_owned(),
            metric_label: "Incidents".to_owned(),
            unit: "incidents".to_owned(),
            operator: AlertOperator::Gte,
            threshold: 1.0,
            comparison_window: None,
            evaluation_window: EvaluationWindow::Hour,
            filter: MetricFilter::default(),
            severity,
            figures: Figures {
                value: 1.0,
                baseline: None,
                change_pct: None,
            },
            title,
            message: body,
            context: Map::new(),
            fired_at: created_at,
        },
        resolved_at: None,
        end: None,
        deliveries_count: 0,
    }
}

/// A message by which somebody tries a channel.
pub(crate) fn test() -> Message {
    let workspace = (WorkspaceId(Uuid::from_u128(3)), "Shops");
    Message::test(DeliveryId(Uuid::from_u128(8)), workspace, "On call", NOW)
}

/// The ordinary message that something happened.
pub(crate) fn ordinary() -> Case {
    let message = raised();
    Case {
        name: "ordinary".to_owned(),
        title: message.title.clone(),
        body: message.body.clone(),
        message,
    }
}

/// The ordinary message that it is over.
pub(crate) fn over() -> Case {
    let message = resolved();
    Case {
        name: "over".to_owned(),
        title: format!("Resolved: {}", message.title),
        body: ended(&message.body),
        message,
    }
}

/// The body of a message that it is over.
fn ended(body: &str) -> String {
    let ended = "It ended on 10 January 2026 at 12:07 UTC, after 7 minutes.";
    if body.is_empty() {
        ended.to_owned()
    } else {
        format!("{ended}\nWhen it began: {body}")
    }
}

/// Each event with each kind of text.
pub(crate) fn all() -> Vec<Case> {
    let texts = texts();
    let events = [raised(), resolved(), test()];
    let with_texts = events.iter().flat_map(|event| {
        texts
            .iter()
            .map(|(name, [title, body], [plain_title, plain_body])| {
                let mut message = event.clone();
                (message.title, message.body) = (title.clone(), body.clone());
                if message.domain.is_some() {
                    message.domain = Some((DomainId(Uuid::from_u128(4)), title.clone()));
                }
                Case {
                    name: format!("{name}, {}", message.event),
                    title: match message.event {
                        DeliveryEvent::Resolved => format!("Resolved: {plain_title}"),
                        DeliveryEvent::Raised | DeliveryEvent::Test => plain_title.clone(),
                    },
                    body: match message.event {
                        DeliveryEvent::Resolved => ended(plain_body),
                        DeliveryEvent::Raised | DeliveryEvent::Test => plain_body.clone(),
                    },
                    message,
                }
            })
    });
    let mut cases: Vec<Case> = with_texts.collect();
    cases.extend([ordinary(), over(), unseen()]);
    let test = test();
    cases.push(Case {
        name: "test".to_owned(),
        title: "Test of the channel \u{201c}On call\u{201d}".to_owned(),
        body: test.body.clone(),
        message: test,
    });
    cases
}

/// A message about a workspace whose name nobody can see.
fn unseen() -> Case {
    let message = Message {
        kind: None,
        notification_id: None,
        module: None,
        domain: None,
        workspace_name: " \u{200b}".to_owned(),
        alert: None,
        link: None,
        ..raised()
    };
    Case {
        name: "about a workspace".to_owned(),
        message,
        ..ordinary()
    }
}

/// A title and a body, as they come and as plain text.
fn texts() -> Vec<(&'static str, [String; 2], [String; 2])> {
    let own = |text: &str| text.to_owned();
    let many = |text: &str, count: usize| vec![text; count].join(" ");
    // Each second half of a body begins in the last line of the first.
    let hostile_lines = vec![HOSTILE_LINES; 1_000].join(" ");
    vec![
        (
            "hostile",
            [own(HOSTILE), own(HOSTILE)],
            [own(HOSTILE_LINE), own(HOSTILE_LINES)],
        ),
        (
            "hostile and long",
            [many(HOSTILE, 120), many(HOSTILE, 1_000)],
            [many(HOSTILE_LINE, 120), hostile_lines],
        ),
        (
            "wide",
            ["\u{1f642}".repeat(10_000), "\u{1f642}".repeat(100_000)],
            ["\u{1f642}".repeat(10_000), "\u{1f642}".repeat(100_000)],
        ),
        (
            "escaped in JSON",
            ["\"\\&<>'".repeat(2_000), "\"\\&<>'".repeat(20_000)],
            ["\"\\&<>'".repeat(2_000), "\"\\&<>'".repeat(20_000)],
        ),
        (
            "full of control characters",
            [
                format!("a{}b", "\u{0}\u{1b}\u{61c}\u{7f}\u{2066}".repeat(2_000)),
                format!(
                    "{}a\u{0}b\u{85}c{}",
                    "\u{0}\n".repeat(5_000),
                    "\u{7}\u{202e}".repeat(5_000)
                ),
            ],
            [own("a b"), own("a b c")],
        ),
        (
            "without a body",
            [own("shop.example: Incidents reached 1"), String::new()],
            [own("shop.example: Incidents reached 1"), String::new()],
        ),
        (
            "blank",
            [own(" \u{202e}"), own(" \r\n\t\u{200b}")],
            [own("Untitled"), String::new()],
        ),
    ]
}
