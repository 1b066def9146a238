//! Telegram: the method `sendMessage` of the Bot API, <https://core.telegram.org/bots/api#sendmessage>.

use maud::html;
use pharos_domain::secret::Secret;
use serde_json::json;

use crate::delivery::{message::Message, post::Post, send_error::SendError, text::cut};

/// The characters of a message are 4,096 at most, its markup not counted.
const HEADLINE: usize = 300;
const BODY: usize = 3_000;

pub(in crate::delivery) fn post(
    base: &str,
    bot_token: &Secret,
    chat_id: &str,
    message: &Message,
) -> Result<Post, SendError> {
    let text = html! {
        b { (cut(&message.headline(), HEADLINE)) } "\n"
        (cut(&message.text(), BODY)) "\n"
        i { (message.small_print()) }
        @if let Some(link) = &message.link { "\n" a href=(link) { "Look at it" } }
    };
    let body = json!({
        "chat_id": chat_id,
        "text": text.into_string(),
        "parse_mode": "HTML",
        "link_preview_options": { "is_disabled": true },
    });
    Post::to_service(base, &format!("/bot{}/sendMessage", bot_token.reveal()), &body)
}
