//! Webhooks by the Standard Webhooks specification, version 1: <https://www.standardwebhooks.com>.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use http::{HeaderName, HeaderValue};
use pharos_domain::{
    ids::{DomainId, NotificationId, WorkspaceId},
    module::Module,
    secret::Secret,
    timestamp::Timestamp,
};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;
use time::OffsetDateTime;
use url::Url;

use super::{
    message::{Event, Message},
    post::Post,
    send_error::SendError,
    target::PreviousSecret,
};
use crate::{alert::Alert, notification::NotificationType, severity::Severity};

/// The prefix of secrets that sign by HMAC with SHA-256.
const PREFIX: &str = "whsec_";
/// The bytes of a new secret; the specification asks for 24 to 64.
const SECRET_BYTES: usize = 32;

/// A secret that signs webhooks: `whsec_`, then its bytes in base64.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SigningSecret(Secret);

/// The system has no random numbers.
#[derive(Clone, Copy, Debug, Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

impl SigningSecret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = [0; SECRET_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(Secret::from(format!("{PREFIX}{}", BASE64.encode(bytes)))))
    }

    /// The secret, as it is shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// The signature of the signed content; `None`: this is no secret of the specification.
    fn sign(&self, content: &[u8]) -> Option<String> {
        let key = BASE64.decode(self.reveal().strip_prefix(PREFIX)?).ok()?;
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), content);
        Some(format!("v1,{}", BASE64.encode(tag)))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An alert as the API shows it in its history.
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
        (Some(alert), Event::Resolved) => ("alert.resolved", Data::Alert(alert_json(alert.clone()))),
        (Some(alert), _) => ("alert.fired", Data::Alert(alert_json(alert.clone()))),
        (None, Event::Raised) => ("notification.created", notification(message)),
        (None, Event::Resolved) => ("notification.resolved", notification(message)),
        (None, Event::Test) => ("test", notification(message)),
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
        SigningSecret(Secret::from("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned()))
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
        let broken = SigningSecret(Secret::from("whsec_%".to_owned()));
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

    #[test]
    fn each_secret_is_another() {
        let (one, other) = (
            SigningSecret::generate().unwrap(),
            SigningSecret::generate().unwrap(),
        );
        assert_ne!(one, other);
        assert_eq!(format!("{one:?}"), "(set)");
    }
}
