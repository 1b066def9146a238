//! Slack: incoming webhooks, <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>.

use serde_json::{Value, json};
use url::Url;

use crate::delivery::{
    message::Message,
    post::Post,
    text::{cut, one_line},
};

/// The characters of a header block.
const HEADLINE: usize = 150;
/// The characters of a section block.
const BODY: usize = 3_000;

/// Texts stand in `plain_text` objects, which have no markup and mention nobody.
pub(in crate::delivery) fn post(url: Url, message: &Message) -> Post {
    let headline = cut(&message.headline(), HEADLINE);
    let mut blocks = vec![json!({ "type": "header", "text": plain(&headline) })];
    let body = cut(&message.body, BODY);
    // An empty text is refused.
    if !one_line(&body).is_empty() {
        blocks.push(json!({ "type": "section", "text": plain(&body) }));
    }
    let mut context = vec![plain(&message.small_print())];
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
