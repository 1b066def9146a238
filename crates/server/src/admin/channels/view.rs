//! A channel as the command line shows it.

use pharos_account::admin::domains::DomainDetails;
use pharos_alerting::{
    delivery::{
        channel::{Channel, ChannelSettings},
        kind::ChannelKind,
        signing_secret::SigningSecret,
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{ChannelId, DomainId, WorkspaceId},
    module::Module,
    timestamp::Timestamp,
};
use serde::Serialize;

/// A channel as an operator sees it.
#[derive(Debug, Serialize)]
pub(super) struct ChannelView {
    id: ChannelId,
    workspace_id: WorkspaceId,
    /// The domain that it is about alone, and its name; null: all of the workspace.
    domain_id: Option<DomainId>,
    domain: Option<String>,
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

impl ChannelView {
    /// A channel of a workspace with these domains.
    pub(super) fn new(channel: Channel, domains: &[DomainDetails]) -> Self {
        let of = domains.iter().find(|domain| Some(domain.id) == channel.domain_id);
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
            domain: of.map(|domain| domain.domain.clone()),
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
pub(super) struct WithSecret {
    #[serde(flatten)]
    channel: ChannelView,
    #[serde(skip_serializing_if = "Option::is_none")]
    signing_secret: Option<SigningSecret>,
}

impl WithSecret {
    /// A channel of a workspace with these domains, whose secret was made just now.
    pub(super) fn new(channel: Channel, domains: &[DomainDetails]) -> Self {
        let signing_secret = match &channel.settings.target {
            Target::Webhook { secret, .. } => Some(secret.clone()),
            _ => None,
        };
        Self {
            channel: ChannelView::new(channel, domains),
            signing_secret,
        }
    }
}
