//! ntfy: publishing as JSON, <https://docs.ntfy.sh/publish/#publish-as-json>.

use pharos_domain::secret::Secret;
use serde_json::json;
use url::Url;

use crate::{
    delivery::{
        message::{Event, Message},
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

/// The server and the name of the topic that a URL leads to. JSON is published to the server.
pub(in crate::delivery) fn topic(url: &Url) -> Option<(Url, String)> {
    let name = url.path_segments()?.next_back().filter(|name| !name.is_empty())?;
    let is_topic = name.len() <= 64
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let name = is_topic.then(|| name.to_owned())?;
    let mut server = url.clone();
    server.path_segments_mut().ok()?.pop();
    Some((server, name))
}

pub(in crate::delivery) fn post(
    url: &Url,
    token: Option<&Secret>,
    message: &Message,
) -> Result<Post, SendError> {
    let (server, topic) = topic(url).ok_or(TargetFault::Topic)?;
    let (priority, tag) = match (message.event, message.severity) {
        (Event::Resolved, _) => (3, "white_check_mark"),
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
