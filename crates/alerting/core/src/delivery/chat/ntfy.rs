//! ntfy: publishing as JSON, <https://docs.ntfy.sh/publish/#publish-as-json>.

use pharos_domain::secret::Secret;
use serde_json::json;
use url::Url;

use crate::{
    delivery::{
        message::{DeliveryEvent, Message},
        ntfy_topic::topic,
        post::Post,
        send_error::SendError,
        target::TargetFault,
        text::cut,
    },
    severity::Severity,
};

/// The characters of a title; its bytes are 1,024 at most.
const HEADLINE: usize = 250;
/// The characters of a message: from 4,096 bytes on it becomes an attachment.
const BODY: usize = 900;

pub(in crate::delivery) fn post(
    url: &Url,
    token: Option<&Secret>,
    message: &Message,
) -> Result<Post, SendError> {
    let (server, topic) = topic(url).ok_or(TargetFault::Topic)?;
    let (priority, tag) = match (message.event, message.severity) {
        (DeliveryEvent::Resolved, _) => (3, "white_check_mark"),
        (_, Severity::Critical) => (5, "rotating_light"),
        (_, Severity::Warning) => (4, "warning"),
        (_, Severity::Info) => (3, "information_source"),
    };
    let mut body = json!({
        "topic": topic,
        "title": cut(&message.headline(), HEADLINE),
        "message": cut(&message.text(), BODY),
        "priority": priority,
        "tags": [tag],
    });
    if let Some(link) = &message.link {
        body["click"] = json!(link);
    }
    let post = Post::json(server, &body);
    match token {
        Some(token) => post.authorization("Bearer", token),
        None => Ok(post),
    }
}
