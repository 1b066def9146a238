//! A figure of lab tests over time: the median of each day amid its spread, with the budget that it is held to, for each page and
//! device; and the newest tests.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    page::{ListKey, Page as ListPage, PageRequest},
    role::Role,
    window::{DateRange, Granularity},
};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::short,
};
use pharos_synthetic::{
    budget::{BudgetDirection, KeptBudget},
    figure::LabMetric,
    page::TrackedPage,
    run::LabRun,
    series::{EngineChange, Grain, Point, SeriesQuery},
    store::RunFilter,
};
use time::Date;

use super::{SHOWN, course_path, device, status, test_path, words};
use crate::{
    console::Console,
    domain::{frame, named},
    enter::AtDomain,
    form::after,
    nav::domain_path,
    page::moment,
    parts::{
        notice,
        table::{Column, Pages, Part, Table, figure_cell},
    },
    period::{Days, short_day},
    refusal::Refusal,
    shown::shown,
};

/// How many tests a page lists, and how many pictures it has: each has the days of a year.
const ON_A_PAGE: usize = 20;
const PICTURES: usize = 4;

/// GET /console/domains/{domain_id}/synthetic/figures/{metric}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (id, metric) = path.into_inner();
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.needs(Module::Synthetic)?;
    let (metric, name) = *SHOWN
        .iter()
        .find(|(shown, _)| shown.as_str() == metric)
        .ok_or(Refusal::NoPage)?;
    let query = request.query_string();
    let days = Days::of(Module::Synthetic, query, console.parts.clock.now());
    let list = ListKey::new("console.lab_tests", here.id().0);
    let page = PageRequest {
        limit: ON_A_PAGE,
        after: after(query, &list)?,
        list,
    };
    let metrics = [metric];
    let asked = SeriesQuery {
        window: days.window(),
        url_id: None,
        profile_id: None,
        metrics: &metrics,
        grain: Grain::Day,
    };
    let _permit = console.page_permits.turn(here.workspace()).await?;
    let (lab, access, filter) = (&console.parts.lab, &here.access, RunFilter::default());
    let (domain, pages, (points, changes, budgets), tests) = tokio::try_join!(
        named(&console, &here),
        async { Ok::<_, Refusal>(lab.pages(access).await?) },
        // One after the other: they are long reads, for which a page has one connection.
        async {
            let points = lab.series(access, &asked).await?;
            let changes = lab.engine_changes(access, &asked).await?;
            Ok::<_, Refusal>((points, changes, lab.budgets(access).await?))
        },
        async { Ok::<_, Refusal>(lab.runs(access, &filter, &page).await?) },
    )?;
    let courses = courses(&pages, &points);
    let shown_courses = Part::at_most(PICTURES, &courses, query);
    let newest = of_days(&here, metric, &days);
    let content = html! {
        (days.choice_alone(&domain_path(here.id(), &course_path(metric)), &[]))
        (choice(&here, metric, &days))
        @if courses.is_empty() {
            (notice::empty("No test in these days", &html! { p { "Tests of tracked pages show here, by day." } }))
        }
        @for (at, course) in shown_courses.items.iter().enumerate() {
            section.card aria-labelledby={ "course-" (at) } {
                h2 id={ "course-" (at) } { bdi { (shown(course.page.settings.label.as_deref().unwrap_or(&course.page.settings.url))) } }
                p.note { (device(course.profile)) ", " bdi { (shown(&course.page.settings.url)) } }
                (picture(at, course, (metric, name), days.window(), budget(&budgets, course, metric), &changes))
            }
        }
        (shown_courses.pages_named("Pages of pictures", &newest))
        h2 { "Tests" }
        (table(&here, &tests.items))
        (pages_of(&newest, &page, &tests))
    };
    let code = if days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(frame(&here, &domain.title, Module::Synthetic.as_str())
        .part(name)
        .status(code)
        .with(&content))
}

/// The page of a figure, over the same days.
fn of_days(here: &AtDomain, metric: LabMetric, days: &Days) -> String {
    let path = domain_path(here.id(), &course_path(metric));
    format!("{path}?{}", days.query())
}

/// The figures to choose from.
fn choice(here: &AtDomain, current: LabMetric, days: &Days) -> Markup {
    html! {
        nav.range aria-label="Figure" {
            @for (metric, name) in SHOWN {
                a href=(of_days(here, metric, days)) aria-current=[(metric == current).then_some("true")] { (name) }
            }
        }
    }
}

/// The days of a page on a device.
struct Course<'a> {
    page: &'a TrackedPage,
    profile: &'a str,
    points: Vec<&'a Point>,
}

/// Those of pages that are still tracked. Points come by page and profile.
fn courses<'a>(pages: &'a [TrackedPage], points: &'a [Point]) -> Vec<Course<'a>> {
    points
        .chunk_by(|one, other| one.url_id == other.url_id && one.profile_id == other.profile_id)
        .filter_map(|points| {
            let first = points.first()?;
            Some(Course {
                page: pages.iter().find(|page| page.id == first.url_id)?,
                profile: &first.profile_id,
                points: points.iter().collect(),
            })
        })
        .collect()
}

/// The strictest budget of a figure.
fn budget(budgets: &[KeptBudget], course: &Course<'_>, metric: LabMetric) -> Option<f64> {
    let held = budgets.iter().map(|kept| &kept.budget).filter(|budget| {
        budget.metric.as_str() == metric.as_str()
            && budget.url_id.is_none_or(|id| id == course.page.id)
            && budget
                .profile_id
                .as_deref()
                .is_none_or(|profile| profile == course.profile)
    });
    held.map(|budget| (budget.limit, budget.direction))
        .reduce(|one, other| match one.1 {
            BudgetDirection::Max if other.0 < one.0 => other,
            BudgetDirection::Min if other.0 > one.0 => other,
            BudgetDirection::Max | BudgetDirection::Min => one,
        })
        .map(|(limit, _)| limit)
}

fn picture(
    at: usize,
    course: &Course<'_>,
    (metric, name): (LabMetric, &str),
    window: DateRange,
    budget: Option<f64>,
    changes: &[EngineChange],
) -> Markup {
    let dates: Vec<Date> = window
        .buckets(Granularity::Day)
        .map(|bucket| bucket.start.date())
        .collect();
    let labels: Vec<String> = dates.iter().map(|date| short_day(*date)).collect();
    let of = |value: fn(&Point) -> Option<f64>| -> Vec<Option<f64>> {
        let at = |date: &Date| {
            let found = course
                .points
                .iter()
                .find(|point| point.bucket_start.date() == *date)?;
            value(found)
        };
        dates.iter().map(at).collect()
    };
    let series = [
        Series {
            name: "Median",
            values: of(|point| point.median),
        },
        Series {
            name: "Least",
            values: of(|point| point.min),
        },
        Series {
            name: "Greatest",
            values: of(|point| point.max),
        },
    ];
    let breaks = breaks(course, &dates, changes);
    let mut description = "The median of the tests of each day, amid the least and the greatest.".to_owned();
    for (place, engine) in &breaks {
        description.push_str(&format!(" From {} on by {engine}.", labels[*place]));
    }
    Chart {
        id: &format!("figure{at}"),
        title: &format!("{name} by day"),
        description: &description,
        places: "Day",
        labels: &labels,
        series: &series,
        words: words(metric.unit()),
        short,
        threshold: budget.map(|limit| (limit, "budget")),
        ground: Ground {
            breaks: &breaks,
            ..Ground::default()
        },
    }
    .spread()
}

/// The days on which another major version of Lighthouse began to measure, with its name.
fn breaks(course: &Course<'_>, dates: &[Date], changes: &[EngineChange]) -> Vec<(usize, String)> {
    let mut breaks: Vec<(usize, String)> = Vec::new();
    for change in changes {
        if change.url_id != course.page.id || change.profile_id != course.profile {
            continue;
        }
        let Some(place) = dates.iter().position(|date| *date == change.at.date()) else {
            continue;
        };
        // The last of several changes on a day is in force.
        breaks.retain(|(other, _)| *other != place);
        breaks.push((place, format!("Lighthouse {}", shown(&change.major))));
    }
    breaks
}

/// Tests, the newest first.
fn table(here: &AtDomain, tests: &[LabRun]) -> Markup {
    let figure = |run: &LabRun, metric: LabMetric| {
        let value = run
            .summary
            .as_ref()
            .and_then(|summary| summary.figures.get(metric.as_str()));
        figure_cell(value.copied(), words(metric.unit()))
    };
    let table = Table {
        caption: "Tests",
        columns: &[
            Column::text("Asked for"),
            Column::text("Page"),
            Column::text("Device").spare(),
            Column::text("State"),
            Column::figure("Performance"),
            Column::figure("LCP"),
            Column::figure("Budgets exceeded").spare(),
        ],
        rows: tests
            .iter()
            .map(|run| {
                let exceeded = run.budgets.iter().filter(|budget| budget.passed == Some(false)).count();
                vec![
                    html! { a href=(domain_path(here.id(), &test_path(run.id))) { (moment(run.requested_at)) } },
                    html! { bdi.long { (shown(&run.url)) } },
                    html! { (device(&run.profile_id)) },
                    status(run.status),
                    figure(run, LabMetric::PerformanceScore),
                    figure(run, LabMetric::LcpMs),
                    html! { (exceeded) },
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        "No test yet",
        &html! { p { "Tests are run by schedules, and by “Test now” on the page of the lab." } },
    ))
}

/// The pages of tests, of which the newest is at this address.
fn pages_of(newest: &str, page: &PageRequest, tests: &ListPage<LabRun>) -> Markup {
    let after = tests
        .next_cursor
        .as_ref()
        .map(|cursor| format!("{newest}&cursor={cursor}"));
    html! {
        @if page.after.is_some() || after.is_some() {
            (Pages {
                shown: &format!("{} tests", tests.items.len()),
                before: page.after.is_some().then(|| newest.to_owned()),
                after,
            }.show())
        }
    }
}
