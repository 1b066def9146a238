//! Work that is done now, beside its schedule: a check, a lab test, an import, an inspection, a fetch. Each is a run of the API, which
//! this calls with the user's role, for the same credits and within the same limits (ADR 39).

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    ids::{RunId, SyntheticUrlId},
    module::Module,
    page::{ListKey, PageRequest},
    problem::Suffix,
    role::Role,
    runs::{Run, RunItems, RunKind, RunStatus},
    settings::SettingFault,
};
use pharos_http::{
    at_console,
    problem::{Fault, Problem},
    user_call::UserCall,
};
use pharos_reporting::render::labels::word;
use pharos_search::indexing::{
    store::runs::{ResultStatus, RunResult},
    target::MOST_AT_ONCE,
};
use pharos_synthetic::page::TrackedPage;
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    frame,
    index_urls::{self, URLS},
    lab::{one, settings::below_domain, test_path},
    named,
    settings::entries::tell,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{Page, fault, go, moment},
    parts::{
        facts::facts,
        form::{Faults, Field},
        mark::{self, Tone},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// Who starts it, as at the API.
const STARTERS: Role = Role::Member;
/// The hidden field by which a form that is sent twice makes one run.
pub(super) const KEY: &str = "key";
/// The field of the page that is tested.
const PAGE: &str = "page";

/// The fields that a form has besides its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    Nothing,
    Page,
    Urls,
}

/// Work of a module.
#[derive(Debug)]
struct Offer {
    module: Module,
    kind: RunKind,
    /// The operation that starts it.
    operation: &'static str,
    /// The title of its pages.
    title: &'static str,
    /// The word on its button.
    button: &'static str,
    meaning: &'static str,
    asks: Asks,
}

static OFFERS: [Offer; 6] = [
    Offer {
        module: Module::Uptime,
        kind: RunKind::UptimeCheck,
        operation: "runUptimeCheck",
        title: "A check of the site",
        button: "Check now",
        meaning: "The site is checked from each of its regions, beside the schedule. The checks count as any others do: they may \
                  confirm an outage, or end one.",
        asks: Asks::Nothing,
    },
    Offer {
        module: Module::Synthetic,
        kind: RunKind::Synthetic,
        operation: "runSyntheticTest",
        title: "A lab test",
        button: "Test now",
        meaning: "The page is measured once on its first device, beside the schedule.",
        asks: Asks::Page,
    },
    Offer {
        module: Module::Gsc,
        kind: RunKind::GscSync,
        operation: "runGscSync",
        title: "An import of search figures",
        button: "Import now",
        meaning: "The newest 3 days that Search Console has are imported again: what is stored of them is replaced.",
        asks: Asks::Nothing,
    },
    Offer {
        module: Module::Indexing,
        kind: RunKind::Inspector,
        operation: "createInspectorRun",
        title: "An inspection of URLs",
        button: "Inspect now",
        meaning: "Google is asked about each URL. Each takes one inspection of the property, of which Google grants 2,000 a day, and \
                  one of the plan. Where either has not room for all, none is inspected.",
        asks: Asks::Urls,
    },
    Offer {
        module: Module::Robots,
        kind: RunKind::RobotsCheck,
        operation: "runRobotsCheck",
        title: "A fetch of robots.txt",
        button: "Fetch now",
        meaning: "The robots.txt is fetched once, beside the schedule.",
        asks: Asks::Nothing,
    },
    Offer {
        module: Module::Sitemap,
        kind: RunKind::SitemapCheck,
        operation: "runSitemapCheck",
        title: "A fetch of the sitemaps",
        button: "Fetch now",
        meaning: "Every file that is watched is fetched once, beside the schedule. It counts as a fetch like any other: a page that two \
                  in a row miss is removed.",
        asks: Asks::Nothing,
    },
];

impl Offer {
    /// The work of the module in a path, if the plan has that.
    fn at(here: &AtDomain, module: &str) -> Result<&'static Self, Refusal> {
        let offer = OFFERS.iter().find(|offer| offer.module.as_str() == module);
        let offer = offer.ok_or(Refusal::NoPage)?;
        here.needs(offer.module)?;
        Ok(offer)
    }

    fn path(&self, here: &AtDomain) -> String {
        domain_path(here.id(), &format!("{}/now", self.module.as_str()))
    }

    fn run_path(&self, here: &AtDomain, run: RunId) -> String {
        domain_path(here.id(), &format!("{}/runs/{run}", self.module.as_str()))
    }

    /// The page that shows what a run found.
    fn found(&self, here: &AtDomain, run: RunId) -> String {
        match self.module {
            Module::Synthetic => domain_path(here.id(), &test_path(run)),
            _ => domain_path(here.id(), self.tab()),
        }
    }

    /// The path of the module's tab, below the domain's.
    fn tab(&self) -> &'static str {
        match self.module {
            Module::Uptime => "",
            module => module.as_str(),
        }
    }
}

/// A page of a module with the way to its work beside the title, for those who may start it.
pub(super) fn offered<'a>(page: Page<'a>, here: &AtDomain, module: Module) -> Page<'a> {
    let may_start = here.role() >= STARTERS && here.has(module) && here.writable().is_ok();
    let offer = OFFERS.iter().find(|offer| may_start && offer.module == module);
    match offer {
        Some(offer) => page.actions(html! {
            a.button.quiet href=(offer.path(here)) { (offer.button) }
        }),
        None => page,
    }
}

/// The fields as they are typed.
#[derive(Default)]
struct Typed {
    page: String,
    urls: String,
}

/// The page's answer to the form that was sent.
#[derive(Default)]
pub(super) struct Said {
    pub(super) status: StatusCode,
    pub(super) refused: Option<String>,
    pub(super) faults: Faults,
}

impl Said {
    /// Says for people why nothing was started; what is no fault of the form refuses the page.
    pub(super) fn of(problem: Problem) -> Result<Self, Refusal> {
        let mut said = Self {
            status: StatusCode::from_u16(problem.suffix.status()).unwrap_or(StatusCode::CONFLICT),
            ..Self::default()
        };
        match problem.suffix {
            Suffix::InternalError | Suffix::DatastoreError => return Err(Refusal::Internal),
            Suffix::CreditBalanceUnavailable => return Err(Refusal::Unavailable),
            Suffix::WorkspaceNotWritable => return Err(Refusal::NotWritable),
            Suffix::RateLimited => {
                return Err(Refusal::TooOften {
                    retry_after_seconds: problem.retry_after.unwrap_or(60),
                });
            }
            Suffix::InvalidRequest => {
                let found = problem.extras.errors.into_iter();
                let found = found
                    .map(|fault| SettingFault::new(fault.pointer.unwrap_or_default(), fault.detail))
                    .collect();
                tell("", found, &mut said.faults);
            }
            Suffix::IdempotencyKeyReuse => {
                said.refused = Some(
                    "This form was sent before with something else in it. Send it again to have this done too."
                        .to_owned(),
                );
            }
            _ => said.refused = Some(problem.detail),
        }
        Ok(said)
    }
}

/// GET /console/domains/{domain_id}/{module}/now
pub(crate) async fn ask(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (id, module) = path.into_inner();
    let here = console.at_domain(&request, &id, STARTERS).await?;
    let offer = Offer::at(&here, &module)?;
    page(
        &console,
        &request,
        &here,
        offer,
        &Typed::default(),
        &Said::default(),
    )
    .await
}

/// POST /console/domains/{domain_id}/{module}/now
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (id, module) = path.into_inner();
    let here = console.at_domain(&request, &id, STARTERS).await?;
    here.user.check(&sent, &console)?;
    let offer = Offer::at(&here, &module)?;
    here.writable()?;
    let key: Uuid = sent.one(KEY).parse().map_err(|_| Refusal::NoForm)?;
    let typed = Typed {
        page: sent.one(PAGE).to_owned(),
        urls: sent.one(URLS).to_owned(),
    };
    match start(&request, &here, offer, &typed, key).await {
        Ok(run) => Ok(go(&offer.run_path(&here, run))),
        Err(problem) => {
            let said = Said::of(problem)?;
            page(&console, &request, &here, offer, &typed, &said).await
        }
    }
}

/// Calls the operation, and gives its run. The same key with the same fields has the run of the first call.
async fn start(
    request: &HttpRequest,
    here: &AtDomain,
    offer: &Offer,
    typed: &Typed,
    key: Uuid,
) -> Result<RunId, Problem> {
    let mut path = vec![("domain_id", here.id().to_string())];
    let mut body = None;
    match offer.asks {
        Asks::Nothing => {}
        Asks::Page => {
            let page: Result<SyntheticUrlId, _> = typed.page.parse();
            let page = page.map_err(|_| {
                let why = Fault::pointer(format!("/{PAGE}"), "Choose one of the pages.");
                Problem::invalid(vec![why])
            })?;
            path.push(("url_id", page.to_string()));
        }
        Asks::Urls => body = Some(json!({ "urls": index_urls::lines(&typed.urls) })),
    }
    let call = UserCall {
        operation: offer.operation,
        identity: here.access.identity(),
        source: here.user.source(),
        path,
        body: body.as_ref(),
        key: &key.to_string(),
    };
    let answer = at_console::call(request, call).await?;
    let run = answer["run_id"].as_str().and_then(|run| run.parse().ok());
    run.ok_or_else(|| Problem::internal("a run was started that has no id"))
}

async fn page(
    console: &Console,
    request: &HttpRequest,
    here: &AtDomain,
    offer: &Offer,
    typed: &Typed,
    said: &Said,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let spec = at_console::spec(request, offer.operation).map_err(|_| Refusal::Internal)?;
    let pages = match offer.asks {
        Asks::Page => console.parts.lab.pages(&here.access).await?,
        Asks::Nothing | Asks::Urls => Vec::new(),
    };
    let content = html! {
        (fault(said.refused.as_deref()))
        (said.faults.summary())
        p { (offer.meaning) }
        @if offer.asks == Asks::Page && pages.is_empty() {
            (notice::empty("No page is tested here yet", &html! {
                p { a href=(domain_path(here.id(), &below_domain())) { "Pages that are tested, and budgets" } }
            }))
        } @else {
            form.card method="post" action=(offer.path(here)) {
                (here.user.token_field())
                input type="hidden" name=(KEY) value=(Uuid::now_v7());
                @match offer.asks {
                    Asks::Nothing => {}
                    Asks::Page => (choice(&pages, typed, &said.faults)),
                    Asks::Urls => (index_urls::field(&typed.urls, &said.faults, 6)),
                }
                p.note { "It costs the workspace " (spec.credits.price()) " credits, as by the API." }
                div.actions { button type="submit" { (offer.button) } }
            }
        }
    };
    Ok(frame(here, offer.title, offer.tab())
        .below(domain_path(here.id(), ""), domain.title)
        .status(said.status)
        .with(&content))
}

/// The choice of a page that is tested.
fn choice(pages: &[TrackedPage], typed: &Typed, faults: &Faults) -> Markup {
    let options: Vec<(String, String)> = pages
        .iter()
        .map(|page| {
            let url = shown(&page.settings.url);
            let name = match &page.settings.label {
                Some(label) => format!("{}: {url}", shown(label)),
                None => url,
            };
            (page.id.to_string(), name)
        })
        .collect();
    let options = options.iter().map(|(id, name)| (id.as_str(), name.as_str()));
    Field::new(PAGE, "Page", &typed.page)
        .faults(faults)
        .select(options)
}

/// GET /console/domains/{domain_id}/{module}/runs/{run_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (id, module, run) = path.into_inner();
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let offer = Offer::at(&here, &module)?;
    let run: RunId = run.parse().map_err(|_| Refusal::NoPage)?;
    let (runs, now) = (&console.parts.runs, console.parts.clock.now());
    let run = runs.find(&here.access, offer.kind, run, now).await?;
    let run = run.ok_or(Refusal::NoPage)?;
    let domain = named(&console, &here).await?;
    let results = match offer.asks {
        Asks::Urls => inspected(&console, &here, run.id).await?,
        Asks::Page => one::score(&console, &here, run.id).await?,
        Asks::Nothing => html! {},
    };
    let is_open = matches!(run.status, RunStatus::Queued | RunStatus::Running);
    let content = html! {
        @if let Some(why) = &run.error_detail { div.fault role="alert" { p { bdi { (shown(why)) } } } }
        (about(&run))
        (results)
        div.actions {
            @if is_open {
                a.button href=(offer.run_path(&here, run.id)) { "Look again" }
            } @else {
                a.button href=(offer.found(&here, run.id)) { "See what is known now" }
            }
        }
    };
    Ok(frame(&here, offer.title, offer.tab())
        .part("A run")
        .below(domain_path(here.id(), ""), domain.title)
        .mark(status(run.status))
        .with(&content))
}

fn status(status: RunStatus) -> Markup {
    let (tone, word) = match status {
        RunStatus::Succeeded => (Tone::Good, "Done"),
        RunStatus::Queued => (Tone::Calm, "Waits"),
        RunStatus::Running => (Tone::Calm, "Runs"),
        RunStatus::Partial => (Tone::Warn, "Done in part"),
        RunStatus::Failed => (Tone::Bad, "Failed"),
        RunStatus::Canceled => (Tone::Calm, "Called off"),
        RunStatus::Expired => (Tone::Calm, "No longer kept"),
    };
    mark::state(tone, word)
}

fn about(run: &Run) -> Markup {
    let at = |reached: Option<OffsetDateTime>| match reached {
        Some(at) => moment(at),
        None => html! { "not yet" },
    };
    let mut rows = vec![
        ("Asked for", Some(moment(run.requested_at))),
        ("Began", Some(at(run.started_at))),
        ("Ended", Some(at(run.finished_at))),
    ];
    if let Some(items) = run.items {
        rows.push(("Progress", Some(progress(items))));
    }
    rows.push(("Credits", Some(html! { (run.credits_charged) })));
    facts(rows)
}

fn progress(items: RunItems) -> Markup {
    html! {
        (items.completed) " of " (items.total) " done"
        @if items.failed > 0 { ", " (items.failed) " failed" }
    }
}

/// The URLs that an inspection has come to, each as Google tells it.
async fn inspected(console: &Console, here: &AtDomain, run: RunId) -> Result<Markup, Refusal> {
    let list = ListKey::new("console.inspection", run.0);
    let first = PageRequest::first(list, MOST_AT_ONCE);
    let inspections = &console.parts.search.inspections;
    let found = inspections.results(&here.access, run, &first).await?;
    let table = Table {
        caption: "URLs that were inspected",
        columns: &[
            Column::text("Address"),
            Column::text("Google’s index"),
            Column::text("Reason"),
        ],
        rows: found.items.iter().map(result).collect(),
    };
    Ok(html! { @if !found.items.is_empty() { (table.show(&html! {})) } })
}

fn result(result: &RunResult) -> Vec<Markup> {
    let newest = result.url.newest.as_ref().map(|(_, inspection)| inspection);
    let (told, reason) = match result.status {
        ResultStatus::Done => (
            index_urls::state(newest.map(|inspection| inspection.verdict)),
            index_urls::reason(newest),
        ),
        ResultStatus::SkippedDuplicate => (
            mark::state(Tone::Calm, "Asked for twice, inspected once"),
            html! { span.none { "–" } },
        ),
        // The newest that is known of it is older than the run.
        ResultStatus::Failed => (
            mark::state(Tone::Warn, "Could not be inspected"),
            html! {
                @match &result.error_code { Some(code) => bdi { (shown(&word(code))) }, None => span.none { "–" } }
            },
        ),
        ResultStatus::SkippedQuota => (
            mark::state(Tone::Warn, "The inspections of the day were used up"),
            html! { span.none { "–" } },
        ),
    };
    vec![html! { bdi { (shown(&result.url.url)) } }, told, reason]
}
