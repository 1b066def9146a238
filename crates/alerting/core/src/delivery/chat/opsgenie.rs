//! Opsgenie: the Alert API, <https://docs.opsgenie.com/docs/alert-api>.

use pharos_domain::secret::Secret;
use serde_json::{Map, Value, json};

use crate::{
    delivery::{
        message::{DeliveryEvent, Message},
        post::Post,
        send_error::SendError,
        text::cut,
    },
    severity::Severity,
};

/// The characters of a message.
const MESSAGE: usize = 130;
/// The characters of a description.
const DESCRIPTION: usize = 15_000;

/// Opsgenie shows messages as HTML in some places and as text in others. So what would be markup becomes its like.
fn plain(text: &str) -> String {
    text.replace('<', "\u{2039}").replace('>', "\u{203a}")
}

pub(in crate::delivery) fn post(base: &str, api_key: &Secret, message: &Message) -> Result<Post, SendError> {
    // The same alias opens an alert and closes it.
    let alias = message.key();
    let source = plain(&message.source());
    let headline = plain(&message.headline());
    let (path, body) = if message.event == DeliveryEvent::Resolved {
        let path = format!("/v2/alerts/{alias}/close?identifierType=alias");
        (
            path,
            json!({ "source": source, "note": cut(&format!("{headline}\n{}", plain(&message.text())), DESCRIPTION) }),
        )
    } else {
        let priority = match message.severity {
            Severity::Critical => "P1",
            Severity::Warning => "P3",
            Severity::Info => "P5",
        };
        let details: Map<String, Value> = message
            .link
            .iter()
            .map(|link| ("link".to_owned(), json!(link)))
            .collect();
        let body = json!({
            "message": cut(&headline, MESSAGE),
            "alias": alias,
            "description": cut(&plain(&message.text()), DESCRIPTION),
            "priority": priority,
            "source": source,
            "entity": source,
            "details": details,
            "tags": message.module.map(|module| vec![module.as_str()]).unwrap_or_default(),
        });
        ("/v2/alerts".to_owned(), body)
    };
    Post::to_service(base, &path, &body)?.authorization("GenieKey", api_key)
}
