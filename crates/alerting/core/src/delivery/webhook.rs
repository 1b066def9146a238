//! Webhooks by the Standard Webhooks specification, version 1: <https://www.standardwebhooks.com>.

use http::{HeaderName, HeaderValue};
use pharos_domain::{
    ids::{DomainId, NotificationId, WorkspaceId},
    module::Module,
    timestamp::Timestamp,
};
use serde::Serialize;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use url::Url;

use super::{
    message::{DeliveryEvent, Message},
    post::Post,
    send_error::SendError,
    signing_secret::SigningSecret,
    target::PreviousSecret,
};
use crate::{alert::Alert, notification::NotificationType, severity::Severity};

/// An alert as the API shows it in its history, without what changes after the event.
pub type AlertJson = fn(Alert) -> Value;

/// The body of a webhook: the event and its data, as the specification recommends.
#[derive(Serialize)]
struct Body<'a> {
    r#type: &'static str,
    timestamp: Timestamp,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Data<'a> {
    Alert(Value),
    Notification(NotificationData<'a>),
}

#[derive(Serialize)]
struct NotificationData<'a> {
    id: Option<NotificationId>,
    r#type: Option<NotificationType>,
    severity: Severity,
    module: Option<Module>,
    workspace_id: WorkspaceId,
    workspace_name: &'a str,
    domain_id: Option<DomainId>,
    domain_name: Option<&'a str>,
    title: &'a str,
    body: &'a str,
    data: &'a Map<String, Value>,
    created_at: Timestamp,
    resolved_at: Option<Timestamp>,
}

/// The request that delivers a message, signed at `now`.
pub(super) fn post(
    url: Url,
    secret: &SigningSecret,
    previous: Option<&PreviousSecret>,
    message: &Message,
    alert_json: AlertJson,
    now: OffsetDateTime,
) -> Result<Post, SendError> {
    let body = serde_json::to_vec(&body(message, alert_json))
        .map_err(|_| SendError::never("the message has no form in JSON"))?;
    let (id, timestamp) = (message.id.to_string(), now.unix_timestamp().to_string());
    let previous = previous.filter(|previous| previous.until > now);
    let secrets = [Some(secret), previous.map(|previous| &previous.secret)];
    let signature = signatures(secrets.into_iter().flatten(), &id, &timestamp, &body)
        .ok_or_else(|| SendError::never("the channel's secret is not one of the specification: rotate it"))?;
    let mut post = Post::new(url, body);
    for (name, value) in [
        ("webhook-id", id),
        ("webhook-timestamp", timestamp),
        ("webhook-signature", signature),
    ] {
        let value =
            HeaderValue::try_from(value).map_err(|_| SendError::never("a header can't be written"))?;
        post.headers.push((HeaderName::from_static(name), value));
    }
    Ok(post)
}

/// The signatures of what is sent, by each secret.
fn signatures<'a>(
    secrets: impl Iterator<Item = &'a SigningSecret>,
    id: &str,
    timestamp: &str,
    body: &[u8],
) -> Option<String> {
    let content = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
    let signatures: Option<Vec<String>> = secrets.map(|secret| secret.sign(&content)).collect();
    Some(signatures?.join(" "))
}

fn body(message: &Message, alert_json: AlertJson) -> Body<'_> {
    let (r#type, data) = match (&message.alert, message.event) {
        (Some(alert), DeliveryEvent::Resolved) => ("alert.resolved", Data::Alert(alert_json(alert.clone()))),
        (Some(alert), _) => ("alert.fired", Data::Alert(alert_json(alert.clone()))),
        (None, DeliveryEvent::Raised) => ("notification.created", notification(message)),
        (None, DeliveryEvent::Resolved) => ("notification.resolved", notification(message)),
        (None, DeliveryEvent::Test) => ("test", notification(message)),
    };
    Body {
        r#type,
        timestamp: message.at().into(),
        data,
    }
}

fn notification(message: &Message) -> Data<'_> {
    let (domain_id, domain_name) = message
        .domain
        .as_ref()
        .map(|(id, name)| (*id, name.as_str()))
        .unzip();
    Data::Notification(NotificationData {
        id: message.notification_id,
        r#type: message.kind,
        severity: message.severity,
        module: message.module,
        workspace_id: message.workspace_id,
        workspace_name: &message.workspace_name,
        domain_id,
        domain_name,
        title: &message.title,
        body: &message.body,
        data: &message.data,
        created_at: message.created_at.into(),
        resolved_at: message.resolved_at.map(Into::into),
    })
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::delivery::message::fixture::firing;

    fn known() -> SigningSecret {
        serde_json::from_value("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into()).unwrap()
    }

    /// The vector of the reference libraries, <https://github.com/standard-webhooks/standard-webhooks>.
    #[test]
    fn the_signature_is_that_of_the_reference_libraries() {
        let signature = signatures(
            [&known()].into_iter(),
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(
            signature.as_deref(),
            Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        );
    }

    #[test]
    fn the_secret_before_signs_until_its_end() {
        let now = datetime!(2026-01-10 12:00 UTC);
        let url = || Url::parse("https://shop.example/hook").unwrap();
        let previous = PreviousSecret {
            secret: known(),
            until: now + Duration::SECOND,
        };
        let signed = |at| {
            let post = post(
                url(),
                &SigningSecret::generate().unwrap(),
                Some(&previous),
                &firing(),
                |_| Value::Null,
                at,
            )
            .unwrap();
            let (_, value) = post
                .headers
                .into_iter()
                .find(|(name, _)| name == "webhook-signature")
                .unwrap();
            value.to_str().unwrap().split(' ').count()
        };
        assert_eq!((signed(now), signed(previous.until)), (2, 1));
    }

    #[test]
    fn a_secret_that_is_none_is_said_so() {
        let broken: SigningSecret = serde_json::from_value("whsec_%".into()).unwrap();
        let url = Url::parse("https://shop.example/hook").unwrap();
        let error = post(
            url,
            &broken,
            None,
            &firing(),
            |_| Value::Null,
            datetime!(2026-01-10 12:00 UTC),
        )
        .err()
        .unwrap();
        assert!(error.why.contains("rotate it"), "{error}");
    }
}
