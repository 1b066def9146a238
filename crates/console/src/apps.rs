//! Connected apps, and their end.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_auth::oauth::store::ConnectedApp;
use pharos_domain::{audit::Actor, ids::CredentialId};

use crate::{
    consent::words,
    console::Console,
    form::Form,
    next::Next,
    page::{Page, go, moment},
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// GET /console/apps
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    let apps = console.parts.grants.connected(user.session.user).await?;
    let content = html! {
        @if request.query_string() == "revoked" {
            div.done role="status" { p { "Access was revoked. The app’s next call is refused." } }
        }
        @if apps.is_empty() {
            (none(&console))
        } @else {
            p { "What these apps do with your account, they do with your roles in the workspaces that you ticked." }
            @for app in &apps { (card(&console, &user, app)) }
        }
    };
    Ok(Page::new("Connected apps", Some(&user)).with(&content))
}

/// POST /console/apps/revoke
pub(crate) async fn revoke(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    user.check(&form, &console)?;
    let grant: CredentialId = form.one("grant").parse().map_err(|_| Refusal::NoForm)?;
    let id = user.session.user;
    // One that is gone already is as good as revoked.
    console
        .parts
        .grants
        .revoke_of_user(grant, id, &Actor::user(id), console.parts.clock.now())
        .await?;
    Ok(go("/console/apps?revoked"))
}

fn none(console: &Console) -> Markup {
    let resources = console.parts.server.resources();
    html! {
        div.card {
            p { "No app is connected." }
            p { "Give an app that speaks OAuth 2.1 the address of what it is to use. It registers itself, sends you here to agree, and then stands in this list." }
            dl {
                dt { "API" } dd { code { (resources.api) } }
                dt { "MCP server" } dd { code { (resources.mcp) } }
            }
            p { "A script of your own needs no app: whoever runs this Pharos makes an API key for it." }
        }
    }
}

fn card(console: &Console, user: &SignedIn, app: &ConnectedApp) -> Markup {
    let name = words::name(app.client_name.as_deref());
    html! {
        section.card aria-labelledby={ "app-" (app.grant) } {
            h2 id={ "app-" (app.grant) } { bdi { (name) } " " (words::mark(app.is_verified)) }
            dl {
                dt { "May" }
                dd { ul { @for scope in app.scopes.iter() { li { (scope.meaning()) } } } }
                dt { "In" }
                dd {
                    @if app.workspaces.is_empty() { "no workspace any more" }
                    ul {
                        @for (at, workspace) in app.workspaces.iter().enumerate() {
                            li { bdi { (shown(workspace)) } @if at == 0 { " (default)" } }
                        }
                    }
                }
                dt { "For" }
                dd { (words::resource(console.parts.server.resources(), &app.resource)) }
                dt { "Since" }
                dd { (moment(app.created_at)) }
                dt { "Last used" }
                dd { @match app.last_used_at { Some(at) => (moment(at)), None => "never" } }
            }
            form.actions method="post" action="/console/apps/revoke" {
                (user.token_field())
                input type="hidden" name="grant" value=(app.grant);
                button.danger type="submit" { "Revoke access" span.aside { " of " (name) } }
            }
        }
    }
}
