//! Workspaces of the user: a new one, and another name for one.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_account::admin::workspaces::DEFAULT_PLAN;
use pharos_domain::role::Role;

use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::{Page, go},
    parts::{
        form::{Faults, Field},
        notice,
    },
    refusal::{Refusal, change_fault},
    repeated,
    visit::SignedIn,
};

/// GET /console/workspaces/new
pub(crate) async fn ask(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    Ok(new(&user, "", &Faults::default()))
}

/// POST /console/workspaces/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&sent, &console)?;
    let (form, parts) = (sent.digest(&request, &user.secret), console.clone());
    let work = async move { create(&parts, &user, sent.one("name")).await };
    console.repeated.answer(form, work).await
}

async fn create(console: &Console, user: &SignedIn, name: &str) -> Result<HttpResponse, Refusal> {
    let (id, now) = (user.session.user, console.parts.clock.now());
    let store = &console.parts.accounts.workspaces;
    match store.create(name, id, DEFAULT_PLAN, &user.actor(), now).await {
        Ok(made) => Ok(go(&workspace_path(made.id, ""))),
        Err(error) => {
            let mut faults = Faults::default();
            faults.add("name", change_fault(error)?);
            Ok(new(user, name, &faults))
        }
    }
}

/// GET /console/w/{workspace_id}/settings
pub(crate) async fn settings(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Admin).await?;
    let is_changed = request.query_string() == "changed";
    Ok(page(&here, here.name(), is_changed, &Faults::default()))
}

/// POST /console/w/{workspace_id}/settings
pub(crate) async fn change(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &id, Role::Admin).await?;
    here.user.check(&sent, &console)?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let store = &console.parts.accounts.workspaces;
    match store.rename(here.id(), sent.one("name"), &actor, now).await {
        Ok(_) => Ok(go(&format!("{}?changed", workspace_path(here.id(), "settings")))),
        Err(error) => {
            let mut faults = Faults::default();
            faults.add("name", change_fault(error)?);
            Ok(page(&here, sent.one("name"), false, &faults))
        }
    }
}

fn new(user: &SignedIn, name: &str, faults: &Faults) -> HttpResponse {
    let content = html! {
        (faults.summary())
        form.card method="post" action="/console/workspaces/new" {
            (user.token_field())
            (repeated::field())
            (Field::new("name", "Name", name).max(100).faults(faults)
                .hint("A workspace holds domains, people and keys, and has its own plan and credits.").line())
            div.actions { button type="submit" { "Create the workspace" } }
        }
    };
    Page::new("Create a workspace", Some(user.owner()))
        .status(status(faults))
        .with(&content)
}

fn page(here: &InWorkspace, name: &str, is_changed: bool, faults: &Faults) -> HttpResponse {
    let content = html! {
        @if is_changed { (notice::done("The workspace has its new name.")) }
        (faults.summary())
        form.card method="post" action=(workspace_path(here.id(), "settings")) {
            (here.user.token_field())
            (Field::new("name", "Name", name).max(100).faults(faults).line())
            div.actions { button type="submit" { "Change the name" } }
        }
        p { a href="/console/workspaces/new" { "Create another workspace" } }
    };
    Page::new("Settings", Some(here.user.owner()))
        .at(here.place("settings"))
        .status(status(faults))
        .with(&content)
}

fn status(faults: &Faults) -> StatusCode {
    if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    }
}
