//! A new channel.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_account::admin::domains::DomainDetails;
use pharos_alerting::delivery::{
    channel::{ChannelSettings, NewChannel},
    quiet_hours::QuietHours,
    target::{ChannelKind, Target},
};
use pharos_auth::oauth::store::ConsentWorkspace;
use pharos_domain::{audit::Actor, module::Module, severity::Severity};

use super::{fault_of, fields, kind as name_of, managed, secret};
use crate::{
    console::Console,
    form::{self, Form},
    next::Next,
    page::{Page, fault, go},
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// GET /console/channels/new?workspace=…&kind=…: without a kind it asks for one.
pub(crate) async fn ask(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let query = |name| form::in_query(request.query_string(), name).unwrap_or_default();
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    let workspace = workspace(&console, &user, &query("workspace")).await?;
    let Ok(kind) = query("kind").parse() else {
        return Ok(kinds(&user, &workspace));
    };
    page(&console, &user, &workspace, kind, None).await
}

/// POST /console/channels/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    user.check(&form, &console)?;
    let workspace = workspace(&console, &user, form.one("workspace")).await?;
    let kind: ChannelKind = form.one("kind").parse().map_err(|_| Refusal::NoForm)?;
    let channel = match asked(kind, &workspace, &form)? {
        Ok(channel) => channel,
        Err(why) => return page(&console, &user, &workspace, kind, Some((&form, &why))).await,
    };
    let (actor, now) = (Actor::user(user.session.user), console.parts.clock.now());
    let made = match console.parts.channels.create(&channel, &actor, now).await {
        Ok(made) => made,
        Err(error) => {
            let why = fault_of(error)?;
            return page(&console, &user, &workspace, kind, Some((&form, &why))).await;
        }
    };
    let Target::Webhook { secret: value, .. } = &made.settings.target else {
        return Ok(go(&format!("/console/channels/{}?made", made.id)));
    };
    let content = html! {
        (secret(value.reveal()))
        div.actions { a.button href={ "/console/channels/" (made.id) } { "Go on to the channel" } }
    };
    Ok(Page::new("The channel is there", Some(user.owner())).with(&content))
}

/// The channel that a form asks for, or what is wrong with it.
fn asked(
    kind: ChannelKind,
    workspace: &ConsentWorkspace,
    form: &Form,
) -> Result<Result<NewChannel, String>, Refusal> {
    let domain = form.one("domain");
    let domain_id = match domain.parse() {
        Ok(domain) => Some(domain),
        Err(_) if domain.is_empty() => None,
        Err(_) => return Err(Refusal::NoForm),
    };
    let quiet: Option<Result<QuietHours, _>> = Some(form.one("quiet_hours").trim())
        .filter(|hours| !hours.is_empty())
        .map(str::parse);
    let quiet_hours = match quiet.transpose() {
        Ok(hours) => hours,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let modules: Result<Vec<Module>, _> = form.all("module").map(str::parse).collect();
    Ok(Ok(NewChannel {
        workspace_id: workspace.id,
        domain_id,
        settings: ChannelSettings {
            name: form.one("name").trim().to_owned(),
            target: fields::target(kind, form)?,
            min_severity: form.one("min_severity").parse().map_err(|_| Refusal::NoForm)?,
            modules: modules.map_err(|_| Refusal::NoForm)?,
            quiet_hours,
        },
    }))
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
                li { p { a href={ "/console/channels/new?workspace=" (workspace.id) "&kind=" (kind) } { (name_of(*kind)) } } }
            }
        }
    };
    Page::new("Add a channel", Some(user.owner())).with(&content)
}

/// The form, with what was sent before and what is wrong with it.
async fn page(
    console: &Console,
    user: &SignedIn,
    workspace: &ConsentWorkspace,
    kind: ChannelKind,
    refused: Option<(&Form, &str)>,
) -> Result<HttpResponse, Refusal> {
    let form = refused.map(|(form, _)| form);
    let sent = |name| form.map(|form| form.one(name)).unwrap_or_default();
    let severity = form.map_or(Severity::Warning.as_str(), |form| form.one("min_severity"));
    let mut domains: Vec<DomainDetails> = console.parts.domains.list(workspace.id).await?;
    domains.retain(|domain| domain.deleted_at.is_none());
    let content = html! {
        (fault(refused.map(|(_, why)| why)))
        form.card method="post" action="/console/channels/new" {
            (user.token_field())
            input type="hidden" name="workspace" value=(workspace.id);
            input type="hidden" name="kind" value=(kind);
            div.field {
                label for="name" { "Name" }
                input id="name" name="name" maxlength="100" required value=(sent("name")) placeholder="On call";
            }
            (fields::shown(kind, form))
            div.field {
                label for="domain" { "About" }
                select id="domain" name="domain" {
                    option value="" { "everything of the workspace" }
                    @for domain in &domains {
                        option value=(domain.id) selected[sent("domain") == domain.id.to_string()] { (shown(&domain.domain)) }
                    }
                }
            }
            div.field {
                label for="min_severity" { "How bad" }
                select id="min_severity" name="min_severity" {
                    @for one in Severity::ALL {
                        option value=(one) selected[severity == one.as_str()] {
                            (one) @if *one != Severity::Critical { " or worse" }
                        }
                    }
                }
            }
            fieldset {
                legend { "Only about these modules" }
                p.hint { "None ticked: all." }
                @for module in Module::ALL {
                    div.box {
                        input type="checkbox" id={ "module-" (module) } name="module" value=(module)
                            checked[form.is_some_and(|form| form.all("module").any(|ticked| ticked == module.as_str()))];
                        label for={ "module-" (module) } { (module) }
                    }
                }
            }
            div.field {
                label for="quiet_hours" { "Quiet hours (optional)" }
                input id="quiet_hours" name="quiet_hours" value=(sent("quiet_hours")) aria-describedby="quiet-hint"
                    placeholder="22:00-07:00 Europe/Berlin" autocomplete="off";
                p.hint id="quiet-hint" { "Then only what is critical is delivered; the rest waits." }
            }
            div.actions {
                a.button.quiet href="/console/channels" { "Back" }
                button type="submit" { "Add the channel" }
            }
        }
    };
    let title = format!("Add a channel: {}", name_of(kind));
    let status = if refused.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Ok(Page::new(&title, Some(user.owner()))
        .status(status)
        .with(&content))
}
