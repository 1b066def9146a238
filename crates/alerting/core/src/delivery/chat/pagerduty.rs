//! PagerDuty: the Events API v2, <https://developer.pagerduty.com/docs/send-alert-event>.

use pharos_domain::{secret::Secret, timestamp::Timestamp};
use serde_json::{Value, json};

use crate::{
    delivery::{
        message::{DeliveryEvent, Message},
        post::Post,
        send_error::SendError,
        text::cut,
    },
    severity::Severity,
};

/// The characters of a summary.
const SUMMARY: usize = 1_024;
/// The characters of the details; an event may have 512 KB.
const BODY: usize = 5_000;

pub(in crate::delivery) fn post(
    base: &str,
    routing_key: &Secret,
    message: &Message,
) -> Result<Post, SendError> {
    // The same key opens an incident and ends it.
    let key = message.key();
    let body = if message.event == DeliveryEvent::Resolved {
        json!({ "routing_key": routing_key.reveal(), "event_action": "resolve", "dedup_key": key })
    } else {
        let severity = match message.severity {
            Severity::Critical => "critical",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let links: Vec<Value> = message
            .link
            .iter()
            .map(|link| json!({ "href": link, "text": "Look at it" }))
            .collect();
        let mut payload = json!({
            "summary": cut(&message.headline(), SUMMARY),
            "source": message.source(),
            "severity": severity,
            "timestamp": Timestamp::from(message.at()),
            "custom_details": { "text": cut(&message.text(), BODY), "data": message.data },
        });
        // A component is a text: null is refused.
        if let Some(module) = message.module {
            payload["component"] = json!(module);
        }
        json!({
            "routing_key": routing_key.reveal(),
            "event_action": "trigger",
            "dedup_key": key,
            "client": "Pharos",
            "links": links,
            "payload": payload,
        })
    };
    Post::to_service(base, "/v2/enqueue", &body)
}
