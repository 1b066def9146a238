//! The page of the console that a message leads to. Whoever reads a message has no key of the API at hand.

use pharos_domain::ids::{ChannelId, DomainId, IncidentId};
use serde_json::Value;

use super::message::Message;
use crate::{alert::AlertEnd, notification::NotificationType};

/// The path of the page; `None`: there is nothing more to see.
pub(super) fn page(message: &Message) -> Option<String> {
    let workspace = message.workspace_id;
    match (message.kind?, &message.domain) {
        (NotificationType::ModuleDisconnected, _) => {
            let channel = message.data.get("channel_id").and_then(Value::as_str)?;
            let channel: ChannelId = channel.parse().ok()?;
            Some(format!("/console/channels/{channel}"))
        }
        // The domain has no pages any more.
        (_, Some(_)) if message.end() == Some(AlertEnd::DomainDeleted) => {
            Some(format!("/console/w/{workspace}"))
        }
        (_, Some((domain, _))) => Some(of_domain(*domain, incident(message))),
        (NotificationType::QuotaWarning, None) => Some(format!("/console/w/{workspace}/credits")),
        (NotificationType::Announcement, None) => None,
        (_, None) => Some(format!("/console/w/{workspace}")),
    }
}

fn of_domain(domain: DomainId, incident: Option<IncidentId>) -> String {
    let page = format!("/console/domains/{domain}");
    match incident {
        Some(incident) => format!("{page}/incidents/{incident}"),
        None => page,
    }
}

/// The incident that the alert is about.
fn incident(message: &Message) -> Option<IncidentId> {
    let alert = message.alert.as_ref()?;
    alert.told.context.get("incident_id")?.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::{delivery::message::fixture::firing, fixture::alert};

    const WORKSPACE: &str = "00000000-0000-0000-0000-000000000003";
    const DOMAIN: &str = "00000000-0000-0000-0000-000000000004";

    fn about(incident: &Value) -> Message {
        let mut alert = alert();
        alert
            .told
            .context
            .insert("incident_id".to_owned(), incident.clone());
        Message {
            alert: Some(alert),
            ..firing()
        }
    }

    #[test]
    fn an_alert_leads_to_its_incident_or_else_to_its_domain() {
        let incident = Uuid::from_u128(7);
        let domain = format!("/console/domains/{DOMAIN}");
        assert_eq!(
            page(&about(&json!(incident))),
            Some(format!("{domain}/incidents/{incident}"))
        );
        // A text of a site is no part of a path.
        assert_eq!(page(&about(&json!("../sign-out"))), Some(domain.clone()));
        assert_eq!(page(&firing()), Some(domain));
    }

    #[test]
    fn what_was_closed_with_its_domain_leads_to_the_workspace() {
        let ended = |end| {
            let mut message = about(&json!(Uuid::from_u128(7)));
            if let Some(alert) = &mut message.alert {
                alert.end = Some(end);
            }
            page(&message).unwrap()
        };
        assert_eq!(ended(AlertEnd::DomainDeleted), format!("/console/w/{WORKSPACE}"));
        assert!(ended(AlertEnd::RuleDeleted).starts_with(&format!("/console/domains/{DOMAIN}/")));
    }

    #[test]
    fn what_is_about_the_workspace_leads_to_where_it_is_mended() {
        let of = |kind, data: Value| {
            let told = Message {
                kind: Some(kind),
                domain: None,
                data: data.as_object().cloned().unwrap_or_default(),
                ..firing()
            };
            page(&told)
        };
        let home = format!("/console/w/{WORKSPACE}");
        let channel = Uuid::from_u128(8);
        let table = [
            (
                NotificationType::ModuleDisconnected,
                json!({ "channel_id": channel }),
                Some(format!("/console/channels/{channel}")),
            ),
            (
                NotificationType::QuotaWarning,
                json!({}),
                Some(format!("{home}/credits")),
            ),
            (NotificationType::Subscription, json!({}), Some(home)),
            (NotificationType::Announcement, json!({}), None),
        ];
        for (kind, data, leads_to) in table {
            assert_eq!(of(kind, data), leads_to, "{kind}");
        }
        let test = Message {
            kind: None,
            ..firing()
        };
        assert_eq!(page(&test), None);
    }
}
