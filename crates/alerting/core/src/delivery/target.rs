//! The targets of channels: the address of each kind, and the secrets that it takes.

use pharos_domain::{secret::Secret, wire_enum};
use pharos_mail::mail::is_address;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;
use time::OffsetDateTime;
use url::Url;

use super::{
    kind::{ChannelKind, FieldInput, TargetField},
    mask::secret_parts,
    ntfy_topic::topic,
    signing_secret::{NoRandomness, SigningSecret},
};

/// The longest URL of a channel, in bytes.
const LONGEST_URL: usize = 2_048;
/// The longest key, token or chat of a channel, in bytes.
const LONGEST_KEY: usize = 256;
/// How long a routing key is: PagerDuty's reference of the Events API v2 gives it as string(32).
const ROUTING_KEY: usize = 32;

wire_enum! {
    /// The region of an Opsgenie account.
    OpsgenieRegion {
        /// api.opsgenie.com
        Us = "us",
        /// api.eu.opsgenie.com
        Eu = "eu",
    }
}

/// The target of a channel. URLs of chat services are secrets as much as keys are: stores seal them.
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
    /// The routing key is none.
    #[error("the routing key of an Events API v2 integration has {ROUTING_KEY} letters and digits")]
    RoutingKey,
    /// The key, token or chat is empty, too long, or has characters that can't be sent.
    #[error("a key, token or chat has 1 to {LONGEST_KEY} visible ASCII characters")]
    Key,
}

/// Why no target can be made of its filled fields.
#[derive(Clone, Copy, Debug, Error)]
pub enum FillError {
    /// A field has a value that it can't have.
    #[error("{0} is none of its choices")]
    Choice(&'static str),
    /// The fields of the kind are not those of its target.
    #[error("a field of the channel is missing")]
    Fields,
    /// There is no secret to be had.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
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

    /// Checks whether a channel may have it.
    ///
    /// # Errors
    /// Its first fault.
    pub fn check(&self) -> Result<(), TargetFault> {
        match self.faults().first() {
            Some((_, fault)) => Err(*fault),
            None => Ok(()),
        }
    }

    /// All that is wrong with it: the name of each field, and why.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, TargetFault)> {
        let checked = match self {
            Self::Email { to } => vec![("to", check_address(to))],
            Self::Webhook { url, .. } | Self::Slack { url } | Self::Teams { url } | Self::Discord { url } => {
                vec![("url", parse(url).map(|_| ()))]
            }
            Self::Telegram { bot_token, chat_id } => vec![
                ("bot_token", check_bot_token(bot_token.reveal())),
                ("chat_id", check_key(chat_id)),
            ],
            Self::Ntfy { url, token } => vec![
                ("url", check_topic(url)),
                (
                    "token",
                    token.as_ref().map_or(Ok(()), |token| check_key(token.reveal())),
                ),
            ],
            Self::Pagerduty { routing_key } => vec![("routing_key", check_routing_key(routing_key.reveal()))],
            Self::Opsgenie { api_key, .. } => vec![("api_key", check_key(api_key.reveal()))],
        };
        let faulty = checked.into_iter();
        faulty
            .filter_map(|(field, checked)| Some((field, checked.err()?)))
            .collect()
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
    /// A target of that kind, made of the fields that people filled in; a webhook gets a new secret. [`check`](Self::check)
    /// says whether a channel may have it.
    ///
    /// # Errors
    /// A field has a value that is none of its choices, or there are no random numbers for a secret.
    pub fn filled(kind: ChannelKind, value: impl Fn(&TargetField) -> String) -> Result<Self, FillError> {
        let mut target = Map::from_iter([("kind".to_owned(), kind.as_str().into())]);
        if kind == ChannelKind::Webhook {
            target.insert("secret".to_owned(), SigningSecret::generate()?.reveal().into());
        }
        fill(target, kind.spec().fields, value)
    }

    /// The same target with the fields that people filled in. Forms show no secret, so all secrets stay if none is given anew.
    /// If one is, all have to be, so that a key that is known to one server is not sent to another.
    ///
    /// # Errors
    /// A field has a value that is none of its choices.
    pub fn refilled(&self, value: impl Fn(&TargetField) -> String) -> Result<Self, FillError> {
        let fields = self.kind().spec().fields;
        let keeps_secrets = !fields
            .iter()
            .any(|field| field.is_secret() && !value(field).is_empty());
        fill(self.stored(), fields, |field| {
            if keeps_secrets && field.is_secret() {
                self.value(field.name)
            } else {
                value(field)
            }
        })
    }

    /// The value of a field; empty: it has none.
    #[must_use]
    pub fn value(&self, field: &str) -> String {
        let stored = self.stored();
        let value = stored.get(field).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    }

    /// The parts that nobody is to read by accident: keys, and what follows the host in a URL.
    pub(super) fn secrets(&self) -> Vec<String> {
        let fields = self.kind().spec().fields.iter();
        let mut secrets: Vec<String> = fields
            .flat_map(|field| match field.input {
                FieldInput::Key => vec![self.value(field.name)],
                FieldInput::Url => parse(&Secret::from(self.value(field.name)))
                    .map(|url| secret_parts(&url))
                    .unwrap_or_default(),
                FieldInput::Address | FieldInput::Text | FieldInput::Choice(_) => Vec::new(),
            })
            .collect();
        if let Self::Webhook { secret, previous, .. } = self {
            let before = previous.as_ref().map(|previous| &previous.secret);
            secrets.extend(
                [secret]
                    .into_iter()
                    .chain(before)
                    .map(|key| key.reveal().to_owned()),
            );
        }
        secrets
    }

    /// As it is stored.
    fn stored(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(stored)) => stored,
            // A target is an object of texts, which can always be written.
            _ => Map::new(),
        }
    }
}

/// The target as it is stored, with these values in its fields.
fn fill(
    mut stored: Map<String, Value>,
    fields: &[TargetField],
    value: impl Fn(&TargetField) -> String,
) -> Result<Target, FillError> {
    for field in fields {
        let value = value(field).trim().to_owned();
        if let FieldInput::Choice(choices) = field.input
            && !choices.contains(&value.as_str())
        {
            return Err(FillError::Choice(field.label));
        }
        if field.is_optional && value.is_empty() {
            stored.remove(field.name);
        } else {
            stored.insert(field.name.to_owned(), value.into());
        }
    }
    Target::deserialize(Value::Object(stored)).map_err(|_| FillError::Fields)
}

fn check_address(address: &str) -> Result<(), TargetFault> {
    is_address(address).then_some(()).ok_or(TargetFault::Address)
}

fn check_bot_token(token: &str) -> Result<(), TargetFault> {
    let (number, key) = token.split_once(':').ok_or(TargetFault::BotToken)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // It becomes a part of a path.
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !is_number || key.is_empty() || !key.bytes().all(is_key) {
        return Err(TargetFault::BotToken);
    }
    check_key(token)
}

fn check_topic(url: &Secret) -> Result<(), TargetFault> {
    topic(&parse(url)?).map(|_| ()).ok_or(TargetFault::Topic)
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

fn check_routing_key(key: &str) -> Result<(), TargetFault> {
    let is_key = key.len() == ROUTING_KEY && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_key.then_some(()).ok_or(TargetFault::RoutingKey)
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
        let pagerduty = |key: &str| {
            let routing_key = secret(key);
            Target::Pagerduty { routing_key }.check()
        };
        assert_eq!(pagerduty("e93facc04764012d7bfb002500d5d1a6"), Ok(()));
        for key in [
            "abc",
            "e93facc04764012d7bfb002500d5d1a66",
            "e93facc04764012d7bfb002500d5d1a-",
        ] {
            assert_eq!(pagerduty(key), Err(TargetFault::RoutingKey), "{key}");
        }
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
    fn each_kind_has_the_fields_of_its_target() {
        for kind in ChannelKind::ALL {
            let target = Target::filled(*kind, |field| match field.input {
                FieldInput::Address => "on-call@shop.example".to_owned(),
                FieldInput::Url => "https://hooks.example/hidden_in_path".to_owned(),
                FieldInput::Key if field.name == "routing_key" => {
                    "hidden".repeat(6)[..ROUTING_KEY].to_owned()
                }
                FieldInput::Key => format!("123:hidden_{}", field.name),
                FieldInput::Text => "@shop".to_owned(),
                FieldInput::Choice(choices) => choices[0].to_owned(),
            });
            let target = target.unwrap();
            assert_eq!((target.kind(), target.check()), (*kind, Ok(())), "{kind}");
            let mut fields: Vec<&str> = kind.spec().fields.iter().map(|field| field.name).collect();
            let mut stored: Vec<String> = target.stored().keys().cloned().collect();
            // They are not people's to fill.
            stored.retain(|name| name != "kind" && name != "secret");
            fields.sort_unstable();
            stored.sort_unstable();
            assert_eq!(stored, fields, "{kind}");
            for field in kind.spec().fields {
                let is_masked = target.secrets().iter().any(|secret| secret.contains("hidden"));
                assert!(is_masked || !field.is_secret(), "{kind}: {}", field.name);
                if let FieldInput::Choice(choices) = field.input {
                    for choice in choices {
                        let chosen = target.refilled(|other| match other.name == field.name {
                            true => (*choice).to_owned(),
                            false => String::new(),
                        });
                        assert_eq!(chosen.unwrap().value(field.name), *choice, "{kind}");
                    }
                }
            }
            assert!(!format!("{target:?}").contains("hidden"), "{target:?}");
        }
        let moon = Target::filled(ChannelKind::Opsgenie, |_| "moon".to_owned());
        assert!(matches!(moon, Err(FillError::Choice("Region of the account"))));
    }

    #[test]
    fn a_key_goes_to_no_other_server_than_it_was_given_for() {
        let ntfy = Target::Ntfy {
            url: secret("https://ntfy.example/alerts"),
            token: Some(secret("tk_1")),
        };
        let given = |url: &'static str, token: &'static str| {
            ntfy.refilled(move |field| if field.name == "url" { url } else { token }.to_owned())
                .unwrap()
        };
        assert_eq!(given("", ""), ntfy);
        let elsewhere = given("https://elsewhere.example/alerts", "");
        assert_eq!(elsewhere.value("token"), "");
        // Nor is half of it kept: the URL has to be given, too.
        assert_eq!(given("", "tk_2").check(), Err(TargetFault::Url));
        let telegram = Target::Telegram {
            bot_token: secret("123:hidden"),
            chat_id: "@shop".to_owned(),
        };
        let chat = |field: &TargetField| if field.name == "chat_id" { "@other" } else { "" }.to_owned();
        assert_eq!(
            telegram.refilled(chat).unwrap(),
            Target::Telegram {
                bot_token: secret("123:hidden"),
                chat_id: "@other".to_owned(),
            }
        );
        let webhook = Target::filled(ChannelKind::Webhook, |_| "https://a.example/".to_owned()).unwrap();
        let moved = webhook.refilled(|_| "https://b.example/".to_owned()).unwrap();
        assert_eq!(moved.value("secret"), webhook.value("secret"));
        assert_eq!(moved.value("url"), "https://b.example/");
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
