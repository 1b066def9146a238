//! Discord: webhooks with an embed, <https://discord.com/developers/docs/resources/webhook#execute-webhook>.

use pharos_domain::timestamp::Timestamp;
use serde_json::json;
use url::Url;

use crate::delivery::{
    message::Message,
    post::Post,
    text::{cut, escape_markdown},
};

/// The characters of a title are 256 at most, and an escape may double them.
const HEADLINE: usize = 128;
/// The characters of a description are 4,096 at most, and an escape may double them.
const BODY: usize = 2_000;

pub(in crate::delivery) fn post(url: Url, message: &Message) -> Post {
    let footer = format!("{} \u{b7} {}", message.source(), message.severity);
    let mut embed = json!({
        "title": escape_markdown(&cut(&message.headline(), HEADLINE)),
        "description": escape_markdown(&cut(&message.text(), BODY)),
        "color": message.colour(),
        "timestamp": Timestamp::from(message.at()),
        "footer": { "text": footer },
    });
    if let Some(link) = &message.link {
        embed["url"] = json!(link);
    }
    // No text mentions anybody.
    Post::json(
        url,
        &json!({ "embeds": [embed], "allowed_mentions": { "parse": [] } }),
    )
}
