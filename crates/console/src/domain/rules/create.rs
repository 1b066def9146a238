//! A new alert rule: first its metric, then its condition.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule},
    module::Module,
};
use serde_json::json;

use super::{
    CHANGERS,
    fields::Typed,
    path,
    picture::{self, DRAW, picture},
};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, changed, judged},
        tabs::ALERTS,
    },
    enter::AtDomain,
    form::Form,
    page::go,
    parts::form::Faults,
    query::in_query,
    refusal::Refusal,
    repeated,
};

/// The name of the page.
const NEW: &str = "A new rule";

/// GET /console/domains/{domain_id}/alerts/new?module=…&metric=…: without a metric it asks for one.
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.needs(Module::Alerts)?;
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    let domain = named(&console, &here).await?;
    let content = match found(&console, &here, &query("module"), &query("metric")) {
        Some(of) => {
            let typed = Typed::begin(of.1);
            let drawn = picture(&console, &here, of, &typed).await;
            form(&here, of, &typed, &Faults::default(), &drawn)
        }
        None => metrics(&console, &here),
    };
    Ok(frame(&here, &domain.title, ALERTS).part(NEW).with(&content))
}

/// POST /console/domains/{domain_id}/alerts/new: makes the rule, or draws it.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console
        .changer(&request, &id, (CHANGERS, Module::Alerts), &sent)
        .await?;
    here.writable()?;
    let (form, parts) = (sent.digest(&request, &here.user.secret), console.clone());
    let work = async move { create(&parts, &here, &sent).await };
    console.repeated.answer(form, work).await
}

async fn create(console: &Console, here: &AtDomain, sent: &Form) -> Result<HttpResponse, Refusal> {
    let (module, metric) =
        found(console, here, sent.one("module"), sent.one("metric")).ok_or(Refusal::NoForm)?;
    let typed = Typed::sent(sent);
    let settings = match typed.settings(console, here, (module, metric))? {
        Ok(settings) => settings,
        Err(faults) => return again(console, here, (module, metric), &typed, &faults).await,
    };
    if sent.one("do") == DRAW {
        return again(console, here, (module, metric), &typed, &Faults::default()).await;
    }
    let details = json!({
        "rule": settings.name,
        "metric": settings.metric,
        "operator": settings.operator,
        "threshold_value": settings.threshold,
    });
    let noted = changed(console, here, Module::Alerts, details);
    let made = console
        .parts
        .rules
        .create(&noted, &settings, console.parts.clock.now())
        .await;
    if let Changed::Faulty(faults) = judged(made)? {
        return again(console, here, (module, metric), &typed, &faults).await;
    }
    console.parts.answers.outdated(here.id(), Module::Alerts).await;
    Ok(go(&format!("{}?made", path(here))))
}

/// A metric that rules may watch, of a module of the plan.
fn found(
    console: &Console,
    here: &AtDomain,
    module: &str,
    metric: &str,
) -> Option<(AlertModule, &'static AlertMetric)> {
    let module: AlertModule = module.parse().ok()?;
    let metric = console.parts.alert_metrics.find(module, metric)?;
    here.has(module.into()).then_some((module, metric))
}

fn metrics(console: &Console, here: &AtDomain) -> Markup {
    let modules = console.parts.alert_metrics.modules();
    html! {
        h2 { "What shall the rule watch?" }
        @for of in modules.filter(|of| here.has(of.module.into())) {
            section.card aria-labelledby={ (of.module) "-head" } {
                h3 id={ (of.module) "-head" } { (of.label) }
                ul {
                    @for metric in of.metrics {
                        li {
                            a href={ (path(here)) "/new?module=" (of.module) "&metric=" (metric.name) } { (metric.label) }
                            " " span.note { (metric.description) }
                        }
                    }
                }
            }
        }
        div.actions { a.button.quiet href=(path(here)) { "Back" } }
    }
}

/// The form as it was sent, with its picture and what is wrong with it.
async fn again(
    console: &Console,
    here: &AtDomain,
    of: (AlertModule, &'static AlertMetric),
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let drawn = picture(console, here, of, typed).await;
    let content = form(here, of, typed, faults, &drawn);
    Ok(frame(here, &domain.title, ALERTS)
        .part(NEW)
        .status(faults.status())
        .with(&content))
}

fn form(
    here: &AtDomain,
    (module, metric): (AlertModule, &AlertMetric),
    typed: &Typed,
    faults: &Faults,
    drawn: &Markup,
) -> Markup {
    html! {
        h2 { "A rule on: " (metric.label) }
        p.note { (metric.description) }
        (faults.summary())
        (drawn)
        form.card method="post" action={ (path(here)) "/new" } {
            (here.user.token_field())
            (repeated::field())
            input type="hidden" name="module" value=(module);
            input type="hidden" name="metric" value=(metric.name);
            (typed.fields(metric, faults))
            div.actions {
                a.button.quiet href={ (path(here)) "/new" } { "Another metric" }
                button type="submit" { "Make the rule" }
                (picture::button())
            }
        }
    }
}
