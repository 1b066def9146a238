//! The fields of a new channel's form, by its kind.

use maud::{Markup, html};
use pharos_alerting::delivery::{
    target::{ChannelKind, OpsgenieRegion, Target},
    webhook::SigningSecret,
};
use pharos_domain::secret::Secret;

use crate::{form::Form, refusal::Refusal};

/// A field of one line.
struct Field {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    input: &'static str,
    is_optional: bool,
}

impl Field {
    const fn new(name: &'static str, label: &'static str, hint: &'static str) -> Self {
        Self {
            name,
            label,
            hint,
            input: "text",
            is_optional: false,
        }
    }

    const fn of_type(self, input: &'static str) -> Self {
        Self { input, ..self }
    }

    const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }
}

fn fields(kind: ChannelKind) -> Vec<Field> {
    let url = |hint| vec![Field::new("url", "URL", hint).of_type("url")];
    match kind {
        ChannelKind::Email => vec![
            Field::new(
                "to",
                "Address",
                "One person or list. The link in each mail switches the channel off.",
            )
            .of_type("email"),
        ],
        ChannelKind::Webhook => url("Pharos posts signed JSON to it. You get the secret next."),
        ChannelKind::Slack => url("Of an incoming webhook: https://hooks.slack.com/services/…"),
        ChannelKind::Teams => url("Of a workflow “When a Teams webhook request is received”."),
        ChannelKind::Discord => url("Of a webhook, in the settings of the channel under Integrations."),
        ChannelKind::Telegram => vec![
            Field::new(
                "bot_token",
                "Token of the bot",
                "As BotFather prints it. The bot must be a member of the chat.",
            ),
            Field::new("chat_id", "Chat", "Its number, or its @name."),
        ],
        ChannelKind::Ntfy => vec![
            Field::new("url", "URL of the topic", "Such as https://ntfy.sh/my-topic.").of_type("url"),
            Field::new("access_token", "Access token", "Where the topic needs one.").optional(),
        ],
        ChannelKind::Pagerduty => vec![Field::new(
            "routing_key",
            "Routing key",
            "Of an Events API v2 integration.",
        )],
        ChannelKind::Opsgenie => vec![Field::new("api_key", "API key", "Of an API integration.")],
    }
}

/// The fields of the target, with what was sent before.
pub(super) fn shown(kind: ChannelKind, form: Option<&Form>) -> Markup {
    let sent = |name| form.map(|form| form.one(name)).unwrap_or_default();
    html! {
        @for field in fields(kind) {
            div.field {
                label for=(field.name) { (field.label) @if field.is_optional { " (optional)" } }
                input id=(field.name) name=(field.name) type=(field.input) value=(sent(field.name))
                    aria-describedby={ (field.name) "-hint" } autocomplete="off" required[!field.is_optional];
                p.hint id={ (field.name) "-hint" } { (field.hint) }
            }
        }
        @if kind == ChannelKind::Opsgenie {
            div.field {
                label for="region" { "Region of the account" }
                select id="region" name="region" {
                    @for region in OpsgenieRegion::ALL {
                        option value=(region) selected[sent("region") == region.as_str()] { (region.as_str().to_uppercase()) }
                    }
                }
            }
        }
    }
}

/// The target that a form asks for. Whether it can be one, the channel's settings say.
pub(super) fn target(kind: ChannelKind, form: &Form) -> Result<Target, Refusal> {
    let text = |name| form.one(name).trim().to_owned();
    let secret = |name| Secret::from(text(name));
    Ok(match kind {
        ChannelKind::Email => Target::Email { to: text("to") },
        ChannelKind::Webhook => Target::Webhook {
            url: secret("url"),
            secret: SigningSecret::generate().map_err(|_| Refusal::Internal)?,
            previous: None,
        },
        ChannelKind::Slack => Target::Slack { url: secret("url") },
        ChannelKind::Teams => Target::Teams { url: secret("url") },
        ChannelKind::Discord => Target::Discord { url: secret("url") },
        ChannelKind::Telegram => Target::Telegram {
            bot_token: secret("bot_token"),
            chat_id: text("chat_id"),
        },
        ChannelKind::Ntfy => Target::Ntfy {
            url: secret("url"),
            token: Some(secret("access_token")).filter(|token| !token.reveal().is_empty()),
        },
        ChannelKind::Pagerduty => Target::Pagerduty {
            routing_key: secret("routing_key"),
        },
        ChannelKind::Opsgenie => Target::Opsgenie {
            api_key: secret("api_key"),
            region: form.one("region").parse().map_err(|_| Refusal::NoForm)?,
        },
    })
}
