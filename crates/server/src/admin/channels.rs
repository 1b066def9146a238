//! `pharos admin channel`

use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand};
use pharos_alerting::{
    delivery::{
        channel::{
            Channel, ChannelChange, ChannelError, ChannelSettings, ChannelStore, DeliveryDetails,
            DeliveryState, NewChannel,
        },
        quiet_hours::QuietHours,
        target::{ChannelKind, OpsgenieRegion, Target},
        webhook::SigningSecret,
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{ChannelId, DeliveryId, DomainId, WorkspaceId},
    module::Module,
    secret::Secret,
    timestamp::Timestamp,
};
use serde::Serialize;
use tokio::time::{Instant, sleep};

use super::{Answer, Desk};

/// How long the answer to a test is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How many deliveries are listed.
const LISTED: u32 = 50;

/// Manage the channels that notifications are delivered to.
#[derive(Debug, Subcommand)]
pub enum ChannelCommand {
    /// Create a channel. The secret that signs a webhook is printed once and never again.
    Create {
        /// The workspace whose notifications it delivers.
        workspace: WorkspaceId,
        /// What it delivers.
        #[command(flatten)]
        wish: Wish,
        /// Where it leads.
        #[command(subcommand)]
        target: TargetArgs,
    },
    /// List the channels of a workspace.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
    /// Send a test, and say how it went.
    Test {
        /// The channel.
        channel: ChannelId,
    },
    /// List what was delivered to a channel, or was to be, the newest first. `pharos admin job retry` with the id of one
    /// that failed sends it again.
    Deliveries {
        /// The channel.
        channel: ChannelId,
    },
    /// Make a new secret for a webhook, printed once. For a day the secret before signs too.
    RotateSecret {
        /// The channel.
        channel: ChannelId,
    },
    /// Have a channel deliver again, from now on.
    On {
        /// The channel.
        channel: ChannelId,
    },
    /// Have a channel deliver nothing until it is switched on. What is on its way to it is dropped.
    Off {
        /// The channel.
        channel: ChannelId,
        /// Why, for those who find it off.
        #[arg(long, default_value = "an operator switched it off")]
        reason: String,
    },
    /// Delete a channel, with what is on its way to it.
    Delete {
        /// The channel.
        channel: ChannelId,
    },
}

/// What a channel delivers, and when.
#[derive(Debug, Args)]
pub struct Wish {
    /// Its name for people, such as "On call".
    #[arg(long)]
    name: String,
    /// Only what is about this domain; by default all of the workspace.
    #[arg(long)]
    domain: Option<DomainId>,
    /// Only what is this bad, or worse: info, warning or critical.
    #[arg(long, default_value = "warning")]
    min_severity: Severity,
    /// Only what is about this module; may be given several times. By default all.
    #[arg(long = "module")]
    modules: Vec<Module>,
    /// When only what is critical is delivered, such as "22:00-07:00 Europe/Berlin".
    #[arg(long)]
    quiet_hours: Option<QuietHours>,
}

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
    fn target(self) -> anyhow::Result<Target> {
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

/// A channel as an operator sees it.
#[derive(Debug, Serialize)]
struct ChannelView {
    id: ChannelId,
    workspace_id: WorkspaceId,
    domain_id: Option<DomainId>,
    name: String,
    kind: ChannelKind,
    target: String,
    min_severity: Severity,
    modules: Vec<Module>,
    quiet_hours: Option<String>,
    off_reason: Option<String>,
    failing_since: Option<Timestamp>,
    created_at: Timestamp,
}

impl From<Channel> for ChannelView {
    fn from(channel: Channel) -> Self {
        let ChannelSettings {
            name,
            target,
            min_severity,
            modules,
            quiet_hours,
        } = channel.settings;
        Self {
            id: channel.id,
            workspace_id: channel.workspace_id,
            domain_id: channel.domain_id,
            name,
            kind: target.kind(),
            target: target.hint(),
            min_severity,
            modules,
            quiet_hours: quiet_hours.map(|hours| hours.to_string()),
            off_reason: channel.off_reason,
            failing_since: channel.failing_since.map(Into::into),
            created_at: channel.created_at.into(),
        }
    }
}

/// A channel with its secret, which is printed only once.
#[derive(Debug, Serialize)]
struct WithSecret {
    #[serde(flatten)]
    channel: ChannelView,
    #[serde(skip_serializing_if = "Option::is_none")]
    signing_secret: Option<SigningSecret>,
}

impl From<Channel> for WithSecret {
    fn from(channel: Channel) -> Self {
        let signing_secret = match &channel.settings.target {
            Target::Webhook { secret, .. } => Some(secret.clone()),
            _ => None,
        };
        Self {
            channel: channel.into(),
            signing_secret,
        }
    }
}

pub(super) async fn run(command: ChannelCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let channels = desk.ports.get::<dyn ChannelStore>()?;
    let change = async |id, change| channels.change(id, &change, &desk.actor, desk.now).await;
    match command {
        ChannelCommand::Create {
            workspace,
            wish:
                Wish {
                    name,
                    domain,
                    min_severity,
                    modules,
                    quiet_hours,
                },
            target,
        } => {
            let new = NewChannel {
                workspace_id: workspace,
                domain_id: domain,
                settings: ChannelSettings {
                    name,
                    target: target.target()?,
                    min_severity,
                    modules,
                    quiet_hours,
                },
            };
            let made = channels.create(&new, &desk.actor, desk.now).await?;
            Answer::new(WithSecret::from(made))
        }
        ChannelCommand::List { workspace } => {
            let listed = channels.list(&[workspace]).await?;
            Answer::new(listed.into_iter().map(ChannelView::from).collect::<Vec<_>>())
        }
        ChannelCommand::Test { channel } => {
            let delivery = channels.test(channel, &desk.actor, desk.now).await?;
            Answer::new(outcome(&*channels, channel, delivery).await?)
        }
        ChannelCommand::Deliveries { channel } => Answer::new(channels.deliveries(channel, LISTED).await?),
        ChannelCommand::RotateSecret { channel } => {
            let found = channels.find(channel).await?;
            let found = found.ok_or(ChannelError::NotFound("channel"))?;
            let target = found.settings.rotated(desk.now)?;
            let changed = change(channel, ChannelChange::Target(target)).await?;
            Answer::new(WithSecret::from(changed))
        }
        ChannelCommand::On { channel } => {
            Answer::new(ChannelView::from(change(channel, ChannelChange::SwitchOn).await?))
        }
        ChannelCommand::Off { channel, reason } => Answer::new(ChannelView::from(
            change(channel, ChannelChange::SwitchOff(reason)).await?,
        )),
        ChannelCommand::Delete { channel } => {
            channels.delete(channel, &desk.actor, desk.now).await?;
            Answer::new(serde_json::json!({ "deleted": channel }))
        }
    }
}

/// How the first attempt at a test ended. A worker sends it: where none runs, it stays queued.
async fn outcome(
    channels: &dyn ChannelStore,
    channel: ChannelId,
    delivery: DeliveryId,
) -> anyhow::Result<DeliveryDetails> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let listed = channels.deliveries(channel, LISTED).await?;
        let found = listed.into_iter().find(|listed| listed.id == delivery);
        let found = found.context("the channel was deleted meanwhile")?;
        let is_tried = found.state != DeliveryState::Queued || found.attempts > 0;
        if is_tried || Instant::now() >= deadline {
            return Ok(found);
        }
        sleep(LOOK_EVERY).await;
    }
}
