//! Opsgenie, as documented for the Alert API: <https://docs.opsgenie.com/docs/alert-api>,
//! <https://docs.opsgenie.com/docs/alerts-and-alert-fields>,
//! <https://github.com/opsgenie/opsgenie-oas/blob/master/definitions/alert.yaml>.

use hyper::Method;
use pharos_alerting::delivery::{
    message::Message,
    target::{OpsgenieRegion, Target},
};
use serde_json::json;

use crate::{
    cases::{alert, ordinary, over},
    lab::{Lab, NOW, secret},
    receiver::{
        Change::{Body, Header, Method as By, Path, Set, Without},
        Heard, Receiver, Service, Shown, refuses, takes_every_message,
    },
    rules::{Members, link, text},
};

const KEY: &str = "eb243592-faa2-4ba2-a551-1afdf565c889";

const OPSGENIE: Service = Service {
    success: 202,
    target: |_| Target::Opsgenie {
        api_key: secret(KEY),
        region: OpsgenieRegion::Eu,
    },
    judge,
    shows: |text| text.replace('<', "\u{2039}").replace('>', "\u{203a}"),
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(Some(&format!("GenieKey {KEY}")))?;
    match closed(&heard.path) {
        Some(alias) if !alias.is_empty() && alias.len() <= 512 => close(heard),
        _ => create(heard),
    }
}

/// The alias of the alert that a path closes.
fn closed(path: &str) -> Option<&str> {
    path.strip_prefix("/v2/alerts/")?
        .strip_suffix("/close?identifierType=alias")
}

fn close(heard: &Heard) -> Result<Shown, String> {
    let body = heard.json(&heard.path)?;
    let mut action = Members::of(&body, "action")?;
    action.optional_text("source", 1..=100)?;
    action.optional_text("user", 1..=100)?;
    let note = action.optional_text("note", 0..=25_000)?.map(plain).transpose()?;
    action.end()?;
    let (title, body) = note.as_deref().and_then(|note| note.split_once('\n')).unzip();
    Ok(Shown {
        title: title.map(str::to_owned),
        body: body.map(str::to_owned),
        small: None,
    })
}

fn create(heard: &Heard) -> Result<Shown, String> {
    let body = heard.json("/v2/alerts")?;
    let mut alert = Members::of(&body, "alert")?;
    let title = alert.text("message", 1..=130)?;
    alert.optional_text("alias", 1..=512)?;
    let description = alert
        .optional_text("description", 0..=15_000)?
        .unwrap_or_default();
    alert.optional_one_of("priority", &["P1", "P2", "P3", "P4", "P5"])?;
    alert.optional_text("source", 1..=100)?;
    alert.optional_text("entity", 0..=512)?;
    // Its members are texts, 8,000 characters together.
    if let Some(details) = alert.optional("details") {
        let mut details = Members::of(details, "details")?;
        details.optional_text("link", 1..=8_000)?.map(link).transpose()?;
        details.end()?;
    }
    for tag in alert.list("tags", 0..=20)? {
        text(tag, "alert.tags", 1..=50)?;
    }
    alert.end()?;
    Ok(Shown {
        title: Some(plain(title)?),
        body: Some(plain(description)?),
        small: None,
    })
}

/// Opsgenie shows HTML in some places. A message of ours has none.
fn plain(text: &str) -> Result<String, String> {
    match text.contains(['<', '>']) {
        true => Err("HTML is shown".to_owned()),
        false => Ok(text.to_owned()),
    }
}

#[tokio::test]
async fn opsgenie_takes_every_message() {
    takes_every_message(&OPSGENIE).await;
}

#[tokio::test]
async fn opsgenie_refuses_what_it_documents() {
    refuses(
        &OPSGENIE,
        &ordinary(),
        &[
            (By(Method::PATCH), "method PATCH"),
            (Path("/v1/alerts"), "there is no"),
            (Path("/v2/alerts//close?identifierType=alias"), "there is no"),
            (Header("content-type", None), "content type"),
            (Header("authorization", None), "not authorized"),
            (
                Header(
                    "authorization",
                    Some("Bearer eb243592-faa2-4ba2-a551-1afdf565c889"),
                ),
                "not authorized",
            ),
            (Body("\""), "not JSON"),
            (Without("/message"), "alert.message is missing"),
            (Set("/message", json!("")), "0 characters"),
            (Set("/message", json!("x".repeat(131))), "131 characters"),
            (Set("/message", json!("<b>x</b>")), "HTML"),
            (Set("/alias", json!("x".repeat(513))), "513 characters"),
            (Set("/description", json!("x".repeat(15_001))), "15001 characters"),
            (Set("/description", json!(null)), "not a text"),
            (Set("/priority", json!("P0")), "alert.priority"),
            (Set("/source", json!("x".repeat(101))), "101 characters"),
            (Set("/entity", json!("x".repeat(513))), "513 characters"),
            (Set("/tags", json!(vec!["x"; 21])), "21 values"),
            (Set("/tags", json!(["x".repeat(51)])), "51 characters"),
            (Set("/title", json!("x")), "alert.title is unknown"),
        ],
    )
    .await;
    refuses(
        &OPSGENIE,
        &over(),
        &[
            (By(Method::DELETE), "method DELETE"),
            (Path("/v2/alerts/x/close"), "there is no"),
            (Set("/note", json!("x".repeat(25_001))), "25001 characters"),
            (Set("/note", json!("<i>")), "HTML"),
            (Set("/alias", json!("x")), "action.alias is unknown"),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_alert_that_was_created_is_closed() {
    let receiver = Receiver::playing(&OPSGENIE).await;
    let target = (OPSGENIE.target)(&receiver.base());
    let sender = Lab::new()
        .permit(receiver.address)
        .services(&receiver.base())
        .sender();
    // Its alias is the id of the alert that it tells of.
    let (own, told) = (alert().id.to_string(), alert().notification_id.to_string());
    for (about, alias) in [(Some(alert()), own), (None, told)] {
        let of = |message: Message| Message {
            alert: about.clone(),
            ..message
        };
        sender.send(&target, &of(ordinary().message), NOW).await.unwrap();
        let created = receiver.last().json("/v2/alerts").unwrap();
        assert_eq!(created["alias"], json!(alias));
        sender.send(&target, &of(over().message), NOW).await.unwrap();
        assert_eq!(closed(&receiver.last().path), Some(&*alias));
    }
}
