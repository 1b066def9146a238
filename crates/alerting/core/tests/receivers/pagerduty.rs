//! PagerDuty, as documented for the Events API v2: <https://developer.pagerduty.com/docs/send-alert-event>,
//! <https://developer.pagerduty.com/docs/events-api-v2-overview>,
//! <https://github.com/PagerDuty/api-schema/blob/main/reference/events-v2/openapiv3.json>.

use hyper::Method;
use pharos_alerting::delivery::{message::Message, target::Target};
use serde_json::json;

use crate::{
    cases::{alert, ordinary, over},
    lab::{Lab, secret},
    receiver::{
        Change::{Body, Header, Method as By, Path, Set, Without},
        Heard, Receiver, Service, Shown, refuses, takes_every_message,
    },
    rules::{Members, link, moment},
};

/// The bytes of an event: 512 KB.
const LARGEST: usize = 512 * 1_024;

const PAGERDUTY: Service = Service {
    success: 202,
    target: |_| Target::Pagerduty {
        routing_key: secret("e93facc04764012d7bfb002500d5d1a6"),
    },
    judge,
    shows: str::to_owned,
};

fn judge(heard: &Heard) -> Result<Shown, String> {
    heard.authorized(None)?;
    let body = heard.json("/v2/enqueue")?;
    if heard.body.len() > LARGEST {
        return Err(format!("the event has {} bytes", heard.body.len()));
    }
    let mut event = Members::of(&body, "event")?;
    event.text("routing_key", 32..=32)?;
    let action = event.one_of("event_action", &["trigger", "acknowledge", "resolve"])?;
    let shown = if action == "trigger" {
        event.optional_text("dedup_key", 1..=255)?;
        event.optional_text("client", 1..=255)?;
        for place in event.list("links", 0..=10)? {
            let mut place = Members::of(place, "link")?;
            link(place.text("href", 1..=2_048)?)?;
            place.optional_text("text", 1..=255)?;
            place.end()?;
        }
        let mut payload = Members::of(event.required("payload")?, "payload")?;
        let title = payload.text("summary", 1..=1_024)?;
        let small = payload.text("source", 1..=255)?;
        let severity = payload.one_of("severity", &["critical", "warning", "error", "info"])?;
        payload
            .optional_text("timestamp", 1..=40)?
            .map(moment)
            .transpose()?;
        payload.optional_text("component", 1..=255)?;
        // Its members are shown as a table, as they are.
        let mut details = Members::of(payload.required("custom_details")?, "custom_details")?;
        let body = details.text("text", 0..=usize::MAX)?;
        payload.end()?;
        Shown {
            title: Some(title.to_owned()),
            body: Some(body.to_owned()),
            small: Some(format!("{small} \u{b7} {severity}")),
        }
    } else {
        event.text("dedup_key", 1..=255)?;
        Shown::default()
    };
    event.end()?;
    Ok(shown)
}

#[tokio::test]
async fn pagerduty_takes_every_message() {
    takes_every_message(&PAGERDUTY).await;
}

#[tokio::test]
async fn pagerduty_refuses_what_it_documents() {
    refuses(
        &PAGERDUTY,
        &ordinary(),
        &[
            (By(Method::PUT), "method PUT"),
            (Path("/v2/change/enqueue"), "there is no"),
            (Header("content-type", Some("text/json")), "content type"),
            (Header("authorization", Some("Token token=x")), "not authorized"),
            (Body("{\"routing_key\": }"), "not JSON"),
            (Without("/routing_key"), "event.routing_key is missing"),
            (Set("/routing_key", json!("e93facc0")), "8 characters"),
            (Without("/event_action"), "event.event_action is missing"),
            (Set("/event_action", json!("close")), "event.event_action"),
            (Set("/dedup_key", json!("x".repeat(256))), "256 characters"),
            (Without("/payload"), "event.payload is missing"),
            (Without("/payload/summary"), "payload.summary is missing"),
            (Set("/payload/summary", json!("")), "0 characters"),
            (
                Set("/payload/summary", json!("x".repeat(1_025))),
                "1025 characters",
            ),
            (Without("/payload/source"), "payload.source is missing"),
            (Set("/payload/source", json!("")), "0 characters"),
            (Without("/payload/severity"), "payload.severity is missing"),
            (Set("/payload/severity", json!("fatal")), "payload.severity"),
            (Set("/payload/timestamp", json!("today")), "not a moment"),
            (Set("/payload/component", json!(null)), "not a text"),
            (Set("/payload/custom_details", json!("x")), "not an object"),
            (Set("/payload/details", json!({})), "payload.details is unknown"),
            (Set("/description", json!("x")), "event.description is unknown"),
            (
                Set("/payload/custom_details/text", json!("x".repeat(LARGEST))),
                "the event has",
            ),
        ],
    )
    .await;
    refuses(
        &PAGERDUTY,
        &over(),
        &[
            (Without("/dedup_key"), "event.dedup_key is missing"),
            (Set("/payload", json!({})), "event.payload is unknown"),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_end_has_the_key_of_the_beginning() {
    let receiver = Receiver::playing(&PAGERDUTY).await;
    let target = (PAGERDUTY.target)(&receiver.base());
    let sender = Lab::new()
        .permit(receiver.address)
        .services(&receiver.base())
        .sender();
    // That of an alert is the alert's id.
    let (own, told) = (alert().id.to_string(), alert().notification_id.to_string());
    for (about, key) in [(Some(alert()), own), (None, told)] {
        for (case, action) in [(ordinary(), "trigger"), (over(), "resolve")] {
            let message = Message {
                alert: about.clone(),
                ..case.message
            };
            sender.send(&target, &message, crate::lab::NOW).await.unwrap();
            let event = receiver.last().json("/v2/enqueue").unwrap();
            assert_eq!(
                (&event["event_action"], &event["dedup_key"]),
                (&json!(action), &json!(key))
            );
        }
    }
}
