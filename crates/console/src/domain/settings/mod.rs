//! The settings of a domain, for those who look after it.

mod collected;
mod delete;
pub(super) mod entries;
mod hosts;
mod intervals;
mod judgement;
mod maintenance;
mod ownership;
mod search;
mod switches;
mod uptime;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{credits::Charged, identity::DomainAccess, module::Module, settings::ChangeError};
use serde_json::{Value, json};

use super::{add::CHANGERS, first_steps::script_tag, frame, named, tabs::SETTINGS};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    nav::{domain_path, workspace_path},
    page::go,
    parts::{
        form::{Faults, at_fields},
        notice,
    },
    refusal::Refusal,
};

/// The faults of the page's forms.
#[derive(Default)]
struct Wrong {
    uptime: Option<(uptime::Fields, Faults)>,
    judgement: Option<(judgement::Fields, Faults)>,
    maintenance: Option<(maintenance::Fields, Faults)>,
    search: Option<(search::Fields, Faults)>,
    analytics: Option<(collected::Fields, Faults)>,
    vitals: Option<(collected::Fields, Faults)>,
    switches: Option<(Module, Faults)>,
    intervals: Option<Faults>,
    hosts: Option<(hosts::Fields, Faults)>,
    ownership: Option<String>,
    delete: Option<String>,
}

impl Wrong {
    fn is_none(&self) -> bool {
        self.uptime.is_none()
            && self.judgement.is_none()
            && self.maintenance.is_none()
            && self.search.is_none()
            && self.analytics.is_none()
            && self.vitals.is_none()
            && self.switches.is_none()
            && self.intervals.is_none()
            && self.hosts.is_none()
            && self.ownership.is_none()
            && self.delete.is_none()
    }
}

/// GET /console/domains/{domain_id}/settings
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    page(&console, &here, request.query_string(), Wrong::default()).await
}

/// POST /console/domains/{domain_id}/settings
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    // Whose subscription has ended may still say what is theirs, and go.
    if !matches!(sent.one("do"), "verify" | "delete") {
        here.writable()?;
    }
    let mut wrong = Wrong::default();
    let (module, done) = match sent.one("do") {
        "uptime" if here.has(Module::Uptime) => {
            wrong.uptime = uptime::submit(&console, &here, &sent).await?.err();
            (Module::Uptime, "saved#uptime")
        }
        "judgement" if here.has(Module::Uptime) => {
            wrong.judgement = judgement::submit(&console, &here, &sent).await?.err();
            (Module::Uptime, "saved#judgement")
        }
        "maintenance" if here.has(Module::Uptime) => {
            wrong.maintenance = maintenance::add(&console, &here, &sent).await?.err();
            (Module::Uptime, "saved#maintenance_windows")
        }
        "maintenance-end" if here.has(Module::Uptime) => {
            maintenance::end(&console, &here, &sent).await?;
            (Module::Uptime, "saved#maintenance_windows")
        }
        "gsc" if here.has(Module::Gsc) => {
            wrong.search = search::submit(&console, &here, &sent).await?.err();
            (Module::Gsc, "saved#gsc")
        }
        "analytics" if here.has(Module::Analytics) => {
            let outcome = switches::submit(&console, &here, Module::Analytics, &sent).await?;
            wrong.switches = outcome.err().map(|faults| (Module::Analytics, faults));
            (Module::Analytics, "saved#collection")
        }
        "rum" if here.has(Module::Rum) => {
            let outcome = switches::submit(&console, &here, Module::Rum, &sent).await?;
            wrong.switches = outcome.err().map(|faults| (Module::Rum, faults));
            (Module::Rum, "saved#collection")
        }
        "analytics-lists" if here.has(Module::Analytics) => {
            let outcome = collected::submit(&console, &here, Module::Analytics, &sent).await?;
            wrong.analytics = outcome.err();
            (Module::Analytics, "saved#collection")
        }
        "rum-lists" if here.has(Module::Rum) => {
            let outcome = collected::submit(&console, &here, Module::Rum, &sent).await?;
            wrong.vitals = outcome.err();
            (Module::Rum, "saved#collection")
        }
        "hosts" if has_crawl(&here) => {
            wrong.hosts = hosts::submit(&console, &here, &sent).await?.err();
            (Module::Robots, "saved#further-hosts")
        }
        "intervals" if has_crawl(&here) => {
            wrong.intervals = intervals::submit(&console, &here, &sent).await?.err();
            (Module::Robots, "saved#crawl-intervals")
        }
        "verify" => {
            wrong.ownership = ownership::submit(&console, &here, &sent).await?.err();
            (Module::Platform, "verified#ownership")
        }
        "delete" => {
            wrong.delete = delete::submit(&console, &here, &sent).await?.err();
            if wrong.is_none() {
                let deleted = workspace_path(here.workspace(), "domains/deleted");
                return Ok(go(&format!("{deleted}?deleted")));
            }
            (Module::Platform, "")
        }
        _ => return Err(Refusal::NoForm),
    };
    if !wrong.is_none() {
        return page(&console, &here, "", wrong).await;
    }
    for outdated in [module, Module::Platform] {
        console.parts.answers.outdated(here.id(), outdated).await;
    }
    Ok(go(&format!("{}?{done}", action(&here))))
}

/// Whether the workspace's plan has robots.txt or sitemaps.
fn has_crawl(here: &AtDomain) -> bool {
    here.has(Module::Robots) || here.has(Module::Sitemap)
}

/// The page. `done` says what was done just now.
async fn page(console: &Console, here: &AtDomain, done: &str, wrong: Wrong) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let status = if wrong.is_none() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    let monitoring = match wrong.uptime {
        Some((fields, faults)) => uptime::section(here, &fields, &faults),
        None if here.has(Module::Uptime) => {
            let fields = uptime::Fields::stored(console, here).await?;
            uptime::section(here, &fields, &Faults::default())
        }
        None => html! {},
    };
    let judging = judging(console, here, wrong.judgement).await?;
    let planned = planned(console, here, wrong.maintenance).await?;
    let search = match wrong.search {
        Some((fields, faults)) => search::section(here, &fields, &faults),
        None if here.has(Module::Gsc) => {
            let fields = search::Fields::stored(console, here).await?;
            search::section(here, &fields, &Faults::default())
        }
        None => html! {},
    };
    let visits = lists(console, here, Module::Analytics, wrong.analytics).await?;
    let speed = lists(console, here, Module::Rum, wrong.vitals).await?;
    let further = match wrong.hosts {
        Some((fields, faults)) => hosts::section(here, &fields, &faults),
        None if has_crawl(here) => {
            hosts::section(here, &hosts::stored(console, here).await?, &Faults::default())
        }
        None => html! {},
    };
    let intervals = if has_crawl(here) {
        let faults = wrong.intervals.unwrap_or_default();
        intervals::section(here, intervals::stored(console, here).await?, &faults)
    } else {
        html! {}
    };
    let content = html! {
        @match done {
            "saved" => (notice::done("The settings were saved.")),
            "verified" => (notice::done("The domain is verified.")),
            _ => {}
        }
        (monitoring)
        (judging)
        (planned)
        @if here.has(Module::Analytics) || here.has(Module::Rum) {
            section id="collection" aria-labelledby="collection-head" {
                h2 id="collection-head" { "What visitors’ browsers send" }
                (script_tag(console, here).await?)
                (switches::sections(console, here, wrong.switches.as_ref()).await?)
                (visits)
                (speed)
            }
        }
        (search)
        (intervals)
        (further)
        (ownership::section(here, &domain, wrong.ownership.as_deref()))
        (delete::form(here, &domain.hostname, wrong.delete.as_deref()))
    };
    Ok(frame(here, &domain.title, SETTINGS).status(status).with(&content))
}

/// The form of what counts as down, once there is a monitor.
async fn judging(
    console: &Console,
    here: &AtDomain,
    wrong: Option<(judgement::Fields, Faults)>,
) -> Result<Markup, Refusal> {
    if let Some((fields, faults)) = wrong {
        return Ok(judgement::section(here, &fields, &faults));
    }
    let is_monitored = here.has(Module::Uptime) && maintenance::stored(console, here).await?.is_some();
    if !is_monitored {
        return Ok(html! {});
    }
    let fields = judgement::Fields::stored(console, here).await?;
    Ok(judgement::section(here, &fields, &Faults::default()))
}

/// The maintenance windows, once there is a monitor.
async fn planned(
    console: &Console,
    here: &AtDomain,
    wrong: Option<(maintenance::Fields, Faults)>,
) -> Result<Markup, Refusal> {
    let stored = if here.has(Module::Uptime) {
        maintenance::stored(console, here).await?
    } else {
        None
    };
    let (fields, faults) = wrong.unwrap_or_else(|| (maintenance::Fields::new(), Faults::default()));
    Ok(match stored {
        Some(windows) => maintenance::section(here, &windows, &fields, &faults),
        None => html! {},
    })
}

/// The collected parts of visits or of speed, where the plan has the module.
async fn lists(
    console: &Console,
    here: &AtDomain,
    module: Module,
    wrong: Option<(collected::Fields, Faults)>,
) -> Result<Markup, Refusal> {
    if !here.has(module) {
        return Ok(html! {});
    }
    let (fields, faults) = match wrong {
        Some(wrong) => wrong,
        None => {
            let stored = collected::Fields::stored(console, here, module).await?;
            (stored, Faults::default())
        }
    };
    Ok(collected::section(here, &fields, &faults))
}

/// Where the forms of the page go.
fn action(here: &AtDomain) -> String {
    domain_path(here.id(), SETTINGS)
}

/// The way to a store that changes settings: nobody pays for a change at the console, and it is noted in the audit trail.
pub(super) fn changed(
    console: &Console,
    here: &AtDomain,
    module: Module,
    mut details: Value,
) -> Charged<DomainAccess> {
    details["module"] = json!(module);
    here.noting(console, "domain.configure", here.id().to_string(), details)
}

/// The end of a change that was in order.
pub(super) enum Changed {
    Done,
    Faulty(Faults),
}

/// The outcome of a change of settings. Its faults stand at the fields of the same names.
pub(super) fn judged<T>(result: Result<T, ChangeError>) -> Result<Changed, Refusal> {
    match result {
        Ok(_) => Ok(Changed::Done),
        Err(ChangeError::Faults(found)) => {
            let mut faults = Faults::default();
            for (field, why) in at_fields(found) {
                faults.add(field, why);
            }
            Ok(Changed::Faulty(faults))
        }
        Err(ChangeError::Unsettled(pharos_domain::credits::SettleError::Store(error))) => Err(error.into()),
        Err(error) => {
            tracing::error!(%error, "a setting can't be changed at the console");
            Err(Refusal::Internal)
        }
    }
}
