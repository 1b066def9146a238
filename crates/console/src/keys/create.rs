//! A new key.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_auth::keys::manage;

use super::{CHANGERS, MADE_PER_HOUR, fault_of, fields::Fields, once, path};
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::{Page, fault},
    parts::form::Faults,
    refusal::Refusal,
    repeated,
};

/// GET /console/w/{workspace_id}/keys/new
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    Ok(page(&console, &here, &Fields::new(), &Faults::default()))
}

/// POST /console/w/{workspace_id}/keys/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    here.writable()?;
    let form = sent.digest(&request, &here.user.secret);
    let parts = console.clone();
    let work = async move { create(&parts, &here, &sent).await };
    console.repeated.answer(form, work).await
}

async fn create(console: &Console, here: &InWorkspace, sent: &Form) -> Result<HttpResponse, Refusal> {
    let fields = Fields::sent(sent)?;
    let asked = match fields.request(here) {
        Ok(asked) => asked,
        Err(faults) => return Ok(page(console, here, &fields, &faults)),
    };
    console.admit(&here.user, MADE_PER_HOUR).await?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let accounts = &console.parts.accounts;
    let made = manage::create_once(
        &*accounts.keys,
        accounts.environment,
        fields.id,
        &asked,
        &actor,
        now,
    )
    .await;
    let (key, secret) = match made {
        Ok(made) => made,
        Err(error) => {
            let (field, why) = fault_of(error)?;
            let mut faults = Faults::default();
            faults.add(field, why);
            return Ok(page(console, here, &fields, &faults));
        }
    };
    let content = html! {
        (once(console, &secret))
        div.actions { a.button href=(path(here, &key)) { "Go on to the key" } }
    };
    Ok(frame(here, "The key is there").with(&content))
}

fn page(console: &Console, here: &InWorkspace, fields: &Fields, faults: &Faults) -> HttpResponse {
    let content = html! {
        @match faults.of("") {
            Some(why) => (fault(Some(why))),
            None => (faults.summary()),
        }
        form.card method="post" action=(workspace_path(here.id(), "keys/new")) {
            (here.user.token_field())
            (repeated::field())
            (fields.show(faults, console.parts.clock.now()))
            p.note { "Whoever has the key acts with your role in this workspace, as far as you tick here. It ends when you leave." }
            div.actions {
                button type="submit" { "Create the key" }
                a.button.quiet href=(workspace_path(here.id(), "keys")) { "Back" }
            }
        }
    };
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    frame(here, "Create a key").status(status).with(&content)
}

fn frame<'a>(here: &'a InWorkspace, title: &'a str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place("keys"))
        .below(workspace_path(here.id(), "keys"), "API keys")
}
