//! A new domain of a workspace.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::admin::{AdminError, check_name, domains::check_hostname};
use pharos_domain::{
    hostname::{Hostname, MalformedHostname},
    hourly_limit::HourlyLimit,
    role::Role,
};

use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::{domain_path, workspace_path},
    page::{Page, go},
    parts::form::{Faults, Field},
    refusal::{Refusal, change_fault},
    repeated,
    shown::shown,
};

/// Who may add one, delete it, and change its settings.
pub(crate) const CHANGERS: Role = Role::Admin;

/// How many domains an hour one user may add: each is a site that Pharos begins to read.
const ADDED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-add-domain",
    per_hour: 120,
};

/// GET /console/w/{workspace_id}/domains/new
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    Ok(page(&here, "", "", &Faults::default()))
}

/// POST /console/w/{workspace_id}/domains/new
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
    let work = async move { add(&parts, &here, &sent).await };
    console.repeated.answer(form, work).await
}

async fn add(console: &Console, here: &InWorkspace, sent: &Form) -> Result<HttpResponse, Refusal> {
    let (hostname, name) = (sent.one("hostname").trim(), sent.one("display_name").trim());
    let mut faults = Faults::default();
    let parsed = parse(hostname);
    if let Err(why) = &parsed {
        faults.add("hostname", why);
    }
    if !name.is_empty()
        && let Err(error) = check_name("the name for people", name)
    {
        faults.add("display_name", change_fault(error)?);
    }
    let Some(parsed) = parsed.ok().filter(|_| faults.is_empty()) else {
        return Ok(page(here, hostname, name, &faults));
    };
    console.admit(&here.user, ADDED_PER_HOUR).await?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let name_given = Some(name).filter(|name| !name.is_empty());
    let domains = &console.parts.domains;
    match domains.add(here.id(), &parsed, name_given, &actor, now).await {
        Ok(added) => Ok(go(&format!("{}?added", domain_path(added.id, "")))),
        Err(AdminError::Exists(_)) => {
            faults.add("hostname", format!("{parsed} is in this workspace already."));
            Ok(page(here, hostname, name, &faults))
        }
        Err(error) => {
            faults.add("hostname", change_fault(error)?);
            Ok(page(here, hostname, name, &faults))
        }
    }
}

/// A name in its one spelling, or why it is none of a site.
fn parse(text: &str) -> Result<Hostname, String> {
    let hostname: Hostname = text.parse().map_err(|MalformedHostname| {
        "Give the name alone, such as shop.example: no https://, port, path or IP address.".to_owned()
    })?;
    check_hostname(&hostname).map_err(|error| error.to_string())?;
    Ok(hostname)
}

/// The form, for its own page and for an overview that has no domain yet.
pub(crate) fn form(here: &InWorkspace, hostname: &str, name: &str, faults: &Faults) -> Markup {
    html! {
        (faults.summary())
        form.card method="post" action=(workspace_path(here.id(), "domains/new")) {
            (here.user.token_field())
            (repeated::field())
            (Field::new("hostname", "Domain", hostname).max(253).placeholder("shop.example").faults(faults)
                .hint("The name of the site, as it stands in its address.").line())
            (Field::new("display_name", "Name for people", name).optional().max(100).faults(faults)
                .hint("Shown in place of the domain, such as “Shop”.").line())
            div.actions { button type="submit" { "Add the domain" } }
        }
    }
}

fn page(here: &InWorkspace, hostname: &str, name: &str, faults: &Faults) -> HttpResponse {
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Page::new("Add a domain", Some(here.user.owner()))
        .at(here.place(""))
        .below(workspace_path(here.id(), ""), shown(here.name()))
        .status(status)
        .with(&form(here, hostname, name, faults))
}
