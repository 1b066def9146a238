//! Microsoft Teams: workflows that take webhooks, with an Adaptive Card,
//! <https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook>.

use serde_json::{Value, json};
use url::Url;

use crate::delivery::{
    message::{DeliveryEvent, Message},
    post::Post,
    text::cut,
};
use crate::severity::Severity;

/// The characters of the first line.
const HEADLINE: usize = 200;
/// The characters of the text; a card may have 28 KB as a whole.
const BODY: usize = 3_000;

/// Texts stand in `TextRun`s, which have no markup.
pub(in crate::delivery) fn post(url: Url, message: &Message) -> Post {
    let colour = match (message.event, message.severity) {
        (DeliveryEvent::Resolved, _) => "Good",
        (_, Severity::Critical) => "Attention",
        (_, Severity::Warning) => "Warning",
        (_, Severity::Info) => "Accent",
    };
    let headline = json!({
        "type": "TextRun", "text": cut(&message.headline(), HEADLINE), "weight": "Bolder", "size": "Large",
        "color": colour,
    });
    let body = cut(&message.text(), BODY);
    let small = json!({
        "type": "TextRun", "text": message.small_print(), "size": "Small", "isSubtle": true,
    });
    let open = message
        .link
        .iter()
        .map(|link| json!({ "type": "Action.OpenUrl", "title": "Look at it", "url": link }));
    let mut blocks = vec![block(&headline)];
    // An empty text is refused.
    if !body.is_empty() {
        blocks.push(block(&json!({ "type": "TextRun", "text": body })));
    }
    blocks.push(block(&small));
    let card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": blocks,
        "actions": open.collect::<Vec<_>>(),
        "msteams": { "width": "Full" },
    });
    let attachment = json!({
        "contentType": "application/vnd.microsoft.card.adaptive",
        "contentUrl": null,
        "content": card,
    });
    Post::json(url, &json!({ "type": "message", "attachments": [attachment] }))
}

fn block(run: &Value) -> Value {
    json!({ "type": "RichTextBlock", "inlines": [run] })
}
