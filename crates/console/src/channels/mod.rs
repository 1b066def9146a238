//! Channels: where notifications of a workspace are delivered. Its owners and admins look after them.

pub(crate) mod create;
mod fields;
pub(crate) mod one;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_alerting::delivery::{
    channel::{Channel, ChannelError},
    target::ChannelKind,
};
use pharos_auth::oauth::store::ConsentWorkspace;
use pharos_domain::{
    ids::{ChannelId, WorkspaceId},
    role::Role,
};

use crate::{
    console::Console,
    next::Next,
    page::{Page, go},
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// GET /console/channels
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    let workspaces = managed(&console, &user).await?;
    let ids: Vec<WorkspaceId> = workspaces.iter().map(|workspace| workspace.id).collect();
    let channels = console.parts.channels.list(&ids).await?;
    let content = html! {
        @if request.query_string() == "deleted" {
            div.done role="status" { p { "The channel was deleted." } }
        }
        p { "A channel tells people of alerts, and of everything else that they should know: by mail, in a chat, or as a signed webhook." }
        @if workspaces.is_empty() {
            div.card { p { "Owners and admins of a workspace look after its channels. You are neither in any." } }
        }
        @for workspace in &workspaces {
            section.card aria-labelledby={ "workspace-" (workspace.id) } {
                h2 id={ "workspace-" (workspace.id) } { bdi { (shown(&workspace.name)) } }
                @let own: Vec<&Channel> = channels.iter().filter(|channel| channel.workspace_id == workspace.id).collect();
                @if own.is_empty() {
                    p { "Nobody is told yet. Add a channel, and send a test." }
                }
                ul {
                    @for channel in own { li { (line(channel)) } }
                }
                div.actions { a.button href={ "/console/channels/new?workspace=" (workspace.id) } { "Add a channel" } }
            }
        }
    };
    Ok(Page::new("Alert channels", Some(user.owner())).with(&content))
}

fn line(channel: &Channel) -> Markup {
    html! {
        p {
            a href={ "/console/channels/" (channel.id) } { bdi { (shown(&channel.settings.name)) } } " "
            (state(channel)) " "
            span.note { (kind(channel.settings.target.kind())) " · " bdi { (shown(&channel.settings.target.hint())) } }
        }
    }
}

/// Whether it works, in a word.
fn state(channel: &Channel) -> Markup {
    html! {
        @if channel.off_reason.is_some() {
            span.mark { "off" }
        } @else if channel.failing_since.is_some() {
            span.mark { "failing" }
        } @else {
            span.mark.verified { "on" }
        }
    }
}

/// The name of a kind.
fn kind(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Email => "Mail",
        ChannelKind::Webhook => "Webhook",
        ChannelKind::Slack => "Slack",
        ChannelKind::Teams => "Microsoft Teams",
        ChannelKind::Discord => "Discord",
        ChannelKind::Telegram => "Telegram",
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Pagerduty => "PagerDuty",
        ChannelKind::Opsgenie => "Opsgenie",
    }
}

/// The secret of a webhook, which is shown once.
fn secret(value: &str) -> Markup {
    html! {
        section.card.sum {
            p { "This secret signs the webhooks. It is shown this once: put it into the receiver now." }
            p { code { (value) } }
        }
    }
}

/// The workspaces whose channels the user looks after.
async fn managed(console: &Console, user: &SignedIn) -> Result<Vec<ConsentWorkspace>, Refusal> {
    let mut workspaces = console.parts.grants.workspaces(user.session.user).await?;
    workspaces.retain(|workspace| workspace.role >= Role::Admin);
    Ok(workspaces)
}

/// A channel of one of those. That of another is as good as none.
async fn find(console: &Console, user: &SignedIn, id: &str) -> Result<Channel, Refusal> {
    let id: ChannelId = id.parse().map_err(|_| Refusal::NoPage)?;
    let channel = console.parts.channels.find(id).await?.ok_or(Refusal::NoPage)?;
    let workspaces = managed(console, user).await?;
    let is_theirs = workspaces
        .iter()
        .any(|workspace| workspace.id == channel.workspace_id);
    is_theirs.then_some(channel).ok_or(Refusal::NoPage)
}

/// What is wrong with a form, for people; what is not its fault is an error.
fn fault_of(error: ChannelError) -> Result<String, Refusal> {
    match error {
        ChannelError::Store(error) => Err(error.into()),
        ChannelError::NotFound(_) => Err(Refusal::NoPage),
        error => Ok(error.to_string()),
    }
}
