//! Sends messages to everything that takes JSON over HTTP.

use std::{fmt, time::Duration};

use http::HeaderValue;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answers, Client, ClientSettings, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    retry_after::retry_after,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;

use super::{
    chat::{discord, ntfy, opsgenie, pagerduty, slack, teams, telegram},
    mask::masked,
    message::Message,
    post::Post,
    send_error::{LONGEST_PAUSE, SendError},
    target::{OpsgenieRegion, Target, parse},
    webhook::{self, AlertJson},
};

/// The time for one delivery.
const TIME: Duration = Duration::from_secs(15);
/// The bytes that are read of an answer that refuses.
const BODY_BYTES: usize = 16 * 1024;

/// The addresses of the services that have one for everybody.
#[derive(Clone, Debug)]
pub struct Services {
    /// The Bot API of Telegram.
    pub telegram: String,
    /// The Events API of PagerDuty.
    pub pagerduty: String,
    /// The API of Opsgenie in the USA.
    pub opsgenie_us: String,
    /// The API of Opsgenie in the EU.
    pub opsgenie_eu: String,
}

impl Default for Services {
    /// The addresses that the services publish.
    fn default() -> Self {
        Self {
            telegram: "https://api.telegram.org".to_owned(),
            pagerduty: "https://events.pagerduty.com".to_owned(),
            opsgenie_us: "https://api.opsgenie.com".to_owned(),
            opsgenie_eu: "https://api.eu.opsgenie.com".to_owned(),
        }
    }
}

/// Sends messages to everything that takes JSON over HTTP, to no address that the policy refuses.
pub struct JsonSender {
    client: Client,
    services: Services,
    alert_json: AlertJson,
}

impl fmt::Debug for JsonSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonSender")
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}

impl JsonSender {
    /// Prepares what all messages share. Webhooks of alerts have them as `alert_json` shows them.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        services: Services,
        alert_json: AlertJson,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"))),
            schemes: Schemes::Any,
            redirects: Redirects::Refuse,
            // Channels of many workspaces share servers: none of them waits for another.
            answers: Answers::Status,
            between: Duration::ZERO,
            patience: Duration::ZERO,
            limits: Limits {
                time: TIME,
                sent_bytes: BODY_BYTES,
                body_bytes: BODY_BYTES,
                ..Limits::default()
            },
        };
        let client = Client::new(resolver, policy, trust, settings)?;
        Ok(Self {
            client,
            services,
            alert_json,
        })
    }

    /// Sends a message. Any status of 200 to 299 says that it has arrived.
    ///
    /// # Errors
    /// Why it did not arrive, as far as is known.
    pub async fn send(
        &self,
        target: &Target,
        message: &Message,
        now: OffsetDateTime,
    ) -> Result<(), SendError> {
        let Post { url, headers, body } = self.post(target, message, now)?;
        let request = Request::post(url).body("application/json", body);
        let request = headers
            .into_iter()
            .fold(request, |request, (name, value)| request.header(name, value));
        let answer = self.client.send(request, now).await?;
        if answer.status.is_success() {
            return Ok(());
        }
        // A webhook's receiver may be mended; a chat service knows its own interface.
        let is_final = !matches!(target, Target::Webhook { .. });
        let reason = masked(&String::from_utf8_lossy(&answer.body), &target.secrets());
        let pause = retry_after(&answer.headers, now, LONGEST_PAUSE);
        Err(SendError::answered(answer.status, &reason, pause, is_final))
    }

    fn post(&self, target: &Target, message: &Message, now: OffsetDateTime) -> Result<Post, SendError> {
        let services = &self.services;
        match target {
            Target::Email { .. } => Err(SendError::never("mail is not sent over HTTP")),
            Target::Webhook {
                url,
                secret,
                previous,
            } => webhook::post(
                parse(url)?,
                secret,
                previous.as_ref(),
                message,
                self.alert_json,
                now,
            ),
            Target::Slack { url } => Ok(slack::post(parse(url)?, message)),
            Target::Teams { url } => Ok(teams::post(parse(url)?, message)),
            Target::Discord { url } => Ok(discord::post(parse(url)?, message)),
            Target::Telegram { bot_token, chat_id } => {
                telegram::post(&services.telegram, bot_token, chat_id, message)
            }
            Target::Ntfy { url, token } => ntfy::post(&parse(url)?, token.as_ref(), message),
            Target::Pagerduty { routing_key } => pagerduty::post(&services.pagerduty, routing_key, message),
            Target::Opsgenie { api_key, region } => {
                let base = match region {
                    OpsgenieRegion::Us => &services.opsgenie_us,
                    OpsgenieRegion::Eu => &services.opsgenie_eu,
                };
                opsgenie::post(base, api_key, message)
            }
        }
    }
}
