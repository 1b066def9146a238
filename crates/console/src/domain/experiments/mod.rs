//! Experiments of a domain: whether pages did better after a change than before it. They are listed and made here.

mod fields;
pub(crate) mod one;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::experiments::{Experiment, ExperimentStatus};
use pharos_domain::{module::Module, role::Role};
use pharos_reporting::render::labels::word;
use serde_json::json;

use self::fields::Typed;
use super::{
    add::CHANGERS,
    frame, named,
    settings::{Changed, changed, judged},
    tabs::SETTINGS,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::go,
    parts::{
        form::Faults,
        mark::{self, Tone},
        notice,
        table::{Column, Part, Table},
    },
    period::day,
    refusal::Refusal,
    shown::shown,
};

/// Where the list is, below the domain's page.
pub(crate) const PATH: &str = "analytics/experiments";

fn path(here: &AtDomain) -> String {
    domain_path(here.id(), PATH)
}

/// Whether visits of the site are measured: without that there are no visits to compare.
async fn is_measured(console: &Console, here: &AtDomain) -> Result<bool, Refusal> {
    let sites = &console.parts.collection.analytics;
    Ok(sites.view(&here.access).await?.is_some())
}

/// GET /console/domains/{domain_id}/analytics/experiments
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.needs(Module::Analytics)?;
    let query = request.query_string();
    page(&console, &here, query, &Typed::default(), &Faults::default()).await
}

/// POST /console/domains/{domain_id}/analytics/experiments: makes one.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    here.needs(Module::Analytics)?;
    here.writable()?;
    let typed = Typed::sent(&sent);
    let settings = match typed.settings(&here.access.domain().hostname)? {
        Ok(settings) => settings,
        Err(faults) => return page(&console, &here, "", &typed, &faults).await,
    };
    if settings.design.metric.is_of_visits() && !is_measured(&console, &here).await? {
        let mut faults = Faults::default();
        faults.add(
            "primary_metric",
            "Visits of the site are not measured, so that there are none to compare. Measure them first, or choose a metric of \
             search or of vitals.",
        );
        return page(&console, &here, "", &typed, &faults).await;
    }
    let noted = changed(
        &console,
        &here,
        Module::Analytics,
        json!({ "experiment": settings.name }),
    );
    let (experiments, now) = (&console.parts.experiments, console.parts.clock.now());
    let made = experiments.create(&noted, &settings, now).await;
    if let Changed::Faulty(faults) = judged(made)? {
        return page(&console, &here, "", &typed, &faults).await;
    }
    console.parts.answers.outdated(here.id(), Module::Analytics).await;
    Ok(go(&format!("{}?made", path(&here))))
}

async fn page(
    console: &Console,
    here: &AtDomain,
    query: &str,
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let is_measured = is_measured(console, here).await?;
    let all = console.parts.experiments.list(&here.access).await?;
    let content = html! {
        @if !is_measured { (unmeasured(here)) }
        (list(console, here, query, &all, (typed, faults)))
    };
    Ok(frame(here, &domain.title, Module::Analytics.as_str())
        .status(faults.status())
        .with(&content))
}

/// The metrics that are left where visits are not measured, and the way to the others.
fn unmeasured(here: &AtDomain) -> Markup {
    notice::hint(&html! {
        p {
            "Visits of the site are not measured. Metrics of search and of vitals can be compared all the same."
            @if here.role() >= CHANGERS {
                " " a href={ (domain_path(here.id(), SETTINGS)) "#collection" } { "Measure the visits of the site" }
            }
        }
    })
}

fn list(
    console: &Console,
    here: &AtDomain,
    query: &str,
    all: &[Experiment],
    (typed, faults): (&Typed, &Faults),
) -> Markup {
    let today = console.parts.clock.now().date();
    let (path, part) = (path(here), Part::of(all, query));
    let table = Table {
        caption: "Experiments",
        columns: &[
            Column::text("Name"),
            Column::text("Stands"),
            Column::text("Metric"),
            Column::text("Method").spare(),
            Column::text("First day after the change").spare(),
        ],
        rows: part
            .items
            .iter()
            .map(|experiment| {
                let settings = &experiment.settings;
                vec![
                    html! { a href={ (path) "/" (experiment.id) } { bdi { (shown(&settings.name)) } } },
                    status(settings.status_on(today)),
                    html! { (word(settings.design.metric.as_str())) },
                    html! { (word(settings.design.method.as_str())) },
                    html! { (day(settings.design.post_start)) },
                ]
            })
            .collect(),
    };
    let empty = notice::empty(
        "No experiment yet",
        &html! { p { "An experiment says whether pages did better after a change than before it, and how sure that is." } },
    );
    html! {
        @match query {
            "made" => (notice::done("The experiment was made. It is a draft until it is evaluated.")),
            "deleted" => (notice::done("The experiment was deleted with its evaluations.")),
            _ => {}
        }
        h2 { "Experiments" }
        (table.show(&empty))
        (part.pages(&path))
        @if here.role() >= CHANGERS && here.writable().is_ok() {
            h2 { "A new experiment" }
            (faults.summary())
            form.card method="post" action=(path) {
                (here.user.token_field())
                (typed.fields(faults))
                div.actions { button type="submit" { "Make the experiment" } }
            }
        }
    }
}

fn status(status: ExperimentStatus) -> Markup {
    let tone = match status {
        ExperimentStatus::Ready => Tone::Good,
        ExperimentStatus::Draft
        | ExperimentStatus::Running
        | ExperimentStatus::Completed
        | ExperimentStatus::Archived => Tone::Calm,
    };
    mark::state(tone, &word(status.as_str()))
}
