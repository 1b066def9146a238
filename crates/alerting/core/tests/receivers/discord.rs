//! Discord, as documented for webhooks, embeds, mentions and markup:
//! <https://discord.com/developers/docs/resources/webhook#execute-webhook>,
//! <https://discord.com/developers/docs/resources/message#embed-object-embed-limits>,
//! <https://discord.com/developers/docs/resources/message#allowed-mentions-object>,
//! <https://github.com/discord/discord-api-spec/blob/main/specs/openapi.json> (IncomingWebhookRequestPartial),
//! <https://support.discord.com/hc/en-us/articles/210298617-Markdown-Text-101>.

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
    rules::{Members, link, moment},
};

const PATH: &str = "/api/webhooks/1023456789012345678/aB-c_dEf";
/// The characters of all texts of all embeds.
const ALL_EMBEDS: usize = 6_000;

const DISCORD: Service = Service {
    success: 204,
    target: |base| Target::Discord {
        url: secret(format!("{base}{PATH}")),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    if heard.header("user-agent").is_none_or(str::is_empty) {
        return Err("there is no user agent".to_owned());
    }
    let body = heard.json(PATH)?;
    let mut message = Members::of(&body, "message")?;
    // Discord takes other mentions. A message of ours makes none.
    let mut mentions = Members::of(message.required("allowed_mentions")?, "allowed_mentions")?;
    mentions.list("parse", 0..=0)?;
    mentions.end()?;
    let embeds = message.list("embeds", 1..=10)?;
    message.end()?;
    let [embed] = embeds else {
        return Err("more embeds than this player knows".to_owned());
    };
    let mut embed = Members::of(embed, "embed")?;
    let title = embed.optional_text("title", 0..=256)?.unwrap_or_default();
    let description = embed.optional_text("description", 0..=4_096)?.unwrap_or_default();
    embed.optional_number("color", 0..=0xff_ffff)?;
    embed.optional_text("url", 1..=2_048)?.map(link).transpose()?;
    embed
        .optional_text("timestamp", 1..=40)?
        .map(moment)
        .transpose()?;
    let mut footer = Members::of(embed.required("footer")?, "footer")?;
    let small = footer.text("text", 1..=2_048)?;
    footer.end()?;
    embed.end()?;
    let total: usize = [title, description, small]
        .iter()
        .map(|text| text.chars().count())
        .sum();
    if total > ALL_EMBEDS {
        return Err(format!("the embeds have {total} characters"));
    }
    Ok(Shown {
        title: Some(shown(title)?),
        body: Some(shown(description)?),
        // A footer has no markup.
        small: Some(small.to_owned()),
    })
}

/// The text as people read it. Any markup in it is refused, which Discord would show.
fn shown(text: &str) -> Result<String, String> {
    let lines: Result<Vec<String>, String> = text.split('\n').map(line).collect();
    Ok(lines?.join("\n"))
}

fn line(line: &str) -> Result<String, String> {
    let begin = line.trim_start();
    let after_number = begin.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < begin.len() && after_number.starts_with(". ");
    if is_numbered || begin.starts_with("- ") {
        return Err(format!("a list is shown: {line}"));
    }
    let (mut plain, mut bare) = (String::new(), String::new());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            // Any mark may be escaped.
            '\\' => match rest.next() {
                Some(c) if c.is_ascii_punctuation() => {
                    plain.push(c);
                    bare.push('\u{0}');
                }
                _ => return Err(format!("an escape is shown: {line}")),
            },
            '*' | '_' | '~' | '`' | '|' | '<' | '>' | '[' | ']' | '(' | ')' | '#' | '@' => {
                return Err(format!("markup is shown: {line}"));
            }
            c => {
                plain.push(c);
                bare.push(c);
            }
        }
    }
    let is_emoji = bare.split(':').skip(1).any(|name| {
        // There is another colon after it.
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric())
            && bare.contains(&format!(":{name}:"))
    });
    if is_emoji || bare.contains("://") {
        return Err(format!("an emoji or a link is shown: {line}"));
    }
    Ok(plain)
}

#[tokio::test]
async fn discord_takes_every_message() {
    takes_every_message(&DISCORD).await;
}

#[tokio::test]
async fn discord_refuses_what_it_documents() {
    let description = |text: &str| Set("/embeds/0/description", json!(text));
    refuses(
        &DISCORD,
        &ordinary(),
        &[
            (By(Method::PATCH), "method PATCH"),
            (Path("/api/webhooks/1023456789012345678"), "there is no"),
            (
                Header("content-type", Some("multipart/form-data")),
                "content type",
            ),
            (Header("authorization", Some("Bot x")), "not authorized"),
            (Header("user-agent", None), "no user agent"),
            (Body("{}}"), "not JSON"),
            (Without("/allowed_mentions"), "allowed_mentions is missing"),
            (
                Set("/allowed_mentions", json!({})),
                "allowed_mentions.parse is missing",
            ),
            (
                Set("/allowed_mentions/parse", json!(["everyone"])),
                "has 1 values",
            ),
            (
                Set("/allowed_mentions/users", json!(["1"])),
                "allowed_mentions.users is unknown",
            ),
            (Without("/embeds"), "message.embeds is missing"),
            (Set("/embeds", json!([])), "has 0 values"),
            (Set("/embeds", json!("x")), "not a list"),
            (Set("/text", json!("x")), "message.text is unknown"),
            (Set("/embeds/0/title", json!("x".repeat(257))), "257 characters"),
            (description(&"x".repeat(4_097)), "4097 characters"),
            (
                Set("/embeds/0/footer/text", json!("x".repeat(2_049))),
                "2049 characters",
            ),
            (Set("/embeds/0/footer", json!("x")), "footer is not an object"),
            (Set("/embeds/0/color", json!(0x100_0000)), "not a number"),
            (Set("/embeds/0/color", json!("#ffffff")), "not a number"),
            (Set("/embeds/0/timestamp", json!("now")), "not a moment"),
            (Set("/embeds/0/text", json!("x")), "embed.text is unknown"),
            (description("a *b*"), "markup is shown"),
            (description("<@1>"), "markup is shown"),
            (description("a\n- b"), "a list is shown"),
            (description("1. b"), "a list is shown"),
            (description("https://a.example"), "a link is shown"),
            (description("is :fire: here"), "an emoji"),
            (description("a\\b"), "an escape is shown"),
        ],
    )
    .await;
}
#[tokio::test]
async fn discord_counts_the_characters_of_all_texts() {
    let long = json!([{
        "title": "x".repeat(256), "description": "x".repeat(4_096), "footer": { "text": "x".repeat(2_000) },
    }]);
    refuses(
        &DISCORD,
        &ordinary(),
        &[(Set("/embeds", long), "6352 characters")],
    )
    .await;
}
