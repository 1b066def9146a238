//! Channels: where notifications of a workspace are delivered. Its owners and admins look after them.

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod one;
mod settings;

use std::collections::{BTreeSet, HashMap};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web,
};
use maud::{Markup, html};
use pharos_account::admin::domains::DomainDetails;
use pharos_alerting::delivery::{
    channel::{Channel, ChannelError},
    target::Target,
};
use pharos_auth::oauth::store::ConsentWorkspace;
use pharos_domain::{
    ids::{ChannelId, DomainId, WorkspaceId},
    role::Role,
};

use crate::{
    console::Console,
    page::{Page, go},
    parts::form::{Faults, SEEN},
    refusal::Refusal,
    sentence::sentence,
    shown::shown,
    visit::SignedIn,
};

/// The path of the list, and its title.
const PATH: &str = "/console/channels";
const TITLE: &str = "Alert channels";

/// GET /console/channels
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    let workspaces = managed(&console, &user).await?;
    let ids: Vec<WorkspaceId> = workspaces.iter().map(|workspace| workspace.id).collect();
    let channels = console.parts.channels.list(&ids).await?;
    let domains = domains(&console, &channels).await?;
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
                    @for channel in own { li { (line(channel, &domains)) } }
                }
                div.actions { a.button href={ "/console/channels/new?workspace=" (workspace.id) } { "Add a channel" } }
            }
        }
    };
    Ok(Page::new(TITLE, Some(user.owner())).with(&content))
}

fn line(channel: &Channel, domains: &HashMap<DomainId, DomainDetails>) -> Markup {
    html! {
        p {
            a href={ "/console/channels/" (channel.id) } { bdi { (shown(&channel.settings.name)) } } " "
            (state(channel)) " "
            span.note {
                (channel.settings.target.kind().spec().name) " · " bdi { (shown(&channel.settings.target.hint())) }
                @if let Some(domain) = about(channel, domains) { " · only " bdi { (domain) } }
            }
        }
    }
}

/// The domains that channels are about, by id; the deleted ones are among them.
async fn domains(
    console: &Console,
    channels: &[Channel],
) -> Result<HashMap<DomainId, DomainDetails>, Refusal> {
    let about: BTreeSet<DomainId> = channels.iter().filter_map(|channel| channel.domain_id).collect();
    if about.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<DomainId> = about.into_iter().collect();
    let found = console.parts.domains.find(&ids).await?;
    Ok(found.into_iter().map(|domain| (domain.id, domain)).collect())
}

/// The name of the domain that a channel is about alone; `None`: it is about all of its workspace.
fn about(channel: &Channel, domains: &HashMap<DomainId, DomainDetails>) -> Option<String> {
    let id = channel.domain_id?;
    Some(match domains.get(&id) {
        Some(domain) => named(domain),
        None => "a domain that is gone".to_owned(),
    })
}

/// A domain by its name. A channel about one that was deleted has nothing to deliver.
fn named(domain: &DomainDetails) -> String {
    let name = shown(&domain.domain);
    if domain.deleted_at.is_some() {
        format!("{name} (deleted)")
    } else {
        name
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

/// Sends the browser on to the page of the channel, which shows the secret of a webhook this once.
fn on_to(console: &Console, channel: &Channel, done: &str) -> HttpResponse {
    let path = format!("/console/channels/{}", channel.id);
    let mut answer = go(&format!("{path}?{done}"));
    if let Target::Webhook { secret, .. } = &channel.settings.target {
        let cookie = console.cookies.show_once(&path, secret.reveal());
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            answer.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    answer
}

/// The workspaces whose channels the user looks after.
async fn managed(console: &Console, user: &SignedIn) -> Result<Vec<ConsentWorkspace>, Refusal> {
    let mut workspaces = console.parts.grants.workspaces(user.session.user).await?;
    workspaces.retain(|workspace| workspace.role >= Role::Admin);
    Ok(workspaces)
}

/// Refuses what the subscription of the workspace does not allow.
async fn writable(console: &Console, request: &HttpRequest, workspace: WorkspaceId) -> Result<(), Refusal> {
    let here = console
        .in_workspace(request, &workspace.to_string(), Role::Admin)
        .await?;
    here.writable()
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

/// The faults of the form of a channel, each at the field where it is said.
fn faults_of(error: ChannelError) -> Result<Faults, Refusal> {
    let field = match error {
        ChannelError::Changed => SEEN,
        _ => "name",
    };
    let mut faults = Faults::default();
    faults.add(field, fault_of(error)?);
    Ok(faults)
}

/// Says for people why a form is refused; an error that is no fault of the form refuses the page.
fn fault_of(error: ChannelError) -> Result<String, Refusal> {
    match error {
        ChannelError::Store(error) => Err(error.into()),
        ChannelError::NotFound(_) => Err(Refusal::NoPage),
        error => Ok(sentence(&error.to_string())),
    }
}
