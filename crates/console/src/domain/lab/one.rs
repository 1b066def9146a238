//! One lab test, or two beside each other.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{
    ids::RunId,
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
    runs::RunStatus,
};
use pharos_synthetic::{
    budget::BudgetResult,
    conditions::are_of_two_majors,
    figure::{LabMetric, LabUnit},
    run::LabRun,
    store::RunFilter,
};

use super::{SHOWN, budget_state, device, first_path, load::Loaded, status, test_path, told, words};
use crate::{
    console::Console,
    domain::{frame, named},
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::{
        facts::{Figure, facts, figures},
        notice,
        table::{Column, Table, figure_cell},
    },
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// The name of the index that says how fast a machine is.
const BENCHMARK: &str = "Benchmark index";
/// How many other tests of the page are offered for a comparison.
const OFFERED: usize = 12;

/// GET /console/domains/{domain_id}/synthetic/tests/{run_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = path.into_inner();
    let here = console.at_domain(&request, &domain, Role::Viewer).await?;
    here.needs(Module::Synthetic)?;
    let id: RunId = id.parse().map_err(|_| Refusal::NoPage)?;
    let beside = in_query(request.query_string(), "with")
        .and_then(|other| other.parse::<RunId>().ok())
        .filter(|other| *other != id);
    let (lab, now) = (&console.parts.lab, console.parts.clock.now());
    let _permit = console.page_permits.turn(here.workspace()).await?;
    let run = lab.run(&here.access, id).await?.ok_or(Refusal::NoPage)?;
    let other = match beside {
        Some(other) => Some(lab.run(&here.access, other).await?.ok_or(Refusal::NoPage)?),
        None => None,
    };
    let filter = RunFilter {
        url_id: run.url_id,
        profile_id: Some(run.profile_id.clone()),
        status: Some(RunStatus::Succeeded),
        trigger: None,
    };
    let offered = PageRequest::first(ListKey::new("console.lab_comparison", here.id().0), OFFERED);
    let (domain, offered) = tokio::try_join!(named(&console, &here), async {
        Ok::<_, Refusal>(lab.runs(&here.access, &filter, &offered).await?)
    })?;
    let run = Loaded::read(&console, run, now).await?;
    let other = match other {
        Some(other) => Some(Loaded::read(&console, other, now).await?),
        None => None,
    };
    let content = match &other {
        None => html! {
            (summary(&run.run))
            (budgets(&run.run))
            (run.show(&console, &here.access, "one", now))
        },
        Some(other) => html! {
            (compared(&run.run, &other.run))
            div.columns {
                div {
                    h2 { "This test, " (moment(run.run.requested_at)) }
                    (warnings(&run.run))
                    (run.show(&console, &here.access, "one", now))
                }
                div {
                    h2 { "The other, " (moment(other.run.requested_at)) }
                    (warnings(&other.run))
                    (other.show(&console, &here.access, "other", now))
                }
            }
        },
    };
    let content = html! {
        (content)
        (others(&here, &run.run, other.as_ref().map(|other| &other.run), &offered.items))
    };
    let title = shown(&run.run.url);
    Ok(frame(&here, &title, Module::Synthetic.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), &first_path()), "Lab tests")
        .mark(status(run.run.status))
        .with(&content))
}

fn value(run: &LabRun, metric: LabMetric) -> Option<f64> {
    run.summary.as_ref()?.figures.get(metric.as_str()).copied()
}

/// The score of a test that was asked for, once there is one.
pub(crate) async fn score(console: &Console, here: &AtDomain, id: RunId) -> Result<Markup, Refusal> {
    let run = console.parts.lab.run(&here.access, id).await?;
    let score = run.and_then(|run| value(&run, LabMetric::PerformanceScore));
    Ok(html! {
        @if let Some(score) = score {
            (figures(&[Figure {
                name: "Performance",
                value: Some(words(LabUnit::Points)(score)),
                note: None,
            }]))
        }
    })
}

/// The version of Lighthouse that measured.
fn version(run: &LabRun) -> Option<&str> {
    run.summary.as_ref()?.engine_version.as_deref()
}

/// How fast the machine was that measured.
fn benchmark(run: &LabRun) -> Option<f64> {
    run.summary.as_ref()?.benchmark_index
}

fn summary(run: &LabRun) -> Markup {
    let shown_figures: Vec<Figure<'_>> = SHOWN
        .iter()
        .map(|(metric, name)| Figure {
            name,
            value: value(run, *metric).map(words(metric.unit())),
            note: spread(run, *metric),
        })
        .collect();
    let summary = run.summary.as_ref();
    let why = why(run);
    html! {
        @if !why.is_empty() { div.fault role="alert" { p { bdi { (told(why)) } } } }
        @if run.status == RunStatus::Succeeded { (figures(&shown_figures)) }
        (facts([
            ("Device", Some(html! { (device(&run.profile_id)) })),
            ("Asked for", Some(moment(run.requested_at))),
            ("Ended", run.finished_at.map(moment)),
            ("Lighthouse", version(run).map(|version| html! { (shown(version)) })),
            (BENCHMARK, benchmark(run).map(|index| html! { (words(LabUnit::Points)(index)) })),
            ("Loads", summary.map(|summary| html! { (summary.runs_aggregated) })),
        ]))
        (warnings(run))
    }
}

/// Why a test failed; empty where it did not.
fn why(run: &LabRun) -> &str {
    run.error.as_ref().map_or("", |(_, why)| why.as_str())
}

/// The warnings of a test. One may say why it failed, which is told once.
fn warnings(run: &LabRun) -> Markup {
    let why = why(run);
    let all = run.summary.iter().flat_map(|summary| &summary.run_warnings);
    html! {
        @for warning in all.filter(|warning| !why.contains(warning.as_str())) {
            (notice::hint(&html! { p { bdi { (told(warning)) } } }))
        }
    }
}

/// How far the loads of a test lie apart.
fn spread(run: &LabRun, metric: LabMetric) -> Option<Markup> {
    let spread = run.summary.as_ref()?.variability.as_ref()?.get(metric.as_str())?;
    let words = words(metric.unit());
    Some(html! { span.figure { (words(spread.min)) } " to " span.figure { (words(spread.max)) } })
}

fn budgets(run: &LabRun) -> Markup {
    let table = Table {
        caption: "Budgets",
        columns: &[
            Column::text("Figure"),
            Column::figure("Bound"),
            Column::figure("Value"),
            Column::figure("Over by"),
            Column::text("State"),
        ],
        rows: run
            .budgets
            .iter()
            .map(|budget| {
                let written = words(budget.metric.unit());
                vec![
                    html! { (budget.metric.name()) },
                    html! { (written(budget.limit)) },
                    figure_cell(budget.actual, written),
                    figure_cell(budget.over_by, written),
                    budget_state(BudgetResult::of(budget.passed), budget.metric, true),
                ]
            })
            .collect(),
    };
    html! {
        @if !run.budgets.is_empty() {
            h2 { "Budgets" }
            (table.show(&html! {}))
        }
    }
}

/// The figures of two tests, and how the second differs. A machine that was slower makes figures worse, too.
fn compared(one: &LabRun, other: &LabRun) -> Markup {
    let row = |name: &str, this: Option<f64>, that: Option<f64>, words: fn(f64) -> String| {
        let difference = this.zip(that).map(|(this, that)| that - this);
        vec![
            html! { (name) },
            figure_cell(this, words),
            figure_cell(that, words),
            figure_cell(difference, |difference| {
                format!("{}{}", if difference > 0.0 { "+" } else { "" }, words(difference))
            }),
        ]
    };
    let rows = SHOWN.iter().map(|(metric, name)| {
        let (this, that) = (value(one, *metric), value(other, *metric));
        row(name, this, that, words(metric.unit()))
    });
    let index = row(
        BENCHMARK,
        benchmark(one),
        benchmark(other),
        words(LabUnit::Points),
    );
    let table = Table {
        caption: "Two tests beside each other",
        columns: &[
            Column::text("Figure"),
            Column::figure("This test"),
            Column::figure("The other"),
            Column::figure("Difference"),
        ],
        rows: rows.chain([index]).collect(),
    };
    // A test without a result does not say by which it was.
    let is_by_another = version(one)
        .zip(version(other))
        .is_some_and(|(one, other)| are_of_two_majors(one, other));
    html! {
        @if is_by_another {
            (notice::hint(&html! { p { "They are of two major versions of Lighthouse, which may weigh scores otherwise." } }))
        }
        (table.show(&html! {}))
    }
}

/// The tests that this one may be put beside.
fn others(here: &AtDomain, run: &LabRun, beside: Option<&LabRun>, offered: &[LabRun]) -> Markup {
    let path = domain_path(here.id(), &test_path(run.id));
    let rest: Vec<&LabRun> = offered.iter().filter(|other| other.id != run.id).collect();
    html! {
        @if !rest.is_empty() {
            h2 { "Beside another test of this page" }
            ul.rows {
                @if beside.is_some() { li { a href=(path) { "This test alone" } } }
                @for other in rest {
                    li {
                        a href={ (path) "?with=" (other.id) } aria-current=[beside.is_some_and(|beside| beside.id == other.id).then_some("true")] {
                            (moment(other.requested_at))
                        }
                        @if let Some(score) = value(other, LabMetric::PerformanceScore) {
                            span.note { ", performance " (words(LabUnit::Points)(score)) }
                        }
                    }
                }
            }
        }
    }
}
