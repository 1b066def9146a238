//! ntfy, as documented for publishing as JSON: <https://docs.ntfy.sh/publish/#publish-as-json>,
//! <https://docs.ntfy.sh/publish/#access-tokens>, <https://docs.ntfy.sh/publish/#limitations>. How large a request may be
//! stands in the server's code: <https://github.com/binwiederhier/ntfy/blob/main/server/server.go> (transformBodyJSON).

use hyper::Method;
use pharos_alerting::delivery::target::Target;
use serde_json::json;

use crate::{
    cases::ordinary,
    lab::secret,
    receiver::{
        Change::{Body, Header, Method as By, Path, Set, Without},
        Heard, Service, Shown, refuses, takes_every_message,
    },
    rules::{Members, link, text},
};

/// The bytes of a message. A larger one becomes an attachment, where the server takes any.
const LARGEST: usize = 4_096;

const NTFY: Service = Service {
    success: 200,
    target: |base| Target::Ntfy {
        url: secret(format!("{base}/on-call_1")),
        token: Some(secret("tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2")),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(Some("Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"))?;
    let body = heard.json("/")?;
    if heard.body.len() > 2 * LARGEST {
        return Err(format!("the request has {} bytes", heard.body.len()));
    }
    let mut message = Members::of(&body, "message")?;
    let topic = message.text("topic", 1..=64)?;
    if !topic
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    {
        return Err("message.topic is no topic".to_owned());
    }
    // It becomes a header.
    let title = message
        .optional_text("title", 0..=usize::MAX)?
        .unwrap_or_default();
    if title.len() > 1_024 || title.chars().any(char::is_control) {
        return Err("message.title is no title".to_owned());
    }
    let body = message
        .optional_text("message", 0..=usize::MAX)?
        .unwrap_or_default();
    if body.len() > LARGEST {
        return Err(format!("message.message has {} bytes", body.len()));
    }
    message.optional_number("priority", 1..=5)?;
    message.optional_text("click", 1..=2_048)?.map(link).transpose()?;
    for tag in message.list("tags", 0..=10)? {
        text(tag, "message.tags", 1..=50)?;
    }
    // Without `markdown` a message is plain text.
    message.end()?;
    Ok(Shown {
        title: Some(title.to_owned()),
        body: Some(body.to_owned()),
        small: None,
    })
}

#[tokio::test]
async fn ntfy_takes_every_message() {
    takes_every_message(&NTFY).await;
}

#[tokio::test]
async fn ntfy_refuses_what_it_documents() {
    let wide = "\u{1f642}".repeat(1_025);
    refuses(
        &NTFY,
        &ordinary(),
        &[
            (By(Method::GET), "method GET"),
            (Path("/on-call_1"), "there is no"),
            (Header("content-type", None), "content type"),
            (Header("authorization", None), "not authorized"),
            (
                Header("authorization", Some("Basic tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2")),
                "not authorized",
            ),
            (Body("message"), "not JSON"),
            (Without("/topic"), "message.topic is missing"),
            (Set("/topic", json!("on/call")), "no topic"),
            (Set("/topic", json!("x".repeat(65))), "65 characters"),
            (Set("/title", json!("a\nb")), "no title"),
            (Set("/title", json!(1)), "not a text"),
            (Set("/message", json!(wide)), "4100 bytes"),
            (Set("/message", json!("\u{1}".repeat(1_400))), "the request has"),
            (Set("/priority", json!(6)), "not a number"),
            (Set("/priority", json!("high")), "not a number"),
            (Set("/tags", json!("warning")), "not a list"),
            (Set("/tags", json!([1])), "not a text"),
            (Set("/body", json!("x")), "message.body is unknown"),
            (Set("/markdown", json!(true)), "message.markdown is unknown"),
        ],
    )
    .await;
}
