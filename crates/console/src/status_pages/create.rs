//! A new status page.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;

use super::{
    CHANGERS,
    fields::{Fields, faults_of},
    form, form_frame,
};
use crate::{
    console::Console, enter::InWorkspace, form::Form, nav::workspace_path, page::go, parts::form::Faults,
    refusal::Refusal, repeated,
};

/// GET /console/w/{workspace_id}/status-pages/new
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    page(&console, &here, &Fields::default(), &Faults::default()).await
}

/// POST /console/w/{workspace_id}/status-pages/new
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
    let (form, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { create(&parts, &here, &sent).await };
    console.repeated.answer(form, work).await
}

async fn create(console: &Console, here: &InWorkspace, sent: &Form) -> Result<HttpResponse, Refusal> {
    let fields = Fields::sent(sent);
    let settings = match fields.judged(console, here, &[]).await? {
        Ok(settings) => settings,
        Err(faults) => return page(console, here, &fields, &faults).await,
    };
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let pages = &console.parts.monitors.status_pages;
    match pages.create(&here.access, &settings, &actor, now).await {
        Ok(_) => Ok(go(&format!("{}?made", workspace_path(here.id(), "status-pages")))),
        Err(error) => page(console, here, &fields, &faults_of(error)?).await,
    }
}

async fn page(
    console: &Console,
    here: &InWorkspace,
    fields: &Fields,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let shown = fields.show(console, here, faults).await?;
    let shown = html! { (repeated::field()) (shown) };
    let action = workspace_path(here.id(), "status-pages/new");
    let content = html! { (form(here, &action, &shown, "Add the status page")) };
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(form_frame(here, "Add a status page")
        .status(status)
        .with(&content))
}
