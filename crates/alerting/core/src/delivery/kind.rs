//! The kinds of channels: their names for people, and the fields that a target of each has. Forms, the command line and what is
//! kept secret follow from these tables.

use pharos_domain::wire_enum;

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

/// A kind of channel as people see it.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// The name that people know it by.
    pub name: &'static str,
    /// A clause about it.
    pub about: &'static str,
    /// Whether people read its messages one by one. Programs, and services for those on call, need the beginning and the end
    /// apart: they make one thing of both.
    pub is_read_by_people: bool,
    /// The fields of its target.
    pub fields: &'static [TargetField],
}

/// A field of a target that people fill.
#[derive(Clone, Copy, Debug)]
pub struct TargetField {
    /// Its name in the target, as it is stored.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// A sentence about it.
    pub hint: &'static str,
    /// The values that may stand in it.
    pub input: FieldInput,
    /// Whether it may be empty.
    pub is_optional: bool,
}

/// The values that may stand in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldInput {
    /// A mail address.
    Address,
    /// Any text.
    Text,
    /// A URL, of which all but the host is secret.
    Url,
    /// A key or token, which is secret.
    Key,
    /// One of these, the first unless people say another.
    Choice(&'static [&'static str]),
}

impl TargetField {
    const fn new(name: &'static str, label: &'static str, input: FieldInput, hint: &'static str) -> Self {
        Self {
            name,
            label,
            hint,
            input,
            is_optional: false,
        }
    }

    const fn url(hint: &'static str) -> Self {
        Self::new("url", "URL", FieldInput::Url, hint)
    }

    /// Whether nobody is shown what stands in it.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        matches!(self.input, FieldInput::Url | FieldInput::Key)
    }
}

impl ChannelKind {
    /// The kind as people see it.
    #[must_use]
    pub const fn spec(self) -> KindSpec {
        match self {
            Self::Email => EMAIL,
            Self::Webhook => WEBHOOK,
            Self::Slack => SLACK,
            Self::Teams => TEAMS,
            Self::Discord => DISCORD,
            Self::Telegram => TELEGRAM,
            Self::Ntfy => NTFY,
            Self::Pagerduty => PAGERDUTY,
            Self::Opsgenie => OPSGENIE,
        }
    }
}

const EMAIL: KindSpec = KindSpec {
    name: "Mail",
    about: "Mail to one address, gathered to one in five minutes",
    is_read_by_people: true,
    fields: &[TargetField::new(
        "to",
        "Address",
        FieldInput::Address,
        "One person or list. The link in each mail switches the channel off.",
    )],
};

const WEBHOOK: KindSpec = KindSpec {
    name: "Webhook",
    about: "A webhook, signed as the Standard Webhooks specification has it",
    is_read_by_people: false,
    fields: &[TargetField::url(
        "Signed JSON is posted to it. The secret that signs is made with the channel.",
    )],
};

const SLACK: KindSpec = KindSpec {
    name: "Slack",
    about: "Slack, by an incoming webhook",
    is_read_by_people: true,
    fields: &[TargetField::url(
        "The address of an incoming webhook: https://hooks.slack.com/services/…",
    )],
};

const TEAMS: KindSpec = KindSpec {
    name: "Microsoft Teams",
    about: "Microsoft Teams, by a workflow that takes webhooks",
    is_read_by_people: true,
    fields: &[TargetField::url(
        "The address of a workflow “When a Teams webhook request is received”.",
    )],
};

const DISCORD: KindSpec = KindSpec {
    name: "Discord",
    about: "Discord, by a webhook",
    is_read_by_people: true,
    fields: &[TargetField::url(
        "The address of a webhook, in the settings of the channel under Integrations.",
    )],
};

const TELEGRAM: KindSpec = KindSpec {
    name: "Telegram",
    about: "Telegram, by a bot",
    is_read_by_people: true,
    fields: &[
        TargetField::new(
            "bot_token",
            "Token of the bot",
            FieldInput::Key,
            "As BotFather prints it. The bot must be a member of the chat.",
        ),
        TargetField::new("chat_id", "Chat", FieldInput::Text, "Its number, or its @name."),
    ],
};

const NTFY: KindSpec = KindSpec {
    name: "ntfy",
    about: "A topic of ntfy",
    is_read_by_people: true,
    fields: &[
        TargetField::new(
            "url",
            "URL of the topic",
            FieldInput::Url,
            "Such as https://ntfy.sh/my-topic.",
        ),
        TargetField {
            is_optional: true,
            ..TargetField::new(
                "token",
                "Access token",
                FieldInput::Key,
                "Where the topic needs one.",
            )
        },
    ],
};

const PAGERDUTY: KindSpec = KindSpec {
    name: "PagerDuty",
    about: "PagerDuty, by the Events API v2",
    is_read_by_people: false,
    fields: &[TargetField::new(
        "routing_key",
        "Routing key",
        FieldInput::Key,
        "The key of an Events API v2 integration: 32 letters and digits.",
    )],
};

const OPSGENIE: KindSpec = KindSpec {
    name: "Opsgenie",
    about: "Opsgenie, by its Alert API",
    is_read_by_people: false,
    fields: &[
        TargetField::new(
            "api_key",
            "API key",
            FieldInput::Key,
            "The key of an API integration.",
        ),
        TargetField::new(
            "region",
            "Region of the account",
            FieldInput::Choice(&["us", "eu"]),
            "Where the account is kept.",
        ),
    ],
};
