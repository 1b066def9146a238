//! A new channel.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use pharos_alerting::delivery::{channel::NewChannel, kind::ChannelKind};
use pharos_auth::oauth::store::ConsentWorkspace;

use super::{
    PATH, TITLE, faults_of, managed, on_to,
    settings::{Asked, Filled, asked, named_domain},
    writable,
};
use crate::{
    console::Console, form::Form, page::Page, parts::form::Faults, query::in_query, refusal::Refusal,
    repeated, shown::shown, visit::SignedIn,
};

/// GET /console/channels/new?workspace=…&kind=…: without a kind it asks for one.
pub(crate) async fn ask(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    let user = console.user(&request).await?;
    let workspace = workspace(&console, &user, &query("workspace")).await?;
    let Ok(kind) = query("kind").parse() else {
        return Ok(kinds(&user, &workspace));
    };
    page(&console, &user, &workspace, kind, &Filled::new(kind)).await
}

/// POST /console/channels/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&form, &console)?;
    let workspace = workspace(&console, &user, form.one("workspace")).await?;
    writable(&console, &request, workspace.id).await?;
    let (digest, parts) = (form.digest(&request, &user.secret), console.clone());
    let work = async move { create(&parts, &user, &workspace, &form).await };
    console.repeated.answer(digest, work).await
}

async fn create(
    console: &Console,
    user: &SignedIn,
    workspace: &ConsentWorkspace,
    form: &Form,
) -> Result<HttpResponse, Refusal> {
    let kind: ChannelKind = form.one("kind").parse().map_err(|_| Refusal::NoForm)?;
    let again = async |faults: Faults| {
        let sent = Filled::sent(kind, false, form, faults);
        page(console, user, workspace, kind, &sent).await
    };
    let named = named_domain(console, workspace.id, form).await?;
    let Asked { domain_id, settings } = match asked(kind, None, form, named)? {
        Ok(asked) => asked,
        Err(faults) => return again(faults).await,
    };
    let channel = NewChannel {
        workspace_id: workspace.id,
        domain_id,
        settings,
    };
    let (actor, now) = (user.actor(), console.parts.clock.now());
    match console.parts.channels.create(&channel, &actor, now).await {
        Ok(made) => Ok(on_to(console, &made, "made")),
        Err(error) => again(faults_of(error)?).await,
    }
}

async fn workspace(console: &Console, user: &SignedIn, id: &str) -> Result<ConsentWorkspace, Refusal> {
    let workspaces = managed(console, user).await?;
    let mut found = workspaces
        .into_iter()
        .filter(|workspace| workspace.id.to_string() == id);
    found.next().ok_or(Refusal::NoPage)
}

fn kinds(user: &SignedIn, workspace: &ConsentWorkspace) -> HttpResponse {
    let content = html! {
        p { "Where are people of " strong { bdi { (shown(&workspace.name)) } } " told?" }
        ul {
            @for kind in ChannelKind::ALL {
                li { p { a href={ "/console/channels/new?workspace=" (workspace.id) "&kind=" (kind) } { (kind.spec().name) } } }
            }
        }
    };
    Page::new("Add a channel", Some(user.owner()))
        .below(PATH, TITLE)
        .with(&content)
}

async fn page(
    console: &Console,
    user: &SignedIn,
    workspace: &ConsentWorkspace,
    kind: ChannelKind,
    filled: &Filled,
) -> Result<HttpResponse, Refusal> {
    let content = html! {
        form.card method="post" action="/console/channels/new" {
            (user.token_field())
            (repeated::field())
            input type="hidden" name="workspace" value=(workspace.id);
            input type="hidden" name="kind" value=(kind);
            (filled.fields(console, workspace.id).await?)
            div.actions {
                a.button.quiet href="/console/channels" { "Back" }
                button type="submit" { "Add the channel" }
            }
        }
    };
    let title = format!("Add a channel: {}", kind.spec().name);
    Ok(Page::new(&title, Some(user.owner()))
        .below(PATH, TITLE)
        .status(filled.status())
        .with(&content))
}
