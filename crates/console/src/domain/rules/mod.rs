//! The alert rules of a domain, each as it stands, and what fired last.

pub(crate) mod create;
pub(crate) mod edit;
mod fields;
mod fired;
pub(crate) mod offer;
mod picture;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_alerting::{
    message::{quantity, threshold, watched},
    rule::{AlertRule, MOST_RULES, RuleChange, RuleSettings, RuleState},
    store::{Reach, RuleFilter},
};
use pharos_domain::{
    alert_metric::{AlertMetric, ComparisonWindow, EvaluationWindow},
    figure::number,
    ids::AlertRuleId,
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
    settings::ChangeError,
};
use serde_json::json;

use super::{
    frame, named,
    settings::{Changed, changed, judged},
    tabs::ALERTS,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{fault, go, moment},
    parts::{
        form::Faults,
        mark::{self, Tone},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// Who makes rules and changes them, as at the API.
const CHANGERS: Role = Role::Member;
/// How many alerts are shown.
const SHOWN: usize = 50;

/// GET /console/domains/{domain_id}/alerts
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    page(&console, &here, request.query_string(), None).await
}

/// POST /console/domains/{domain_id}/alerts: a rule is switched on or off, or deleted.
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
    // Whose subscription has ended may still end what they have.
    if sent.one("do") == "on" {
        here.writable()?;
    }
    let rule: AlertRuleId = sent.one("rule").parse().map_err(|_| Refusal::NoForm)?;
    let (rules, now) = (&console.parts.rules, console.parts.clock.now());
    let (outcome, done) = match sent.one("do") {
        step @ ("on" | "off") => {
            let enabled = step == "on";
            let details = json!({ "rule_id": rule, "enabled": enabled });
            let noted = changed(&console, &here, Module::Alerts, details);
            let metrics = &console.parts.alert_metrics;
            let hostname = &here.access.domain().hostname;
            let change = |present: Option<&RuleSettings>| {
                let change = RuleChange {
                    enabled: Some(enabled),
                    ..RuleChange::default()
                };
                change.apply(present.ok_or_else(Vec::new)?, metrics, hostname)
            };
            let updated = rules.update(&noted, rule, &change, now).await;
            (judged(there(updated)?)?, step)
        }
        "delete" => {
            let details = json!({ "rule_id": rule, "deleted": true });
            let noted = changed(&console, &here, Module::Alerts, details);
            let deleted = rules.delete(&noted, rule, now).await;
            (judged(deleted.map_err(ChangeError::from))?, "deleted")
        }
        _ => return Err(Refusal::NoForm),
    };
    if let Changed::Faulty(faults) = outcome {
        return page(&console, &here, "", Some(&faults)).await;
    }
    console.parts.answers.outdated(here.id(), Module::Alerts).await;
    Ok(go(&format!("{}?{done}", path(&here))))
}

/// The outcome of a change of a rule. A rule that was deleted meanwhile has no page, so it refuses the request.
fn there<E>(updated: Result<Option<AlertRule>, E>) -> Result<Result<AlertRule, E>, Refusal> {
    updated.transpose().ok_or(Refusal::NoPage)
}

fn path(here: &AtDomain) -> String {
    domain_path(here.id(), ALERTS)
}

/// The page. `done` says what was done just now, `faults` why it was not.
async fn page(
    console: &Console,
    here: &AtDomain,
    done: &str,
    faults: Option<&Faults>,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let content = if here.has(Module::Alerts) {
        content(console, here, done, faults).await?
    } else {
        notice::not_in_plan("alerts")
    };
    let status = if faults.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Ok(frame(here, &domain.title, ALERTS).status(status).with(&content))
}

async fn content(
    console: &Console,
    here: &AtDomain,
    done: &str,
    faults: Option<&Faults>,
) -> Result<Markup, Refusal> {
    let first = |list, limit| PageRequest {
        limit,
        after: None,
        list: ListKey::new(list, here.id().0),
    };
    let (all, newest) = (
        first("console.rules", MOST_RULES as usize),
        first("console.alerts", SHOWN),
    );
    let reach = Reach::Domain(&here.access);
    let (rules, alerts) = tokio::try_join!(
        console.parts.rules.list(reach, RuleFilter::default(), &all),
        console.parts.alerts.list(reach, &newest),
    )?;
    let may_change = here.role() >= CHANGERS;
    let done = match done {
        "made" => Some("The rule is made, and is evaluated from now on."),
        "edited" => Some("The rule is changed."),
        "on" => Some("The rule is on."),
        "off" => Some("The rule is off. What it had open is closed."),
        "deleted" => Some("The rule is deleted. What it fired stays below."),
        _ => None,
    };
    Ok(html! {
        @if let Some(done) = done { (notice::done(done)) }
        @if let Some(faults) = faults { (fault(Some(&faults.in_words()))) }
        p {
            "A rule watches one metric, and tells people by the " a href="/console/channels" { "channels" }
            " of the workspace when it fires and when that is over."
        }
        @if may_change && here.writable().is_ok() {
            div.actions { a.button href={ (path(here)) "/new" } { "Make a rule" } }
        }
        (rule_table(console, here, &rules.items, may_change))
        h2 { "What fired" }
        (fired::table(here, &alerts.items))
    })
}

fn rule_table(console: &Console, here: &AtDomain, rules: &[AlertRule], may_change: bool) -> Markup {
    let mut columns = vec![
        Column::text("Rule"),
        Column::text("State").spare(),
        Column::figure("Last value").spare(),
    ];
    if may_change {
        columns.push(Column::text("Change"));
    }
    let rows = rules.iter().map(|rule| {
        let settings = &rule.settings;
        let metric = console
            .parts
            .alert_metrics
            .find(settings.module, &settings.metric);
        let mut row = row(rule, metric);
        if may_change {
            row.push(buttons(here, rule, metric));
        }
        row
    });
    let table = Table {
        caption: "Rules",
        columns: &columns,
        rows: rows.collect(),
    };
    table.show(&notice::empty(
        "No rule watches this domain yet",
        &html! { p { "Begin with “Failing checks in a row”: two of them are an outage." } },
    ))
}

fn row(rule: &AlertRule, metric: Option<&AlertMetric>) -> Vec<Markup> {
    let settings = &rule.settings;
    let label = label(settings, metric);
    let value = rule.last_value.map(|value| match metric {
        Some(metric) => quantity(value, metric),
        None => number(value),
    });
    let standing = html! {
        (state(rule.state))
        @if let Some(at) = rule.last_fired_at { span.note { " fired " (moment(at)) } }
    };
    vec![
        html! {
            @if let Some(name) = &settings.name { bdi { (shown(name)) } " " span.note { (label) } }
            @else { (label) " " }
            span.note {
                @match metric {
                    Some(metric) => { (threshold(settings, metric)) ", " (looked_at(settings.evaluation_window)) },
                    None => "this node does not know the metric",
                }
                @if let Some(window) = settings.comparison_window { ", beside " (compared(window)) }
                @if let Some(part) = watched(&settings.filter) { ", for " bdi { (shown(&part)) } }
            }
            // Its column has no room on a narrow screen.
            div.narrow { (standing) }
        },
        standing,
        html! { @match value { Some(value) => (value), None => span.none { "none" } } },
    ]
}

/// The name of a rule's metric for people, where this node knows it.
fn label<'a>(settings: &'a RuleSettings, metric: Option<&AlertMetric>) -> &'a str {
    metric.map_or(settings.metric.as_str(), |metric| metric.label)
}

/// A rule whose metric this node does not know has no form.
fn buttons(here: &AtDomain, rule: &AlertRule, metric: Option<&AlertMetric>) -> Markup {
    let settings = &rule.settings;
    let name = settings.name.as_deref();
    let name = shown(name.unwrap_or_else(|| label(settings, metric)));
    let switch = if settings.enabled {
        Some(("off", "Switch off"))
    } else {
        here.writable().is_ok().then_some(("on", "Switch on"))
    };
    html! {
        form method="post" action=(path(here)) {
            (here.user.token_field())
            input type="hidden" name="rule" value=(rule.id);
            div.actions.stack {
                @if metric.is_some() && here.writable().is_ok() {
                    a.button.quiet href={ (path(here)) "/" (rule.id) "/edit" } aria-label={ "Edit: " (name) } { "Edit" }
                }
                @if let Some((step, label)) = switch {
                    button.quiet type="submit" name="do" value=(step) aria-label={ (label) ": " (name) } { (label) }
                }
                button.danger type="submit" name="do" value="delete" aria-label={ "Delete: " (name) } { "Delete" }
            }
        }
    }
}

fn state(state: RuleState) -> Markup {
    match state {
        RuleState::Ok => mark::state(Tone::Good, "Ok"),
        RuleState::Firing => mark::state(Tone::Bad, "Firing"),
        RuleState::NoData => mark::state(Tone::Calm, "No data"),
        RuleState::Disabled => mark::state(Tone::Calm, "Off"),
    }
}

/// An evaluation window in words.
fn looked_at(window: EvaluationWindow) -> &'static str {
    match window {
        EvaluationWindow::Latest => "the newest value",
        EvaluationWindow::Hour => "over the last hour",
        EvaluationWindow::Day => "over the last 24 hours",
        EvaluationWindow::Week => "over the last 7 days",
        EvaluationWindow::FourWeeks => "over the last 28 days",
    }
}

/// The past that a rule compares with, in words.
fn compared(window: ComparisonWindow) -> &'static str {
    match window {
        ComparisonWindow::PreviousDay => "the day before",
        ComparisonWindow::SameDayLastWeek => "the same day a week before",
        ComparisonWindow::Previous7Days => "the mean of the 7 days before",
        ComparisonWindow::Previous28Days => "the mean of the 28 days before",
    }
}
