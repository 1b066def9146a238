//! Telegram, as documented for the Bot API: <https://core.telegram.org/bots/api#making-requests>,
//! <https://core.telegram.org/bots/api#sendmessage>, <https://core.telegram.org/bots/api#html-style>.

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
    rules::{Members, link},
};

const TOKEN: &str = "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11";
const PATH: &str = "/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/sendMessage";
/// The characters of a message, its markup not counted.
const LONGEST: usize = 4_096;

const TELEGRAM: Service = Service {
    success: 200,
    target: |_| Target::Telegram {
        bot_token: secret(TOKEN),
        chat_id: "-1001234567890".to_owned(),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    let body = heard.json(PATH)?;
    let mut message = Members::of(&body, "message")?;
    let chat = message.text("chat_id", 1..=255)?;
    if chat.parse::<i64>().is_err() && !chat.starts_with('@') {
        return Err("chat not found".to_owned());
    }
    let text = message.text("text", 1..=usize::MAX)?;
    message.one_of("parse_mode", &["HTML"])?;
    if let Some(preview) = message.optional("link_preview_options") {
        let mut preview = Members::of(preview, "link_preview_options")?;
        preview.optional_bool("is_disabled")?;
        preview.end()?;
    }
    message.end()?;
    let pieces = pieces(text)?;
    let length: usize = pieces.iter().map(|(_, text)| text.chars().count()).sum();
    if !(1..=LONGEST).contains(&length) {
        return Err(format!("the text has {length} characters"));
    }
    // The headline is bold, the small print is italic, and nothing else has markup.
    let tags: Vec<_> = pieces.iter().map(|(tag, _)| tag.as_str()).collect();
    // There may be a link at its end.
    let (["b", "", "i"] | ["b", "", "i", "", "a"]) = tags.as_slice() else {
        return Err(format!("other markup is shown: {tags:?}"));
    };
    let [(_, title), (_, body), (_, small), ..] = pieces.as_slice() else {
        unreachable!("there are as many pieces as tags");
    };
    Ok(Shown {
        title: Some(title.clone()),
        body: Some(body.trim_matches('\n').to_owned()),
        small: Some(small.clone()),
    })
}

/// The text in pieces, each with the tag that it stands in. Tags that stand in others are more than this player knows.
fn pieces(html: &str) -> Result<Vec<(String, String)>, String> {
    let (mut pieces, mut open, mut rest) = (Vec::new(), String::new(), html);
    let mut piece = String::new();
    while let Some(c) = rest.chars().next() {
        match c {
            '<' => {
                let (tag, after) = rest[1..].split_once('>').ok_or("a tag has no end")?;
                let target = tag
                    .strip_prefix("a href=\"")
                    .and_then(|tag| tag.strip_suffix('"'));
                let tag = if let Some(target) = target {
                    link(target)?;
                    "a"
                } else {
                    tag
                };
                if !piece.is_empty() || !open.is_empty() {
                    pieces.push((open.clone(), std::mem::take(&mut piece)));
                }
                open = match tag.strip_prefix('/') {
                    Some(closed) if closed == open => String::new(),
                    Some(closed) => return Err(format!("the tag {closed} is closed, but not open")),
                    None if !open.is_empty() => return Err(format!("a tag stands in {open}")),
                    None if target.is_some() || ["b", "i", "u", "s", "code", "pre"].contains(&tag) => {
                        tag.to_owned()
                    }
                    None => return Err(format!("the tag {tag} is not supported")),
                };
                rest = after;
            }
            '&' => {
                let (name, after) = rest[1..].split_once(';').ok_or("an entity has no end")?;
                piece.push(match name {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    name => return Err(format!("the entity {name:.10} is not supported")),
                });
                rest = after;
            }
            '>' => return Err("a character of markup stands in the text".to_owned()),
            c => {
                piece.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !open.is_empty() {
        return Err(format!("the tag {open} is not closed"));
    }
    if !piece.is_empty() {
        pieces.push((open, piece));
    }
    Ok(pieces)
}

#[tokio::test]
async fn telegram_takes_every_message() {
    takes_every_message(&TELEGRAM).await;
}

#[tokio::test]
async fn telegram_refuses_what_it_documents() {
    let text = |text: &str| Set("/text", json!(text));
    refuses(
        &TELEGRAM,
        &ordinary(),
        &[
            (By(Method::DELETE), "method DELETE"),
            (Path("/bot123456:other/sendMessage"), "there is no"),
            (
                Path("/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/sendmessages"),
                "there is no",
            ),
            (Header("content-type", None), "content type"),
            (Header("authorization", Some("Bearer x")), "not authorized"),
            (Body(""), "not JSON"),
            (Without("/chat_id"), "message.chat_id is missing"),
            (Set("/chat_id", json!("shop")), "chat not found"),
            (Without("/text"), "message.text is missing"),
            (Set("/parse_mode", json!("Html5")), "message.parse_mode"),
            (Set("/link_preview_options", json!(false)), "not an object"),
            (
                Set("/link_preview_options/is_disabled", json!("yes")),
                "not a boolean",
            ),
            (Set("/disable_web_page_preview", json!(true)), "is unknown"),
            (text(""), "0 characters"),
            (text("<b></b>"), "the text has 0 characters"),
            (text(&"x".repeat(4_097)), "4097 characters"),
            (text("<b>a"), "b is not closed"),
            (text("<b>a</i>"), "i is closed, but not open"),
            (text("<script>a</script>"), "script is not supported"),
            (text("a < b"), "no end"),
            (text("a > b"), "markup stands in the text"),
            (text("a & b"), "an entity has no end"),
            (text("a &apos; b"), "apos is not supported"),
            (text("<b>a</b>b<u>c</u>d<i>e</i>"), "other markup is shown"),
        ],
    )
    .await;
}
