//! Webhooks, as a receiver by the Standard Webhooks specification checks them:
//! <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use pharos_alerting::delivery::target::{PreviousSecret, Target};
use ring::hmac;
use serde_json::json;
use time::Duration;

use crate::{
    cases::{self, ordinary, test},
    lab::{Lab, NOW, secret},
    receiver::{
        Change::{Body, Header, Path},
        Heard, Receiver, Service, Shown, refuses, takes_every_message,
    },
    rules::{Members, moment},
};

const PATH: &str = "/hooks/pharos?key=a%20b";
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BEFORE: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

const WEBHOOK: Service = Service {
    success: 204,
    target: |base| target(&format!("{base}{PATH}"), NOW - Duration::SECOND),
    judge,
    shows: str::to_owned,
};

/// A webhook whose secret was rotated: the one before signs until then.
fn target(url: &str, until: time::OffsetDateTime) -> Target {
    let signing = |value| serde_json::from_value(json!(value)).unwrap();
    Target::Webhook {
        url: secret(url),
        secret: signing(SECRET),
        previous: Some(PreviousSecret {
            secret: signing(BEFORE),
            until,
        }),
    }
}

/// Whether one of the signatures is that of what was received, by this secret.
fn verifies(heard: &Heard, secret: &str) -> bool {
    let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let header = |name| heard.header(name).unwrap_or_default();
    let mut content = Vec::new();
    for part in [header("webhook-id"), header("webhook-timestamp")] {
        content.extend_from_slice(part.as_bytes());
        content.push(b'.');
    }
    content.extend_from_slice(&heard.body);
    let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
    header("webhook-signature").split(' ').any(|signature| {
        let tag = signature
            .strip_prefix("v1,")
            .and_then(|tag| BASE64.decode(tag).ok());
        tag.is_some_and(|tag| hmac::verify(&key, &content, &tag).is_ok())
    })
}

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    let body = heard.json(PATH)?;
    if !verifies(heard, SECRET) {
        return Err("no signature verifies".to_owned());
    }
    let sent: i64 = heard
        .header("webhook-timestamp")
        .and_then(|seconds| seconds.parse().ok())
        .ok_or("the time is none")?;
    if (NOW.unix_timestamp() - sent).abs() > 300 {
        return Err("the time is too far off".to_owned());
    }
    let mut event = Members::of(&body, "event")?;
    let types = ["notification.created", "notification.resolved", "test"];
    let kind = event.one_of("type", &types)?;
    moment(event.text("timestamp", 1..=40)?)?;
    let mut data = Members::of(event.required("data")?, "data")?;
    event.end()?;
    data.required("title")?;
    data.required("body")?;
    data.text("workspace_id", 36..=36)?;
    data.text("workspace_name", 0..=usize::MAX)?;
    data.one_of("severity", &["critical", "warning", "info"])?;
    Members::of(data.required("data")?, "data.data")?;
    moment(data.text("created_at", 1..=40)?)?;
    // Facts that a message has not are null.
    for name in ["id", "type", "module", "domain_id", "domain_name", "resolved_at"] {
        let value = data.required(name)?;
        if !value.is_string() && !value.is_null() {
            return Err(format!("data.{name} is not a text"));
        }
        if name == "resolved_at" && value.is_null() == (kind == "notification.resolved") {
            return Err("data.resolved_at is not there at the end alone".to_owned());
        }
    }
    data.end()?;
    // Programs read the texts as they are.
    Ok(Shown::default())
}

#[tokio::test]
async fn a_webhook_takes_every_message() {
    takes_every_message(&WEBHOOK).await;
}

#[tokio::test]
async fn a_webhook_refuses_what_is_not_signed() {
    refuses(
        &WEBHOOK,
        &ordinary(),
        &[
            (Path("/hooks/pharos"), "there is no"),
            (Header("content-type", None), "content type"),
            (Header("webhook-id", None), "no signature verifies"),
            (Header("webhook-id", Some("other")), "no signature verifies"),
            (
                Header("webhook-timestamp", Some("1768046431")),
                "no signature verifies",
            ),
            (Header("webhook-signature", None), "no signature verifies"),
            (
                Header("webhook-signature", Some("v1,AAAA")),
                "no signature verifies",
            ),
            (Body("{}"), "no signature verifies"),
        ],
    )
    .await;
}

#[tokio::test]
async fn texts_arrive_as_they_are() {
    let receiver = Receiver::playing(&WEBHOOK).await;
    let sender = Lab::new().permit(receiver.address).sender();
    let target = (WEBHOOK.target)(&receiver.base());
    for case in cases::all() {
        sender.send(&target, &case.message, NOW).await.unwrap();
        let data = receiver.last().json(PATH).unwrap()["data"].clone();
        assert!(data["title"] == case.message.title, "{}", case.name);
        assert!(data["body"] == case.message.body, "{}", case.name);
    }
}

#[tokio::test]
async fn both_secrets_sign_while_a_rotation_lasts() {
    let receiver = Receiver::start(|_| (200, String::new())).await;
    let sender = Lab::new().permit(receiver.address).sender();
    for (until, signs) in [(NOW + Duration::SECOND, true), (NOW, false)] {
        let target = target(&receiver.base(), until);
        sender.send(&target, &test(), NOW).await.unwrap();
        let heard = receiver.last();
        assert!(verifies(&heard, SECRET));
        assert_eq!(verifies(&heard, BEFORE), signs);
    }
}

/// Receivers tell a repetition by its id. Its time is that of the attempt.
#[tokio::test]
async fn another_attempt_has_the_same_id_and_a_signature_of_its_own() {
    let receiver = Receiver::start(|_| (500, String::new())).await;
    let sender = Lab::new().permit(receiver.address).sender();
    let target = target(&receiver.base(), NOW);
    let mut attempts = Vec::new();
    for now in [NOW, NOW + Duration::HOUR] {
        assert!(sender.send(&target, &test(), now).await.is_err());
        let heard = receiver.last();
        assert!(verifies(&heard, SECRET));
        let header = |name| heard.header(name).map(str::to_owned);
        attempts.push((
            header("webhook-id"),
            heard.body.clone(),
            header("webhook-timestamp"),
        ));
    }
    let [first, second] = attempts.as_slice() else {
        unreachable!("there were two attempts");
    };
    assert_eq!((&first.0, &first.1), (&second.0, &second.1));
    assert_ne!(first.2, second.2);
}
