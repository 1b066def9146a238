//! Where a channel leads, as the command line says it.

use anyhow::Context;
use clap::Subcommand;
use pharos_alerting::delivery::{
    target::{OpsgenieRegion, Target},
    webhook::SigningSecret,
};
use pharos_domain::secret::Secret;

/// Where a channel leads. A secret may be given as `-`: then it is read from standard input, which other users of the
/// machine can't see.
#[derive(Debug, Subcommand)]
pub enum TargetArgs {
    /// Mail to one address, gathered to one in five minutes.
    Email {
        /// The address.
        #[arg(long)]
        to: String,
    },
    /// A webhook, signed as the Standard Webhooks specification has it.
    Webhook {
        /// Where it is posted to.
        #[arg(long)]
        url: String,
    },
    /// Slack, by an incoming webhook.
    Slack {
        /// The URL that Slack gave.
        #[arg(long)]
        url: String,
    },
    /// Microsoft Teams, by a workflow that takes webhooks.
    Teams {
        /// The URL that the workflow gave.
        #[arg(long)]
        url: String,
    },
    /// Discord, by a webhook.
    Discord {
        /// The URL that Discord gave.
        #[arg(long)]
        url: String,
    },
    /// Telegram, by a bot.
    Telegram {
        /// The bot's token.
        #[arg(long)]
        bot_token: String,
        /// The chat, by its number or its @name.
        #[arg(long)]
        chat_id: String,
    },
    /// A topic of ntfy.
    Ntfy {
        /// The topic's URL, such as https://ntfy.sh/mytopic.
        #[arg(long)]
        url: String,
        /// An access token.
        #[arg(long)]
        token: Option<String>,
    },
    /// PagerDuty, by the Events API v2.
    Pagerduty {
        /// The integration's routing key.
        #[arg(long)]
        routing_key: String,
    },
    /// Opsgenie.
    Opsgenie {
        /// The integration's API key.
        #[arg(long)]
        api_key: String,
        /// The region of the account.
        #[arg(long, default_value = "us")]
        region: OpsgenieRegion,
    },
}

impl TargetArgs {
    pub(super) fn target(self) -> anyhow::Result<Target> {
        Ok(match self {
            Self::Email { to } => Target::Email { to },
            Self::Webhook { url } => Target::Webhook {
                url: secret(url)?,
                secret: SigningSecret::generate()?,
                previous: None,
            },
            Self::Slack { url } => Target::Slack { url: secret(url)? },
            Self::Teams { url } => Target::Teams { url: secret(url)? },
            Self::Discord { url } => Target::Discord { url: secret(url)? },
            Self::Telegram { bot_token, chat_id } => Target::Telegram {
                bot_token: secret(bot_token)?,
                chat_id,
            },
            Self::Ntfy { url, token } => Target::Ntfy {
                url: secret(url)?,
                token: token.map(secret).transpose()?,
            },
            Self::Pagerduty { routing_key } => Target::Pagerduty {
                routing_key: secret(routing_key)?,
            },
            Self::Opsgenie { api_key, region } => Target::Opsgenie {
                api_key: secret(api_key)?,
                region,
            },
        })
    }
}

/// A secret as it was given, or the line of standard input.
fn secret(given: String) -> anyhow::Result<Secret> {
    if given != "-" {
        return Ok(Secret::from(given));
    }
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .context("the secret can't be read from standard input")?;
    Ok(Secret::from(line.trim().to_owned()))
}
