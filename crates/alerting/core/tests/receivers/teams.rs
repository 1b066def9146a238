//! Microsoft Teams, as documented for workflows and for Adaptive Cards 1.4:
//! <https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook>,
//! <https://github.com/microsoft/AdaptiveCards/blob/main/schemas/1.4.0/adaptive-card.json>,
//! <https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format> (the width).
//!
//! An empty text is refused by the parsers of some clients ("Property is required but was found empty"):
//! <https://github.com/microsoft/AdaptiveCards/blob/main/source/shared/cpp/ObjectModel/ParseUtil.cpp>.

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

const PATH: &str =
    "/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers&sig=AbC-d_E";
/// The bytes of a message: 28 KB.
const LARGEST: usize = 28 * 1_024;
const COLORS: [&str; 7] = [
    "default",
    "dark",
    "light",
    "accent",
    "good",
    "warning",
    "attention",
];
const SIZES: [&str; 5] = ["default", "small", "medium", "large", "extralarge"];
const WEIGHTS: [&str; 3] = ["default", "lighter", "bolder"];

const TEAMS: Service = Service {
    success: 202,
    target: |base| Target::Teams {
        url: secret(format!("{base}{PATH}")),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    let body = heard.json(PATH)?;
    if heard.body.len() > LARGEST {
        return Err(format!("the message has {} bytes", heard.body.len()));
    }
    let mut message = Members::of(&body, "message")?;
    message.one_of("type", &["message"])?;
    let attachments = message.list("attachments", 1..=1)?;
    message.end()?;
    let mut attachment = Members::of(&attachments[0], "attachment")?;
    attachment.one_of("contentType", &["application/vnd.microsoft.card.adaptive"])?;
    if attachment
        .optional("contentUrl")
        .is_some_and(|url| !url.is_null())
    {
        return Err("attachment.contentUrl is not null".to_owned());
    }
    let card = attachment.required("content")?;
    attachment.end()?;
    let mut card = Members::of(card, "card")?;
    card.one_of("type", &["AdaptiveCard"])?;
    card.one_of("version", &["1.0", "1.1", "1.2", "1.3", "1.4"])?;
    card.optional_text("$schema", 1..=2_048)?;
    if let Some(teams) = card.optional("msteams") {
        let mut teams = Members::of(teams, "msteams")?;
        teams.one_of("width", &["Full"])?;
        teams.end()?;
    }
    let blocks = card.list("body", 0..=usize::MAX)?;
    for action in card.list("actions", 0..=6)? {
        let mut action = Members::of(action, "action")?;
        action.one_of("type", &["Action.OpenUrl"])?;
        action.optional_text("title", 1..=100)?;
        link(action.text("url", 1..=2_048)?)?;
        action.end()?;
    }
    card.end()?;
    let texts: Vec<String> = blocks.iter().map(block).collect::<Result<_, _>>()?;
    let [title, between @ .., small] = texts.as_slice() else {
        return Err("the card has less than a title and small print".to_owned());
    };
    Ok(Shown {
        title: Some(title.clone()),
        body: Some(between.concat()),
        small: Some(small.clone()),
    })
}

/// A block with text. The elements of other types have markup, which a message of ours never has.
fn block(value: &Value) -> Result<String, String> {
    let mut block = Members::of(value, "block")?;
    block.one_of("type", &["RichTextBlock"])?;
    let inlines = block.list("inlines", 1..=usize::MAX)?;
    block.end()?;
    inlines.iter().map(run).collect()
}

fn run(value: &Value) -> Result<String, String> {
    let mut run = Members::of(value, "run")?;
    run.one_of("type", &["TextRun"])?;
    let text = run.text("text", 1..=usize::MAX)?;
    // Words are compared without regard to case.
    for (name, words) in [("color", &COLORS[..]), ("size", &SIZES), ("weight", &WEIGHTS)] {
        if let Some(word) = run.optional_text(name, 1..=20)?
            && !words.contains(&word.to_ascii_lowercase().as_str())
        {
            return Err(format!("run.{name} is none of {words:?}"));
        }
    }
    run.optional_bool("isSubtle")?;
    run.end()?;
    Ok(text.to_owned())
}

#[tokio::test]
async fn teams_takes_every_message() {
    takes_every_message(&TEAMS).await;
}

#[tokio::test]
async fn teams_refuses_what_it_documents() {
    refuses(
        &TEAMS,
        &ordinary(),
        &[
            (By(Method::GET), "method GET"),
            (
                Path("/workflows/0a1b/triggers/manual/paths/invoke"),
                "there is no",
            ),
            (Header("content-type", None), "content type"),
            (Header("authorization", Some("Bearer x")), "not authorized"),
            (Body("null"), "message is not an object"),
            (Set("/type", json!("MessageCard")), "message.type"),
            (Without("/attachments"), "message.attachments is missing"),
            (Set("/attachments", json!(null)), "not a list"),
            (Set("/text", json!("x")), "message.text is unknown"),
            (
                Set("/attachments/0/contentType", json!("application/json")),
                "contentType",
            ),
            (
                Set("/attachments/0/contentUrl", json!("https://a.example")),
                "contentUrl",
            ),
            (Without("/attachments/0/content"), "attachment.content is missing"),
            (Set("/attachments/0/content/type", json!("HeroCard")), "card.type"),
            (
                Set("/attachments/0/content/version", json!("1.5")),
                "card.version",
            ),
            (
                Without("/attachments/0/content/version"),
                "card.version is missing",
            ),
            (
                Set("/attachments/0/content/msteams", json!({ "width": "Wide" })),
                "msteams.width",
            ),
            (
                Set("/attachments/0/content/title", json!("x")),
                "card.title is unknown",
            ),
            (
                Set("/attachments/0/content/body/0/type", json!("TextBlock")),
                "block.type",
            ),
            (
                Without("/attachments/0/content/body/0/inlines"),
                "block.inlines is missing",
            ),
            (
                Set("/attachments/0/content/body/0/text", json!("x")),
                "block.text is unknown",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/text", json!("")),
                "0 characters",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/text", json!(1)),
                "not a text",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/color", json!("Red")),
                "run.color",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/size", json!("Huge")),
                "run.size",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/weight", json!("Bold")),
                "run.weight",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/isSubtle", json!(1)),
                "not a boolean",
            ),
            (
                Set("/attachments/0/content/body/0/inlines/0/wrap", json!(true)),
                "run.wrap is unknown",
            ),
            (
                Set(
                    "/attachments/0/content/body/0/inlines/0/text",
                    json!("x".repeat(LARGEST)),
                ),
                "the message has",
            ),
        ],
    )
    .await;
}
