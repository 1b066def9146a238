//! Slack, as documented for incoming webhooks and Block Kit:
//! <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>,
//! <https://docs.slack.dev/reference/block-kit/blocks>,
//! <https://docs.slack.dev/reference/block-kit/composition-objects/text-object>,
//! <https://docs.slack.dev/messaging/formatting-message-text#escaping>.

use hyper::Method;
use pharos_alerting::delivery::target::Target;
use serde_json::{Value, json};

use crate::{
    cases::ordinary,
    lab::secret,
    receiver::{
        Change::{Body, Header, Method as By, Path, Set, Without},
        Heard, Service, Shown, refuses, takes_every_message,
    },
    rules::{Members, link},
};

const PATH: &str = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";

const SLACK: Service = Service {
    success: 200,
    target: |base| Target::Slack {
        url: secret(format!("{base}{PATH}")),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    let body = heard.json(PATH)?;
    let mut message = Members::of(&body, "message")?;
    let attachments = message.list("attachments", 1..=100)?;
    message.end()?;
    let [attachment] = attachments else {
        return Err("more attachments than this player knows".to_owned());
    };
    let mut attachment = Members::of(attachment, "attachment")?;
    let color = attachment.text("color", 7..=7)?;
    if !color.starts_with('#') || !color[1..].bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("attachment.color is no colour".to_owned());
    }
    plain(attachment.text("fallback", 1..=3_000)?)?;
    let blocks = attachment.list("blocks", 1..=50)?;
    attachment.end()?;
    let mut shown = Shown {
        body: Some(String::new()),
        ..Shown::default()
    };
    for block in blocks {
        let mut block = Members::of(block, "block")?;
        match block.one_of("type", &["header", "section", "context"])? {
            "header" => shown.title = Some(text_object(block.required("text")?, 150)?),
            "section" => shown.body = Some(text_object(block.required("text")?, 3_000)?),
            _ => {
                let elements = block.list("elements", 1..=10)?;
                let (element, links) = elements.split_first().ok_or("no element")?;
                shown.small = Some(text_object(element, 3_000)?);
                links.iter().try_for_each(link_object)?;
            }
        }
        block.optional_text("block_id", 1..=255)?;
        block.end()?;
    }
    Ok(shown)
}

/// A text object without markup, as people read it.
fn text_object(value: &Value, most: usize) -> Result<String, String> {
    let mut object = Members::of(value, "text")?;
    // In `mrkdwn` people and channels are mentioned, which a message of ours never does.
    object.one_of("type", &["plain_text"])?;
    let text = object.text("text", 1..=most)?;
    object.optional_bool("emoji")?;
    object.end()?;
    plain(text)
}

/// A text object that is a link and nothing else.
fn link_object(value: &Value) -> Result<(), String> {
    let mut object = Members::of(value, "text")?;
    object.one_of("type", &["mrkdwn"])?;
    let text = object.text("text", 1..=3_000)?;
    object.end()?;
    let inside = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let (url, _) = inside
        .and_then(|inside| inside.split_once('|'))
        .ok_or("no link")?;
    link(url)
}

/// The text without its entities. Three characters are never written as they are.
fn plain(text: &str) -> Result<String, String> {
    let entities = ["&amp;", "&lt;", "&gt;"];
    let mut bare = text.to_owned();
    entities.iter().for_each(|entity| bare = bare.replace(entity, ""));
    if bare.contains(['&', '<', '>']) {
        return Err("a text has a control character of Slack".to_owned());
    }
    Ok(text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&"))
}

#[tokio::test]
async fn slack_takes_every_message() {
    takes_every_message(&SLACK).await;
}

#[tokio::test]
async fn slack_refuses_what_it_documents() {
    let long = |length| json!({ "type": "plain_text", "text": "x".repeat(length) });
    refuses(
        &SLACK,
        &ordinary(),
        &[
            (By(Method::PUT), "method PUT"),
            (Path("/services/T00000000"), "there is no"),
            (Header("content-type", None), "content type"),
            (Header("content-type", Some("text/plain")), "content type"),
            (Header("authorization", Some("Bearer x")), "not authorized"),
            (Body("{"), "not JSON"),
            (Body("[]"), "message is not an object"),
            (Without("/attachments"), "message.attachments is missing"),
            (Set("/attachments", json!([])), "has 0 values"),
            (Set("/attachments", json!({})), "not a list"),
            (Set("/channel", json!("#general")), "message.channel is unknown"),
            (Set("/attachments/0/color", json!("#12345g")), "no colour"),
            (
                Set("/attachments/0/fallback", json!("<!channel>")),
                "control character",
            ),
            (Set("/attachments/0/blocks", json!([])), "has 0 values"),
            (Set("/attachments/0/blocks/0/text", long(151)), "151 characters"),
            (
                Set("/attachments/0/blocks/1/text", long(3_001)),
                "3001 characters",
            ),
            (Set("/attachments/0/blocks/1/text", long(0)), "0 characters"),
            (Set("/attachments/0/blocks/1/text/text", json!(1)), "not a text"),
            (
                Set("/attachments/0/blocks/1/text/text", json!("a & b")),
                "control character",
            ),
            (
                Set("/attachments/0/blocks/1/text/type", json!("mrkdwn")),
                "text.type",
            ),
            (
                Set("/attachments/0/blocks/1/text/emoji", json!("no")),
                "not a boolean",
            ),
            (Set("/attachments/0/blocks/1/type", json!("quote")), "block.type"),
            (Set("/attachments/0/blocks/2/elements", json!([])), "has 0 values"),
            (
                Set("/attachments/0/blocks/0/size", json!(1)),
                "block.size is unknown",
            ),
        ],
    )
    .await;
}
