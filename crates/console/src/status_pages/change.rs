//! Changing a status page, and deleting it.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_domain::{ids::StatusPageId, settings::SettingFault};
use pharos_uptime::status_page::{StatusPage, StatusPageSettings};

use super::{
    CHANGERS,
    fields::{Fields, faults_of},
    form, form_frame,
};
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::go,
    parts::{danger::Danger, form::Faults},
    refusal::Refusal,
    shown::shown,
};

/// GET /console/w/{workspace_id}/status-pages/{page_id}
pub(crate) async fn ask(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (here, page) = find(&console, &request, &path).await?;
    let fields = Fields::stored(&page.settings);
    show(&console, &here, &page, &fields, &Faults::default()).await
}

/// POST /console/w/{workspace_id}/status-pages/{page_id}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (here, page) = find(&console, &request, &path).await?;
    here.user.check(&sent, &console)?;
    here.writable()?;
    let fields = Fields::sent(&sent);
    let settings = match fields.judged(&console, &here, &page.settings.domains).await? {
        Ok(settings) => settings,
        Err(faults) => return show(&console, &here, &page, &fields, &faults).await,
    };
    let change = |present: Option<&StatusPageSettings>| -> Result<StatusPageSettings, Vec<SettingFault>> {
        present.map_or(Ok(()), |present| fields.as_seen(present))?;
        Ok(settings.clone())
    };
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let pages = &console.parts.monitors.status_pages;
    match pages.update(&here.access, page.id, &change, &actor, now).await {
        Ok(()) => Ok(go(&format!(
            "{}?changed",
            workspace_path(here.id(), "status-pages")
        ))),
        Err(error) => show(&console, &here, &page, &fields, &faults_of(error)?).await,
    }
}

/// POST /console/w/{workspace_id}/status-pages/{page_id}/delete
pub(crate) async fn delete(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (here, page) = find(&console, &request, &path).await?;
    here.user.check(&sent, &console)?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let pages = &console.parts.monitors.status_pages;
    match pages.delete(&here.access, page.id, &actor, now).await {
        Ok(()) => Ok(go(&format!(
            "{}?deleted",
            workspace_path(here.id(), "status-pages")
        ))),
        Err(error) => {
            let fields = Fields::stored(&page.settings);
            show(&console, &here, &page, &fields, &faults_of(error)?).await
        }
    }
}

async fn find(
    console: &Console,
    request: &HttpRequest,
    (workspace, page): &(String, String),
) -> Result<(InWorkspace, StatusPage), Refusal> {
    let here = console.in_workspace(request, workspace, CHANGERS).await?;
    let id: StatusPageId = page.parse().map_err(|_| Refusal::NoPage)?;
    let page = console.parts.monitors.status_pages.find(&here.access, id).await?;
    let page = page.ok_or(Refusal::NoPage)?;
    Ok((here, page))
}

async fn show(
    console: &Console,
    here: &InWorkspace,
    page: &StatusPage,
    fields: &Fields,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let inputs = fields.show(console, here, faults).await?;
    let action = workspace_path(here.id(), &format!("status-pages/{}", page.id));
    let danger = Danger {
        title: "Delete this status page",
        meaning: "Its address leads nowhere then, until a page takes it again. The sites and what is known of them stay.",
        action: &format!("{action}/delete"),
        hidden: here.user.token_field(),
        button: "Delete",
        typed: None,
        fault: None,
    };
    let content = html! {
        (form(here, &action, &inputs, "Save"))
        (danger.show())
    };
    let title = shown(&page.settings.title);
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    let public =
        html! { a.button.quiet href={ "/status/" (page.settings.slug.as_str()) } { "See the page" } };
    Ok(form_frame(here, &title)
        .actions(public)
        .status(status)
        .with(&content))
}
