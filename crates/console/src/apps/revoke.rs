//! The end of a grant, or of all that an app was granted.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;

use super::{
    App, ON_A_PAGE, card,
    target::{APP, GRANT, Target},
};
use crate::{
    console::Console,
    form::Form,
    page::{Page, go},
    query::in_query,
    refusal::Refusal,
};

/// GET /console/apps/revoke
pub(crate) async fn ask(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    let user = console.user(&request).await?;
    let target = Target::parse(&query(GRANT), &query(APP)).ok_or(Refusal::NoPage)?;
    let mut connected = console.parts.grants.connected(user.session.user).await?;
    connected.retain(|connected| target.covers(connected));
    let apps = App::all(&connected);
    let Some(app) = apps.first() else {
        // It is gone already.
        return Ok(go("/console/apps"));
    };
    let (name, value) = target.field();
    let content = html! {
        section.card aria-labelledby={ "app-" (app.client()) } {
            (card::heading(app))
            p { "Its next call is refused. It can have this back only if you agree again. Nothing that it did is undone." }
            @for grant in app.grants.iter().take(ON_A_PAGE) { (card::grant(&console, grant)) }
            @if app.grants.len() > ON_A_PAGE { p.note { "These are the newest " (ON_A_PAGE) ". The others end with them." } }
            form method="post" action="/console/apps/revoke" {
                (user.token_field())
                input type="hidden" name=(name) value=(value);
                div.actions {
                    a.button href="/console/apps" { "Keep" }
                    button.danger type="submit" {
                        @if app.grants.len() > 1 { "Revoke all " (app.grants.len()) } @else { "Revoke access" }
                    }
                }
            }
        }
    };
    Ok(Page::new("Take access back?", Some(user.owner()))
        .below("/console/apps", "Connected apps")
        .with(&content))
}

/// POST /console/apps/revoke
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&form, &console)?;
    let target = Target::parse(form.one(GRANT), form.one(APP)).ok_or(Refusal::NoForm)?;
    let (id, now) = (user.session.user, console.parts.clock.now());
    let (grants, actor) = (&console.parts.grants, user.actor());
    // A grant that is gone already is as good as revoked.
    match target {
        Target::Grant(grant) => grants.revoke_of_user(grant, id, &actor, now).await?,
        Target::App(client) => grants.revoke_app_of_user(client, id, &actor, now).await?,
    };
    Ok(go("/console/apps?revoked"))
}
