//! Slack: incoming webhooks, <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>.

use serde_json::{Value, json};
use url::Url;

use crate::delivery::{message::Message, post::Post, text::escape_entities};

/// The characters of a header block.
const HEADLINE: usize = 150;
/// The characters of a section block.
const BODY: usize = 3_000;

/// Texts stand in `plain_text` objects, which have no markup and mention nobody. Three characters are entities in all of
/// Slack's texts: <https://docs.slack.dev/messaging/formatting-message-text#escaping>.
pub(in crate::delivery) fn post(url: Url, message: &Message) -> Post {
    let headline = escape_entities(&message.headline(), HEADLINE);
    let mut blocks = vec![json!({ "type": "header", "text": plain(&headline) })];
    let body = escape_entities(&message.text(), BODY);
    // An empty text is refused.
    if !body.is_empty() {
        blocks.push(json!({ "type": "section", "text": plain(&body) }));
    }
    let mut context = vec![plain(&escape_entities(&message.small_print(), BODY))];
    if let Some(link) = &message.link {
        context.push(json!({ "type": "mrkdwn", "text": format!("<{link}|Look at it>") }));
    }
    blocks.push(json!({ "type": "context", "elements": context }));
    let attachment = json!({
        "color": format!("#{:06x}", message.colour()),
        "fallback": headline,
        "blocks": blocks,
    });
    Post::json(url, &json!({ "attachments": [attachment] }))
}

fn plain(text: &str) -> Value {
    json!({ "type": "plain_text", "text": text, "emoji": false })
}
