//! One experiment: its design, what its newest evaluation found, and its end.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_analytics::experiments::{
    BstsDay, Details, Evaluation, EvaluationStatus, Experiment, ExperimentChange, ExperimentSettings,
    ExperimentStatus, Warning,
};
use pharos_domain::{
    day::Day,
    module::Module,
    role::Role,
    settings::{ChangeError, SettingFault},
};
use pharos_http::{at_console, user_call::UserCall};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::{number, short},
    interval::Interval,
};
use pharos_reporting::render::labels::word;
use serde_json::json;
use time::Date;
use uuid::Uuid;

use super::{path, status};
use crate::{
    console::Console,
    domain::{
        add::CHANGERS,
        frame, named,
        now::{KEY, Said},
        settings::{Changed, changed, judged},
    },
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{fault, go, moment},
    parts::{danger::Danger, facts::facts, notice},
    period::{day, short_day},
    refusal::Refusal,
    shown::shown,
};

/// The operation that evaluates one.
const EVALUATE: &str = "evaluateExperiment";

/// GET /console/domains/{domain_id}/analytics/experiments/{experiment_id}
pub(crate) async fn show(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (here, experiment) = find(&console, &request, &ids, Role::Viewer).await?;
    page(&console, &request, &here, &experiment, None).await
}

/// POST /console/domains/{domain_id}/analytics/experiments/{experiment_id}: it is evaluated, ended or deleted.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (here, experiment) = find(&console, &request, &ids, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    let done = match sent.one("do") {
        "evaluate" => {
            here.writable()?;
            let key: Uuid = sent.one(KEY).parse().map_err(|_| Refusal::NoForm)?;
            evaluate(&request, &here, &experiment, key).await?
        }
        "end" => {
            here.writable()?;
            end(&console, &here, &experiment).await?
        }
        "delete" => {
            delete(&console, &here, &experiment).await?;
            return Ok(go(&format!("{}?deleted", path(&here))));
        }
        _ => return Err(Refusal::NoForm),
    };
    match done {
        Ok(()) => Ok(go(&path_of(&here, &experiment))),
        Err(why) => page(&console, &request, &here, &experiment, Some(why)).await,
    }
}

/// Why something was not done, with the status of the page.
type Refused = (StatusCode, String);

fn path_of(here: &AtDomain, experiment: &Experiment) -> String {
    format!("{}/{}", path(here), experiment.id)
}

/// The experiment of a path, of a domain of the user's.
async fn find(
    console: &Console,
    request: &HttpRequest,
    (domain, id): &(String, String),
    least: Role,
) -> Result<(AtDomain, Experiment), Refusal> {
    let here = console.at_domain(request, domain, least).await?;
    here.needs(Module::Analytics)?;
    let id: Uuid = id.parse().map_err(|_| Refusal::NoPage)?;
    let found = console.parts.experiments.find(&here.access, id).await?;
    Ok((here, found.ok_or(Refusal::NoPage)?))
}

/// Evaluates it as the API does, for the same credits.
async fn evaluate(
    request: &HttpRequest,
    here: &AtDomain,
    experiment: &Experiment,
    key: Uuid,
) -> Result<Result<(), Refused>, Refusal> {
    let call = UserCall {
        operation: EVALUATE,
        identity: here.access.identity(),
        source: here.user.source(),
        path: vec![
            ("domain_id", here.id().to_string()),
            ("experiment_id", experiment.id.to_string()),
        ],
        body: None,
        key: &key.to_string(),
    };
    match at_console::call(request, call).await {
        Ok(_) => Ok(Ok(())),
        Err(problem) => {
            let said = Said::of(problem)?;
            let why = said.refused.unwrap_or_else(|| said.faults.in_words());
            Ok(Err((said.status, why)))
        }
    }
}

async fn end(
    console: &Console,
    here: &AtDomain,
    experiment: &Experiment,
) -> Result<Result<(), Refused>, Refusal> {
    let details =
        json!({ "experiment": experiment.settings.name, "status": ExperimentStatus::Completed.as_str() });
    let noted = changed(console, here, Module::Analytics, details);
    let now = console.parts.clock.now();
    let today = now.date();
    let site = &here.access.domain().hostname;
    let apply = |present: Option<&ExperimentSettings>| -> Result<ExperimentSettings, Vec<SettingFault>> {
        let Some(present) = present else {
            return Err(Vec::new());
        };
        let change = ExperimentChange {
            status: Some(ExperimentStatus::Completed),
            ..ExperimentChange::default()
        };
        change.apply(present, site, today)
    };
    let experiments = &console.parts.experiments;
    let ended = experiments.update(&noted, experiment.id, &apply, now).await;
    if matches!(ended, Ok(None)) {
        return Err(Refusal::NoPage);
    }
    if let Changed::Faulty(faults) = judged(ended)? {
        let why = format!("It can’t be ended. {}", faults.in_words());
        return Ok(Err((StatusCode::CONFLICT, why)));
    }
    console.parts.answers.outdated(here.id(), Module::Analytics).await;
    Ok(Ok(()))
}

/// Deletes it, which whose subscription has ended may do, too.
async fn delete(console: &Console, here: &AtDomain, experiment: &Experiment) -> Result<(), Refusal> {
    let details = json!({ "experiment": experiment.settings.name, "deleted": true });
    let noted = changed(console, here, Module::Analytics, details);
    let deleted = console.parts.experiments.delete(&noted, experiment.id).await;
    if matches!(deleted, Ok(false)) {
        return Err(Refusal::NoPage);
    }
    judged(deleted.map_err(ChangeError::from))?;
    console.parts.answers.outdated(here.id(), Module::Analytics).await;
    Ok(())
}

async fn page(
    console: &Console,
    request: &HttpRequest,
    here: &AtDomain,
    experiment: &Experiment,
    refused: Option<Refused>,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let newest = console.parts.experiments.latest(&here.access, experiment.id);
    let newest = newest.await?;
    let spec = at_console::spec(request, EVALUATE).map_err(|_| Refusal::Internal)?;
    let stands = experiment.settings.status_on(console.parts.clock.now().date());
    let is_over = matches!(stands, ExperimentStatus::Completed | ExperimentStatus::Archived);
    let (code, why) = refused.unzip();
    let path = path_of(here, experiment);
    let content = html! {
        (fault(why.as_deref()))
        (design(experiment))
        @if stands == ExperimentStatus::Ready { p.note { "Enough days are over since the change for a verdict." } }
        h2 { "What it found" }
        @match &newest {
            Some(evaluation) => (found(evaluation, experiment.settings.design.post_start)),
            None => (notice::empty("It was not evaluated yet", &html! {})),
        }
        @if here.role() >= CHANGERS {
            @if here.writable().is_ok() {
                form.card method="post" action=(path) {
                    (here.user.token_field())
                    input type="hidden" name=(KEY) value=(Uuid::now_v7());
                    p.note { "An evaluation goes by the days that are over, and costs the workspace " (spec.credits.price()) " credits, as by the API." }
                    div.actions {
                        button type="submit" name="do" value="evaluate" { "Evaluate now" }
                        @if !is_over { " " button.quiet type="submit" name="do" value="end" { "End it" } }
                    }
                }
            }
            (Danger {
                title: "Delete this experiment",
                meaning: "Its evaluations go with it.",
                action: &path,
                hidden: html! { (here.user.token_field()) input type="hidden" name="do" value="delete"; },
                button: "Delete the experiment",
                typed: None,
                fault: None,
            }.show())
        }
    };
    let title = shown(&experiment.settings.name);
    Ok(frame(here, &title, Module::Analytics.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(super::path(here), "Experiments")
        .mark(status(stands))
        .status(code.unwrap_or(StatusCode::OK))
        .with(&content))
}

fn design(experiment: &Experiment) -> Markup {
    let (settings, design) = (&experiment.settings, &experiment.settings.design);
    let pages = |urls: &[String]| {
        html! {
            @if urls.is_empty() { "none" }
            @for url in urls { bdi { (shown(url)) } br; }
        }
    };
    let hypothesis = settings.hypothesis.as_deref().unwrap_or("nothing was said");
    facts([
        ("Expectation", Some(html! { bdi { (shown(hypothesis)) } })),
        ("Metric", Some(html! { (word(design.metric.as_str())) })),
        ("Compares", Some(html! { (word(design.method.as_str())) })),
        ("Pages that changed", Some(pages(&design.variant_urls))),
        ("Pages that did not", Some(pages(&design.control_urls))),
        (
            "Before the change",
            Some(html! { (day(design.first_day())) " to " (day(design.pre_end)) }),
        ),
        (
            "After it",
            Some(html! {
                (day(design.post_start)) " to "
                @match design.post_end { Some(end) => (day(end)), None => "now" }
            }),
        ),
    ])
}

fn found(evaluation: &Evaluation, changed_on: Date) -> Markup {
    let outcome = &evaluation.outcome;
    let figure = |value: Option<f64>| value.map(|value| html! { (number(value, 2)) });
    let bounds = outcome.ci_low.zip(outcome.ci_high);
    html! {
        @match evaluation.status {
            EvaluationStatus::Pending => { p { "It is being worked out: " (number(evaluation.progress_pct, 0)) "% is done. Load this page again." } }
            EvaluationStatus::Failed => { p { "It could not be worked out. Evaluate it again." } }
            EvaluationStatus::Completed => {
                @if let Some((value, (low, high))) = outcome.effect_absolute.zip(bounds) {
                    div.card { (Interval {
                        id: "effect",
                        title: "Effect a day, with its interval at 95%",
                        value,
                        low,
                        high,
                        words: |value| number(value, 2),
                    }.draw()) }
                } @else {
                    (notice::empty("There is no effect to draw", &html! {
                        p { "Too little is known of these pages and days to tell the change from chance." }
                    }))
                }
                (facts([
                    ("Verdict", outcome.verdict.map(|verdict| html! { strong { (word(verdict.as_str())) } })),
                    ("Effect a day", figure(outcome.effect_absolute)),
                    ("In percent", figure(outcome.effect_relative_pct)),
                    ("Between, at 95%", bounds.map(|(low, high)| html! { (number(low, 2)) " and " (number(high, 2)) })),
                    ("Chance alone does as much (p)", outcome.p_value.map(|p| html! { (chance(p)) })),
                    ("Asked for", Some(moment(evaluation.requested_at))),
                ]))
                @if !outcome.warnings.is_empty() {
                    (notice::hint(&html! {
                        p { "Take it with care:" }
                        ul { @for warning in &outcome.warnings { li { b { (word(warning.as_str())) } ": " (doubt(*warning)) } } }
                    }))
                }
                @if let Some(Details::Bsts(details)) = &outcome.details { (course(&details.series, changed_on)) }
            }
        }
    }
}

/// Why a warning is a reason to doubt the verdict.
const fn doubt(warning: Warning) -> &'static str {
    match warning {
        Warning::ShortPrePeriod => {
            "there are fewer days before the change than the method needs, so nothing is concluded."
        }
        Warning::ShortPostPeriod => {
            "there are fewer days after the change than the method needs, so nothing is concluded."
        }
        Warning::LowVolume => {
            "the pages that did not change have fewer sessions or impressions than those that did, or there is too little on a side \
             to compare."
        }
        Warning::ParallelTrendsDoubtful => {
            "both sides went different ways already before the change, and that is taken for an effect."
        }
        Warning::ControlContaminated => {
            "more than a fifth of the sessions of the pages that did not change viewed the changed ones, too."
        }
        Warning::SeasonalityMismatch => {
            "the days compared are not whole weeks, so weekends may weigh more on one side than on the other."
        }
        Warning::SearchUpdateInWindow => {
            "Google began to roll out an update of its ranking between the first day and the last, which moves visits."
        }
        Warning::DataIncomplete => "some days are not measured, not kept any more or not final yet.",
    }
}

/// How often chance alone does as much: never 0, which a p of few decimals would be.
fn chance(p: f64) -> String {
    const LEAST: f64 = 0.000_1;
    if p < LEAST {
        format!("less than {LEAST}")
    } else {
        number(p, 4)
    }
}

/// The values that were observed each day, against those that were expected without the change.
fn course(days: &[BstsDay], changed_on: Date) -> Markup {
    let dates: Vec<Option<Date>> = days
        .iter()
        .map(|one| one.date.parse::<Day>().ok().map(|Day(date)| date))
        .collect();
    let labels: Vec<String> = days
        .iter()
        .zip(&dates)
        .map(|(one, date)| date.map_or_else(|| one.date.clone(), short_day))
        .collect();
    let values = |of: fn(&BstsDay) -> Option<f64>| days.iter().map(of).collect();
    let series = [
        Series {
            name: "Expected",
            values: values(|day| Some(day.expected)),
        },
        Series {
            name: "Expected at least",
            values: values(|day| Some(day.expected_low)),
        },
        Series {
            name: "Expected at most",
            values: values(|day| Some(day.expected_high)),
        },
        Series {
            name: "Observed",
            values: values(|day| day.observed),
        },
    ];
    let change = dates
        .iter()
        .position(|date| date.is_some_and(|date| date >= changed_on));
    let breaks: Vec<(usize, String)> = change
        .map(|place| (place, "The change".to_owned()))
        .into_iter()
        .collect();
    html! {
        section.card aria-labelledby="course-head" {
            h3 id="course-head" { "Observed and expected" }
            p.note { "The expectation goes by the days before the change, and by the pages that did not change. It lies in the tinted band by 95%." }
            (Chart {
                id: "course",
                title: "Observed and expected by day",
                description: "A line of what was observed each day, and one of what was expected of it without the change, amid its interval.",
                places: "Day",
                labels: &labels,
                series: &series,
                words: |value| number(value, 2),
                short,
                threshold: None,
                ground: Ground {
                    breaks: &breaks,
                    ..Ground::default()
                },
            }.spread())
        }
    }
}
