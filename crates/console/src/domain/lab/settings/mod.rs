//! The pages of a domain that lab tests are run of, and the budgets that they are held to.

pub(crate) mod budgets;
pub(crate) mod pages;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{SyntheticBudgetId, SyntheticUrlId},
    module::Module,
    role::Role,
    settings::{ChangeError, Faults as Judge},
};
use pharos_synthetic::{
    budget::{Budget, BudgetDirection, KeptBudget},
    page::{PageSettings, Schedule, TrackedPage},
    store::{ChangedPage, SealedSecrets},
};
use serde_json::{Value, json};

use super::{budget_state, device, first_path, status, test_path, words};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, changed, judged},
    },
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{fault, go, moment},
    parts::{
        form::Faults,
        mark::{self, Tone},
        notice,
        table::{Column, Part, Table, figure_cell},
    },
    refusal::Refusal,
    shown::shown,
};

/// Who changes them, as at the API.
const CHANGERS: Role = Role::Member;

/// Where the page is, below the domain's.
pub(crate) fn below_domain() -> String {
    format!("{}/settings", Module::Synthetic.as_str())
}

/// GET /console/domains/{domain_id}/synthetic/settings
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.needs(Module::Synthetic)?;
    page(&console, &here, request.query_string(), None).await
}

/// POST /console/domains/{domain_id}/synthetic/settings: the schedule of a page is switched on or off; a page or a budget goes.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console
        .changer(&request, &id, (CHANGERS, Module::Synthetic), &sent)
        .await?;
    // Whose subscription has ended may still end what they have.
    if sent.one("do") == "on" {
        here.writable()?;
    }
    let outcome = match sent.one("do") {
        step @ ("on" | "off") => switch(&console, &here, page_of(&sent)?, step == "on").await?,
        "untrack" => untrack(&console, &here, page_of(&sent)?).await?,
        "drop" => drop_budget(&console, &here, &sent).await?,
        _ => return Err(Refusal::NoForm),
    };
    if let Changed::Faulty(faults) = outcome {
        return page(&console, &here, "", Some(&faults)).await;
    }
    outdate(&console, &here).await;
    Ok(go(&format!("{}?{}", path(&here), sent.one("do"))))
}

fn page_of(sent: &Form) -> Result<SyntheticUrlId, Refusal> {
    sent.one("page").parse().map_err(|_| Refusal::NoForm)
}

async fn switch(
    console: &Console,
    here: &AtDomain,
    id: SyntheticUrlId,
    enabled: bool,
) -> Result<Changed, Refusal> {
    let noted = noting(console, here, json!({ "url_id": id, "enabled": enabled }));
    let now = console.parts.clock.now();
    let change = |page: &TrackedPage, secrets: &SealedSecrets| {
        let settings = PageSettings {
            enabled,
            ..page.settings.clone()
        };
        let mut judge = Judge::default();
        settings.check(&mut judge);
        judge.or(|| ChangedPage {
            next_run_at: settings.next_run(page.id, now),
            settings,
            secrets: secrets.clone(),
        })
    };
    let updated = console.parts.lab.change(&noted, id, &change, now).await;
    judged(there(updated)?)
}

async fn untrack(console: &Console, here: &AtDomain, id: SyntheticUrlId) -> Result<Changed, Refusal> {
    let noted = noting(console, here, json!({ "url_id": id, "deleted": true }));
    let now = console.parts.clock.now();
    match console.parts.lab.untrack(&noted, id, now).await {
        Ok(true) => Ok(Changed::Done),
        Ok(false) => Err(Refusal::NoPage),
        Err(error) => judged::<()>(Err(ChangeError::from(error))),
    }
}

async fn drop_budget(console: &Console, here: &AtDomain, sent: &Form) -> Result<Changed, Refusal> {
    let id: SyntheticBudgetId = sent.one("budget").parse().map_err(|_| Refusal::NoForm)?;
    let noted = noting(console, here, json!({ "budget_id": id, "deleted": true }));
    let change = |present: &[Budget]| Budget::without(present, id);
    judged(console.parts.lab.change_budgets(&noted, &change).await)
}

fn noting(console: &Console, here: &AtDomain, details: Value) -> Charged<DomainAccess> {
    changed(console, here, Module::Synthetic, details)
}

/// Whether the domain has the module is told by the platform, too.
async fn outdate(console: &Console, here: &AtDomain) {
    for module in [Module::Synthetic, Module::Platform] {
        console.parts.answers.outdated(here.id(), module).await;
    }
}

/// The outcome of a change of a page. A page that is no longer tracked has no settings, so it refuses the request.
fn there<E>(updated: Result<Option<TrackedPage>, E>) -> Result<Result<TrackedPage, E>, Refusal> {
    updated.transpose().ok_or(Refusal::NoPage)
}

fn path(here: &AtDomain) -> String {
    domain_path(here.id(), &below_domain())
}

/// The page. `done` says what was done just now, `faults` why it was not.
async fn page(
    console: &Console,
    here: &AtDomain,
    done: &str,
    faults: Option<&Faults>,
) -> Result<HttpResponse, Refusal> {
    let (lab, access) = (&console.parts.lab, &here.access);
    let (domain, pages, budgets) = tokio::try_join!(
        named(console, here),
        async { Ok::<_, Refusal>(lab.pages(access).await?) },
        async { Ok::<_, Refusal>(lab.budgets(access).await?) },
    )?;
    let part = Part::of(&pages, done);
    let done = match done {
        "tracked" => Some("The page is tested from now on."),
        "edited" => Some("The page is changed."),
        "on" => Some("The page is tested by its schedule again."),
        "off" => Some("The page is tested only when somebody asks for it."),
        "untrack" => Some("The page is tested no longer. Its tests stay; its budgets are gone."),
        "set" => {
            Some("The budget is set, and judged by the newest tests. Each test from now on is held to it.")
        }
        "drop" => Some("The budget is gone."),
        _ => None,
    };
    let may_change = here.role() >= CHANGERS;
    let may_add = may_change && here.writable().is_ok();
    let content = html! {
        @if let Some(done) = done { (notice::done(done)) }
        @if let Some(faults) = faults { (fault(Some(&faults.in_words()))) }
        p { a href=(domain_path(here.id(), &first_path())) { "Figures over time, and all tests with their pictures" } }
        h2 { "Pages" }
        @if may_add { div.actions { a.button href={ (path(here)) "/pages/new" } { "Add a page" } } }
        (page_table(here, part.items, may_change))
        (part.pages(&path(here)))
        h2 { "Budgets" }
        p.note { "A budget bounds a figure. Each test says which it keeps, and an alert rule can watch that." }
        @if may_add { div.actions { a.button href={ (path(here)) "/budgets/new" } { "Add a budget" } } }
        (budget_table(here, &budgets, &pages, may_change))
    };
    Ok(frame(here, &domain.title, Module::Synthetic.as_str())
        .part("Pages and budgets")
        .status(faults.map_or(StatusCode::OK, Faults::status))
        .with(&content))
}

fn page_table(here: &AtDomain, pages: &[TrackedPage], may_change: bool) -> Markup {
    let mut columns = vec![
        Column::text("Page"),
        Column::text("Devices"),
        Column::text("Tested"),
        Column::figure("Loads").spare(),
        Column::text("Last test"),
    ];
    if may_change {
        columns.push(Column::text("Change"));
    }
    let rows = pages.iter().map(|page| {
        let mut row = page_row(here, page);
        if may_change {
            row.push(page_buttons(here, page));
        }
        row
    });
    let table = Table {
        caption: "Pages",
        columns: &columns,
        rows: rows.collect(),
    };
    table.show(&notice::empty(
        "No page is tested yet",
        &html! { p { "Begin with the first page of the site, as a phone loads it, once a day." } },
    ))
}

fn page_row(here: &AtDomain, page: &TrackedPage) -> Vec<Markup> {
    let settings = &page.settings;
    vec![
        html! {
            @if let Some(label) = &settings.label { bdi { (shown(label)) } " " span.note { bdi { (shown(&settings.url)) } } }
            @else { bdi { (shown(&settings.url)) } }
        },
        html! {
            @for (at, profile) in settings.profile_ids.iter().enumerate() {
                @if at > 0 { ", " }
                (device(profile))
            }
        },
        html! {
            @if settings.enabled { (every(settings.schedule)) } @else { (mark::state(Tone::Calm, "Off")) }
            @if let Some(at) = page.next_run_at { span.note { " next " (moment(at)) } }
        },
        html! { (settings.runs_per_test) },
        html! {
            @match &page.last_run {
                Some(run) => {
                    (status(run.status)) " "
                    a href=(domain_path(here.id(), &test_path(run.id))) { (moment(run.requested_at)) }
                }
                None => { span.none { "none" } }
            }
        },
    ]
}

fn page_buttons(here: &AtDomain, page: &TrackedPage) -> Markup {
    let settings = &page.settings;
    let name = shown(settings.label.as_deref().unwrap_or(&settings.url));
    let switch = if settings.enabled {
        Some(("off", "Switch off"))
    } else {
        here.writable().is_ok().then_some(("on", "Switch on"))
    };
    html! {
        form method="post" action=(path(here)) {
            (here.user.token_field())
            input type="hidden" name="page" value=(page.id);
            div.actions {
                @if here.writable().is_ok() {
                    a.button.quiet href={ (path(here)) "/pages/" (page.id) } aria-label={ "Edit: " (name) } { "Edit" }
                }
                @if let Some((step, label)) = switch {
                    button.quiet type="submit" name="do" value=(step) aria-label={ (label) ": " (name) } { (label) }
                }
                button.danger type="submit" name="do" value="untrack" aria-label={ "Test no longer: " (name) } { "Test no longer" }
            }
        }
    }
}

fn budget_table(here: &AtDomain, budgets: &[KeptBudget], pages: &[TrackedPage], may_change: bool) -> Markup {
    let mut columns = vec![
        Column::text("Figure"),
        Column::text("Bound"),
        Column::text("Page"),
        Column::text("Device").spare(),
        Column::figure("Last value"),
        Column::text("Stands"),
    ];
    if may_change {
        columns.push(Column::text("Change"));
    }
    let rows = budgets.iter().map(|kept| {
        let mut row = budget_row(here, kept, pages);
        if may_change {
            row.push(budget_buttons(here, &kept.budget));
        }
        row
    });
    let table = Table {
        caption: "Budgets",
        columns: &columns,
        rows: rows.collect(),
    };
    table.show(&notice::empty(
        "No budget yet",
        &html! { p { "Begin with Largest Contentful Paint of at most 2500 ms: that is what visitors feel as good." } },
    ))
}

fn budget_row(here: &AtDomain, kept: &KeptBudget, pages: &[TrackedPage]) -> Vec<Markup> {
    let budget = &kept.budget;
    let written = words(budget.metric.unit());
    let bound = match budget.direction {
        BudgetDirection::Max => "at most",
        BudgetDirection::Min => "at least",
    };
    let state = budget_state(kept.last_result, budget.metric, kept.last_run_id.is_some());
    vec![
        html! { (budget.metric.name()) },
        html! { (bound) " " span.figure { (written(budget.limit)) } },
        html! {
            @match budget.url_id {
                None => "all",
                Some(id) => {
                    @match pages.iter().find(|page| page.id == id) {
                        Some(page) => { bdi.long { (shown(name_of(page))) } }
                        None => { span.none { "none" } }
                    }
                }
            }
        },
        html! { @match &budget.profile_id { None => "all", Some(profile) => (device(profile)) } },
        figure_cell(kept.last_value, written),
        html! {
            @match kept.last_run_id {
                Some(run) => { a href=(domain_path(here.id(), &test_path(run))) { (state) } }
                None => { (state) }
            }
        },
    ]
}

fn budget_buttons(here: &AtDomain, budget: &Budget) -> Markup {
    let name = budget.metric.name();
    html! {
        form method="post" action=(path(here)) {
            (here.user.token_field())
            input type="hidden" name="budget" value=(budget.id);
            div.actions {
                @if here.writable().is_ok() {
                    a.button.quiet href={ (path(here)) "/budgets/" (budget.id) } aria-label={ "Edit: " (name) } { "Edit" }
                }
                button.danger type="submit" name="do" value="drop" aria-label={ "Delete: " (name) } { "Delete" }
            }
        }
    }
}

/// A page as choices and tables name it.
fn name_of(page: &TrackedPage) -> &str {
    page.settings.label.as_deref().unwrap_or(&page.settings.url)
}

/// A schedule in words.
fn every(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Manual => "when somebody asks for it",
        Schedule::Hourly => "every hour",
        Schedule::Every6Hours => "every 6 hours",
        Schedule::Daily => "every day",
        Schedule::Weekly => "every week",
    }
}
