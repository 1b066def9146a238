//! The deleted domains of a workspace, as long as they can be restored.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::admin::{
    AdminError,
    domains::{DomainDetails, RESTORABLE_FOR},
};
use pharos_domain::ids::DomainId;
use time::OffsetDateTime;

use super::add::CHANGERS;
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::{domain_path, workspace_path},
    page::{Page, fault, go, moment},
    parts::{
        notice,
        table::{Column, Part, Table},
    },
    refusal::{Refusal, change_fault},
    repeated,
    shown::shown,
};

/// GET /console/w/{workspace_id}/domains/deleted
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    page(&console, &here, request.query_string(), None).await
}

/// POST /console/w/{workspace_id}/domains/deleted
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
    let id: DomainId = sent.one("domain").parse().map_err(|_| Refusal::NoPage)?;
    let (digest, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { restore(&parts, &here, id).await };
    console.repeated.answer(digest, work).await
}

async fn restore(console: &Console, here: &InWorkspace, id: DomainId) -> Result<HttpResponse, Refusal> {
    let deleted = console.parts.domains.deleted(here.id()).await?;
    if !deleted.iter().any(|domain| domain.id == id) {
        return Err(Refusal::NoPage);
    }
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let why = match console.parts.domains.restore(id, &actor, now).await {
        Ok(restored) => return Ok(go(&format!("{}?restored", domain_path(restored.id, "")))),
        Err(AdminError::Exists(_)) => {
            "The workspace has another domain of this name by now. Delete that one to restore this."
                .to_owned()
        }
        Err(error) => change_fault(error)?,
    };
    page(console, here, "", Some(&why)).await
}

async fn page(
    console: &Console,
    here: &InWorkspace,
    query: &str,
    why: Option<&str>,
) -> Result<HttpResponse, Refusal> {
    let now = console.parts.clock.now();
    let mut domains = console.parts.domains.deleted(here.id()).await?;
    domains.retain(|domain| domain.is_restorable(now));
    let days = RESTORABLE_FOR.whole_days();
    let part = Part::of(&domains, query);
    let table = Table {
        caption: "Deleted domains",
        columns: &[
            Column::text("Domain"),
            Column::text("Deleted"),
            Column::text("Erased from"),
            Column::text("Restore"),
        ],
        rows: part.items.iter().map(|domain| row(here, domain)).collect(),
    };
    let empty = notice::empty(
        "No deleted domain",
        &html! { p { "A domain that you delete stands here for " (days) " days, and can be restored with all its data." } },
    );
    let content = html! {
        @if query == "deleted" { (notice::done("The domain was deleted. Nothing checks it, and its pages and API answer no more.")) }
        (fault(why))
        (table.show(&empty))
        (part.pages(&workspace_path(here.id(), "domains/deleted")))
        @if !domains.is_empty() {
            p.note { "After " (days) " days a domain is erased with all its data. Nobody brings it back then." }
        }
    };
    let status = if why.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Ok(Page::new("Deleted domains", Some(here.user.owner()))
        .at(here.place(""))
        .below(workspace_path(here.id(), ""), shown(here.name()))
        .status(status)
        .wide()
        .with(&content))
}

fn row(here: &InWorkspace, domain: &DomainDetails) -> Vec<Markup> {
    let name = domain.display_name.as_deref().unwrap_or(&domain.domain);
    let at = |at: Option<OffsetDateTime>| html! { @if let Some(at) = at { (moment(at)) } };
    vec![
        html! {
            bdi { (shown(name)) }
            @if domain.display_name.is_some() { span.note { (domain.domain) } }
        },
        at(domain.deleted_at),
        at(domain.restorable_until()),
        html! {
            form method="post" action=(workspace_path(here.id(), "domains/deleted")) {
                (here.user.token_field())
                (repeated::field())
                input type="hidden" name="domain" value=(domain.id);
                button.quiet type="submit" aria-label={ "Restore " (domain.domain) } { "Restore" }
            }
        },
    ]
}
