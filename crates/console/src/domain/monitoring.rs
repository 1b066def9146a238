//! A domain's monitoring: its state now, a year of days, response times, incidents, certificate and registration, alerts.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
    window::{Change, DateRange, Granularity},
};
use pharos_pictures::figure::{millis, number, percent};
use pharos_uptime::{
    availability::{past::Past, summary::Summary},
    history::{HistoryQuery, aggregate::Depth, begun},
    knowledge::MonitorKnowledge,
    status::state,
    store::IncidentFilter,
};
use time::{Duration, OffsetDateTime};

use super::{
    Named, alerts, first_steps, frame, incidents, named, now, pictures, rules::offer::offer, tabs::SETTINGS,
    trust,
};
use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::{
        facts::{Figure, figures},
        notice,
    },
    period::Days,
    refusal::Refusal,
    shown::shown,
    words,
};

/// How many days the calendar has.
const YEAR: u32 = 365;
/// How many incidents are shown.
const INCIDENTS: usize = 10;

/// GET /console/domains/{domain_id}
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let now = console.parts.clock.now();
    let days = Days::of(Module::Uptime, request.query_string(), now);
    let year = DateRange::ending(days.asked.horizon.today, YEAR);
    let since = days.since().min(year.start());
    let _permit = console.site_permits.turn(here.workspace()).await?;
    let (domain, known) = tokio::try_join!(named(&console, &here), async {
        Ok::<_, Refusal>(
            console
                .parts
                .monitors
                .monitors
                .status(&here.access, since)
                .await?,
        )
    })?;
    let status = if days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    let done = match request.query_string() {
        "added" => Some("The domain was added."),
        "restored" => Some("The domain was restored with all its data."),
        _ => None,
    };
    let is_monitored = known.is_some();
    let content = match known {
        Some(known) if here.has(Module::Uptime) => {
            content(&console, &here, &domain, &known, &days, year, now).await?
        }
        Some(_) => notice::not_in_plan("monitoring"),
        None => nothing_yet(&here),
    };
    let page = frame(&here, &domain.title, "").status(status);
    let page = if is_monitored {
        now::offered(page, &here, Module::Uptime)
    } else {
        page
    };
    let page = if domain.title == domain.hostname {
        page
    } else {
        page.lead(html! { (domain.hostname) })
    };
    let content = html! {
        @if let Some(done) = done { (notice::done(done)) }
        (first_steps::steps(&console, &here, &domain).await?)
        (content)
    };
    Ok(page.with(&content))
}

fn nothing_yet(here: &AtDomain) -> Markup {
    notice::empty(
        "This domain is not monitored yet",
        &html! {
            @if here.role() >= Role::Admin {
                p { a href={ (domain_path(here.id(), SETTINGS)) "#uptime" } { "Set monitoring up" } }
            } @else {
                p { "An owner or admin of the workspace sets its monitor up." }
            }
        },
    )
}

async fn content(
    console: &Console,
    here: &AtDomain,
    domain: &Named,
    known: &MonitorKnowledge,
    days: &Days,
    year: DateRange,
    now: OffsetDateTime,
) -> Result<Markup, Refusal> {
    let window = days.window();
    let granularity = match window.days() {
        ..=3 => Granularity::Hour,
        4..=92 => Granularity::Day,
        _ => Granularity::Week,
    };
    let buckets = begun(window, granularity, now);
    let whole = |range| HistoryQuery {
        range,
        depth: Depth::Response,
    };
    let compared = days.compared.map(|compared| compared.window);
    let queries: Vec<HistoryQuery> = [window]
        .into_iter()
        .chain(compared)
        .map(DateRange::time_range)
        .chain(buckets.iter().map(|bucket| bucket.range))
        .map(whole)
        .collect();
    let filter = IncidentFilter {
        range: window.time_range(),
        class: None,
        status: None,
    };
    let first = PageRequest::first(ListKey::new("console", here.id().0), INCIDENTS);
    let monitors = &console.parts.monitors;
    let (history, found, certificate, registration, alerts) = tokio::try_join!(
        monitors.history.aggregate(&here.access, &queries, &[], None),
        monitors.incidents.list(&here.access, &filter, &first),
        monitors.certificates.view(&here.access),
        monitors.registrations.view(&here.access),
        alerts::open(console, here),
    )?;
    let mut all = history
        .aggregates
        .into_iter()
        .map(|regions| regions.together().figures());
    let past = Past::new(known, now);
    let current = past.summary(window.time_range(), all.next().unwrap_or_default());
    let earlier = days.compared.map(|compared| {
        let figures = all.next().unwrap_or_default();
        // Nothing is known of days that are no longer kept.
        compared
            .is_kept
            .then(|| past.summary(compared.window.time_range(), figures))
    });
    let pieces: Vec<_> = buckets.iter().map(|bucket| bucket.start).zip(all).collect();
    let path = domain_path(here.id(), "");
    Ok(html! {
        (now_line(known, now))
        @if !alerts.is_empty() { (alerts::list(&alerts)) }
        (days.choice(&path))
        (summary(&current, earlier.as_ref().map(Option::as_ref)))
        section.card aria-labelledby="calendar-head" {
            h2 id="calendar-head" { "Availability, day by day" }
            (pictures::calendar(&past, year, known.monitor.created_at, &domain.title))
            (offer(console, here, Module::Uptime, |metric| metric == "uptime_pct"))
        }
        section.card aria-labelledby="times-head" {
            h2 id="times-head" { "Response times" }
            (pictures::phases(&pieces, granularity, known.monitor.settings.degraded_above_ms, &domain.title))
            (offer(console, here, Module::Uptime, |metric| matches!(metric, "response_ms" | "ttfb_ms")))
        }
        h2 { "Incidents" }
        (incidents::table(here.id(), &found.page.items, now))
        @if found.page.has_more { p { a href=(domain_path(here.id(), "incidents")) { "All incidents" } } }
        div.columns {
            (trust::certificate(certificate.as_ref(), now))
            (trust::registration(registration.as_ref(), now))
        }
    })
}

/// How the site stands now, in one line.
fn now_line(known: &MonitorKnowledge, now: OffsetDateTime) -> Markup {
    let (now_in, since) = state(known, now);
    let last = known.newest();
    html! {
        div.now {
            (words::state(now_in))
            @if let Some(since) = since { span.note { "for " span.figure { (words::length(now - since)) } ", since " (moment(since)) } }
            @if let Some(why) = last.and_then(|last| last.last_error_message.as_deref()) { p.none { (shown(why)) } }
            p.note {
                "Checks " bdi { (shown(&known.monitor.settings.url)) } " every "
                span.figure { (words::length(Duration::seconds(known.monitor.settings.interval_seconds.into()))) }
                " from " (number(known.regions.len() as f64, 0)) @if known.regions.len() == 1 { " region" } @else { " regions" }
                @if let Some(last) = last { ", last " (moment(last.last_check_at)) }
            }
        }
    }
}

/// The figures of the window; `earlier` where it is compared, `Some(None)` where those days are no longer kept.
fn summary(current: &Summary, earlier: Option<Option<&Summary>>) -> Markup {
    let changes = earlier.map(|earlier| current.changes_since(earlier));
    let note = |change: Option<Change>, words: fn(f64) -> String| {
        change.map(|change| {
            html! {
                @match change.previous {
                    Some(previous) => { "before: " span.figure { (words(previous)) } },
                    None => { "before: not measured" },
                }
            }
        })
    };
    let whole = |value: f64| number(value, 0);
    let length = |seconds: f64| words::length(Duration::seconds_f64(seconds));
    let time = current.time;
    let is_observed = current.uptime_pct().is_some();
    figures(&[
        Figure {
            name: "Availability",
            value: current.uptime_pct().map(percent),
            note: note(changes.map(|changes| changes.uptime_pct), percent),
        },
        Figure {
            name: "Downtime",
            value: is_observed.then(|| words::length(time.down)),
            note: note(changes.map(|changes| changes.downtime_seconds), length),
        },
        Figure {
            name: "Outages",
            value: is_observed.then(|| whole(f64::from(current.outages.count))),
            note: note(changes.map(|changes| changes.incident_count), whole),
        },
        Figure {
            name: "Mean response",
            value: current.figures.response.avg.map(millis),
            note: note(changes.map(|changes| changes.avg_response_ms), millis),
        },
        Figure {
            name: "95th percentile",
            value: current.figures.response.p95.map(millis),
            note: None,
        },
    ])
}
