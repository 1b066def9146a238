//! `pharos admin channel`

mod target;
mod view;

use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand};
use pharos_account::admin::domains::{DomainAdmin, DomainDetails};
use pharos_alerting::{
    delivery::{
        channel::{
            Channel, ChannelChange, ChannelEdit, ChannelSettings, ChannelStore, DeliveryDetails,
            DeliveryState, NewChannel, SecretChange,
        },
        quiet_hours::QuietHours,
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{ChannelId, DeliveryId, DomainId, WorkspaceId},
    module::Module,
};
use tokio::time::{Instant, sleep};

use self::{
    target::TargetArgs,
    view::{ChannelView, WithSecret},
};
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
        /// Which notifications it delivers.
        #[command(flatten)]
        wish: Wish,
        /// Where it leads.
        #[command(subcommand)]
        target: TargetArgs,
    },
    /// Change what a channel delivers, and when. Settings that are not named stay as they are; where it leads, the console
    /// changes.
    Edit {
        /// The channel.
        channel: ChannelId,
        /// The changes.
        #[command(flatten)]
        change: WishChange,
    },
    /// List the channels of a workspace, each with the domain that it is about.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
    /// Send a test, and say how it went; the command fails unless it arrived.
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
        /// No other secret signs from now on: for one that has leaked.
        #[arg(long)]
        now: bool,
    },
    /// Have the secret before sign no more, though its day is not over. The present one stays.
    EndSecret {
        /// The channel.
        channel: ChannelId,
    },
    /// Have a channel deliver again, from now on.
    On {
        /// The channel.
        channel: ChannelId,
    },
    /// Have a channel deliver nothing until it is switched on. Deliveries on their way to it are dropped.
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

/// Which notifications a channel delivers, and when.
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

/// The changes of which notifications a channel delivers, and when.
#[derive(Debug, Args)]
pub struct WishChange {
    /// Another name for people.
    #[arg(long)]
    name: Option<String>,
    /// From now on only what is about this domain.
    #[arg(long, conflicts_with = "all_domains")]
    domain: Option<DomainId>,
    /// From now on all of the workspace.
    #[arg(long)]
    all_domains: bool,
    /// Only what is this bad, or worse: info, warning or critical.
    #[arg(long)]
    min_severity: Option<Severity>,
    /// Only what is about this module, in place of those before; may be given several times.
    #[arg(long = "module", conflicts_with = "all_modules")]
    modules: Vec<Module>,
    /// Notifications of every module.
    #[arg(long)]
    all_modules: bool,
    /// When only what is critical is delivered, such as "22:00-07:00 Europe/Berlin".
    #[arg(long, conflicts_with = "no_quiet_hours")]
    quiet_hours: Option<QuietHours>,
    /// No quiet hours any more.
    #[arg(long)]
    no_quiet_hours: bool,
}

impl WishChange {
    /// The channel as it becomes.
    fn of(self, channel: Channel) -> ChannelEdit {
        let Self {
            name,
            domain,
            all_domains,
            min_severity,
            modules,
            all_modules,
            quiet_hours,
            no_quiet_hours,
        } = self;
        let present = channel.settings;
        ChannelEdit {
            seen: channel.updated_at,
            domain_id: domain.or(channel.domain_id).filter(|_| !all_domains),
            settings: ChannelSettings {
                name: name.unwrap_or(present.name),
                target: present.target,
                min_severity: min_severity.unwrap_or(present.min_severity),
                modules: if all_modules || !modules.is_empty() {
                    modules
                } else {
                    present.modules
                },
                quiet_hours: quiet_hours.or(present.quiet_hours).filter(|_| !no_quiet_hours),
            },
        }
    }
}

pub(super) async fn run(command: ChannelCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let channels = desk.ports.get::<dyn ChannelStore>()?;
    let change = async |id: ChannelId, change| {
        let changed = channels.change(id, &change, &desk.actor, desk.now).await;
        changed.with_context(|| format!("channel {id}"))
    };
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
            // Read first: once the channel is there, nothing may come between its secret and whoever reads it.
            let domains = domains(desk, workspace).await?;
            let made = channels.create(&new, &desk.actor, desk.now).await?;
            Answer::new(WithSecret::new(made, &domains))
        }
        ChannelCommand::Edit {
            channel,
            change: wish,
        } => {
            let present = found(&*channels, channel).await?;
            let changed = change(channel, ChannelChange::Edit(wish.of(present))).await?;
            view(desk, changed).await
        }
        ChannelCommand::List { workspace } => {
            desk.workspace(workspace).await?;
            let domains = domains(desk, workspace).await?;
            let listed = channels.list(&[workspace]).await?.into_iter();
            let views = listed.map(|channel| ChannelView::new(channel, &domains));
            Answer::new(views.collect::<Vec<_>>())
        }
        ChannelCommand::Test { channel } => {
            let asked = channels.test(channel, &desk.actor, desk.now).await;
            let delivery = asked.with_context(|| format!("channel {channel}"))?;
            let outcome = outcome(&*channels, channel, delivery).await?;
            let is_sent = outcome.state == DeliveryState::Sent;
            Ok(Answer::new(outcome)?.failed_unless(is_sent))
        }
        ChannelCommand::Deliveries { channel } => {
            found(&*channels, channel).await?;
            Answer::new(channels.deliveries(channel, LISTED).await?)
        }
        ChannelCommand::RotateSecret { channel, now } => {
            let kind = if now {
                SecretChange::ReplaceNow
            } else {
                SecretChange::Replace
            };
            let present = found(&*channels, channel).await?;
            let domains = domains(desk, present.workspace_id).await?;
            let changed = change(channel, ChannelChange::Secret(kind)).await?;
            Answer::new(WithSecret::new(changed, &domains))
        }
        ChannelCommand::EndSecret { channel } => {
            let end = ChannelChange::Secret(SecretChange::EndPrevious);
            view(desk, change(channel, end).await?).await
        }
        ChannelCommand::On { channel } => view(desk, change(channel, ChannelChange::SwitchOn).await?).await,
        ChannelCommand::Off { channel, reason } => {
            view(desk, change(channel, ChannelChange::SwitchOff(reason)).await?).await
        }
        ChannelCommand::Delete { channel } => {
            let deleted = channels.delete(channel, &desk.actor, desk.now).await;
            deleted.with_context(|| format!("channel {channel}"))?;
            Answer::new(serde_json::json!({ "deleted": channel }))
        }
    }
}

/// The domains of a workspace, by which channels that are about one of them show its name.
async fn domains(desk: &Desk, workspace: WorkspaceId) -> anyhow::Result<Vec<DomainDetails>> {
    Ok(desk.ports.get::<dyn DomainAdmin>()?.list(workspace).await?)
}

async fn view(desk: &Desk, channel: Channel) -> anyhow::Result<Answer> {
    let domains = domains(desk, channel.workspace_id).await?;
    Answer::new(ChannelView::new(channel, &domains))
}

async fn found(channels: &dyn ChannelStore, id: ChannelId) -> anyhow::Result<Channel> {
    let channel = channels.find(id).await?;
    channel.with_context(|| format!("there is no channel {id}"))
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
