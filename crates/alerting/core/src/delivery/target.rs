//! The targets of channels: the address of each kind, and the secrets that it takes.

use lettre::Address;
use pharos_domain::{secret::Secret, wire_enum};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use time::OffsetDateTime;
use url::Url;

use super::{
    mask::secret_parts,
    webhook::{NoRandomness, SigningSecret},
};

/// The longest URL of a channel, in bytes.
const LONGEST_URL: usize = 2_048;
/// The longest key, token or chat of a channel, in bytes.
const LONGEST_KEY: usize = 256;
/// The longest mail address (RFC 5321, section 4.5.3.1.3), in bytes.
const LONGEST_ADDRESS: usize = 254;

wire_enum! {
    /// The kind of a channel.
    ChannelKind {
        /// Mail to one address.
        Email = "email",
        /// A webhook by the Standard Webhooks specification.
        Webhook = "webhook",
        /// Slack, by an incoming webhook.
        Slack = "slack",
        /// Microsoft Teams, by a workflow that takes webhooks.
        Teams = "teams",
        /// Discord, by a webhook.
        Discord = "discord",
        /// Telegram, by a bot.
        Telegram = "telegram",
        /// A topic of ntfy.
        Ntfy = "ntfy",
        /// PagerDuty, by the Events API v2.
        Pagerduty = "pagerduty",
        /// Opsgenie, by the Alert API.
        Opsgenie = "opsgenie",
    }
}

impl ChannelKind {
    /// Whether people read its messages one by one. Programs, and services for those on call, need the beginning and the end
    /// apart: they make one thing of both.
    #[must_use]
    pub const fn is_read_by_people(self) -> bool {
        match self {
            Self::Email | Self::Slack | Self::Teams | Self::Discord | Self::Telegram | Self::Ntfy => true,
            Self::Webhook | Self::Pagerduty | Self::Opsgenie => false,
        }
    }
}

wire_enum! {
    /// The region of an Opsgenie account.
    OpsgenieRegion {
        /// api.opsgenie.com
        Us = "us",
        /// api.eu.opsgenie.com
        Eu = "eu",
    }
}

/// The target of a channel. It is stored as it is: URLs of chat services are secrets as much as keys are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// Mail.
    Email {
        /// The address.
        to: String,
    },
    /// A webhook.
    Webhook {
        /// The URL that deliveries are posted to.
        url: Secret,
        /// The secret that signs them.
        secret: SigningSecret,
        /// The secret before, which still signs too.
        #[serde(skip_serializing_if = "Option::is_none")]
        previous: Option<PreviousSecret>,
    },
    /// Slack.
    Slack {
        /// The URL of the incoming webhook.
        url: Secret,
    },
    /// Microsoft Teams.
    Teams {
        /// The URL of the workflow.
        url: Secret,
    },
    /// Discord.
    Discord {
        /// The URL of the webhook.
        url: Secret,
    },
    /// Telegram.
    Telegram {
        /// The token of the bot.
        bot_token: Secret,
        /// The number of the chat, or its @name.
        chat_id: String,
    },
    /// ntfy.
    Ntfy {
        /// The URL of the topic.
        url: Secret,
        /// An access token.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<Secret>,
    },
    /// PagerDuty.
    Pagerduty {
        /// The routing key of the integration.
        routing_key: Secret,
    },
    /// Opsgenie.
    Opsgenie {
        /// The API key of the integration.
        api_key: Secret,
        /// The region of the account.
        region: OpsgenieRegion,
    },
}

/// A secret that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviousSecret {
    /// The secret.
    pub secret: SigningSecret,
    /// When it stops signing.
    #[serde(with = "time::serde::rfc3339")]
    pub until: OffsetDateTime,
}

/// Why a channel can't have this target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TargetFault {
    /// The address is none.
    #[error("the mail address is not one, such as on-call@shop.example")]
    Address,
    /// The URL is none, not one of HTTP, or one that nothing would be sent to.
    #[error(
        "the URL is not an https:// or http:// URL of at most {LONGEST_URL} bytes, without a user and a password"
    )]
    Url,
    /// The URL leads to no topic.
    #[error("the URL of a topic ends with its name, such as https://ntfy.sh/my-topic")]
    Topic,
    /// The token is none.
    #[error("the token of a bot is its number, a colon and its key, as BotFather prints it")]
    BotToken,
    /// The key, token or chat is empty, too long, or has characters that can't be sent.
    #[error("a key, token or chat has 1 to {LONGEST_KEY} visible ASCII characters")]
    Key,
}

impl Target {
    /// The kind of the channel.
    #[must_use]
    pub const fn kind(&self) -> ChannelKind {
        match self {
            Self::Email { .. } => ChannelKind::Email,
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Slack { .. } => ChannelKind::Slack,
            Self::Teams { .. } => ChannelKind::Teams,
            Self::Discord { .. } => ChannelKind::Discord,
            Self::Telegram { .. } => ChannelKind::Telegram,
            Self::Ntfy { .. } => ChannelKind::Ntfy,
            Self::Pagerduty { .. } => ChannelKind::Pagerduty,
            Self::Opsgenie { .. } => ChannelKind::Opsgenie,
        }
    }

    /// The same with a new secret, while the one before signs until then; `None`: it has no secret of ours.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn rotated(&self, until: OffsetDateTime) -> Result<Option<Self>, NoRandomness> {
        let Self::Webhook { url, secret, .. } = self else {
            return Ok(None);
        };
        Ok(Some(Self::Webhook {
            url: url.clone(),
            secret: SigningSecret::generate()?,
            previous: Some(PreviousSecret {
                secret: secret.clone(),
                until,
            }),
        }))
    }

    /// Whether a channel may have it.
    ///
    /// # Errors
    /// Its first fault.
    pub fn check(&self) -> Result<(), TargetFault> {
        match self {
            Self::Email { to } => {
                let is_address = to.len() <= LONGEST_ADDRESS && to.parse::<Address>().is_ok();
                is_address.then_some(()).ok_or(TargetFault::Address)
            }
            Self::Webhook { url, .. } | Self::Slack { url } | Self::Teams { url } | Self::Discord { url } => {
                parse(url).map(|_| ())
            }
            Self::Telegram { bot_token, chat_id } => {
                let (number, key) = bot_token.reveal().split_once(':').ok_or(TargetFault::BotToken)?;
                let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                // It becomes a part of a path.
                let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
                if !is_number || key.is_empty() || !key.bytes().all(is_key) {
                    return Err(TargetFault::BotToken);
                }
                check_key(bot_token.reveal())?;
                check_key(chat_id)
            }
            Self::Ntfy { url, token } => {
                super::chat::ntfy::topic(&parse(url)?).ok_or(TargetFault::Topic)?;
                token.as_ref().map_or(Ok(()), |token| check_key(token.reveal()))
            }
            Self::Pagerduty { routing_key } => check_key(routing_key.reveal()),
            Self::Opsgenie { api_key, .. } => check_key(api_key.reveal()),
        }
    }

    /// The part of it that is no secret, by which people tell it from others: an address, a host, a chat.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Email { to } => to.clone(),
            Self::Webhook { url, .. }
            | Self::Slack { url }
            | Self::Teams { url }
            | Self::Discord { url }
            | Self::Ntfy { url, .. } => host(url),
            Self::Telegram { chat_id, .. } => chat_id.clone(),
            Self::Pagerduty { .. } => "events.pagerduty.com".to_owned(),
            Self::Opsgenie { region, .. } => format!("Opsgenie, {region}"),
        }
    }
}

impl Target {
    /// What of it nobody is to read by accident: keys, and what follows the host in a URL.
    pub(super) fn secrets(&self) -> Vec<String> {
        let of_url = |url: &Secret| parse(url).map(|url| secret_parts(&url)).unwrap_or_default();
        match self {
            Self::Email { .. } => Vec::new(),
            Self::Webhook {
                url,
                secret,
                previous,
            } => {
                let before = previous.as_ref().map(|previous| &previous.secret);
                let keys = [secret]
                    .into_iter()
                    .chain(before)
                    .map(|key| key.reveal().to_owned());
                keys.chain(of_url(url)).collect()
            }
            Self::Slack { url } | Self::Teams { url } | Self::Discord { url } => of_url(url),
            Self::Ntfy { url, token } => {
                let token = token.iter().map(|token| token.reveal().to_owned());
                token.chain(of_url(url)).collect()
            }
            Self::Telegram { bot_token, .. } => vec![bot_token.reveal().to_owned()],
            Self::Pagerduty { routing_key } => vec![routing_key.reveal().to_owned()],
            Self::Opsgenie { api_key, .. } => vec![api_key.reveal().to_owned()],
        }
    }
}

/// The URL of a target.
pub(super) fn parse(url: &Secret) -> Result<Url, TargetFault> {
    if url.reveal().len() > LONGEST_URL {
        return Err(TargetFault::Url);
    }
    let url = Url::parse(url.reveal()).map_err(|_| TargetFault::Url)?;
    let is_http = matches!(url.scheme(), "https" | "http") && url.has_host();
    let is_bare = url.username().is_empty() && url.password().is_none();
    (is_http && is_bare).then_some(url).ok_or(TargetFault::Url)
}

fn host(url: &Secret) -> String {
    let url = parse(url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.unwrap_or_default().to_owned()
}

fn check_key(key: &str) -> Result<(), TargetFault> {
    let is_key = (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    is_key.then_some(()).ok_or(TargetFault::Key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(value: &str) -> Secret {
        Secret::from(value.to_owned())
    }

    #[test]
    fn a_fault_is_named() {
        let email = |to: &str| Target::Email { to: to.to_owned() }.check();
        assert_eq!(email("on-call@shop.example"), Ok(()));
        assert_eq!(email("on-call"), Err(TargetFault::Address));
        assert_eq!(
            email("a@shop.example\r\nBcc: b@shop.example"),
            Err(TargetFault::Address)
        );
        let slack = |url: &str| Target::Slack { url: secret(url) }.check();
        assert_eq!(slack("https://hooks.slack.example/services/T/B/x"), Ok(()));
        assert_eq!(slack("ftp://hooks.slack.example/"), Err(TargetFault::Url));
        assert_eq!(slack("hooks.slack.example"), Err(TargetFault::Url));
        assert_eq!(slack("https://user@hooks.slack.example/"), Err(TargetFault::Url));
        assert_eq!(
            slack("https://:password@hooks.slack.example/"),
            Err(TargetFault::Url)
        );
        assert_eq!(
            slack(&format!("https://a.example/{}", "x".repeat(2_048))),
            Err(TargetFault::Url)
        );
        let telegram = |token: &str, chat: &str| {
            let target = Target::Telegram {
                bot_token: secret(token),
                chat_id: chat.to_owned(),
            };
            target.check()
        };
        assert_eq!(telegram("123:ab_C-d", "-100200"), Ok(()));
        assert_eq!(telegram("123", "-100200"), Err(TargetFault::BotToken));
        assert_eq!(telegram("123:a/../b", "-100200"), Err(TargetFault::BotToken));
        assert_eq!(telegram("123:ab", ""), Err(TargetFault::Key));
        let ntfy = |url: &str, token: Option<&str>| {
            let target = Target::Ntfy {
                url: secret(url),
                token: token.map(secret),
            };
            target.check()
        };
        assert_eq!(ntfy("https://ntfy.example/alerts", Some("tk_1")), Ok(()));
        assert_eq!(ntfy("https://ntfy.example/", None), Err(TargetFault::Topic));
        assert_eq!(
            ntfy("https://ntfy.example/alerts", Some("a\nb")),
            Err(TargetFault::Key)
        );
    }

    #[test]
    fn it_is_read_as_it_was_written_and_shows_no_secret() {
        let target = Target::Telegram {
            bot_token: secret("123:hidden"),
            chat_id: "@shop".to_owned(),
        };
        let written = serde_json::to_value(&target).unwrap();
        assert_eq!(
            written,
            serde_json::json!({ "kind": "telegram", "bot_token": "123:hidden", "chat_id": "@shop" })
        );
        assert_eq!(serde_json::from_value::<Target>(written).unwrap(), target);
        assert!(!format!("{target:?}").contains("hidden"), "{target:?}");
        let slack = Target::Slack {
            url: secret("https://hooks.slack.example/hidden"),
        };
        assert_eq!(slack.hint(), "hooks.slack.example");
    }
}
