//! One incident: its course, and the checks that failed.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{ids::IncidentId, role::Role};
use pharos_pictures::figure::{millis, number};
use pharos_uptime::incident::{Incident, IncidentDetail};
use time::OffsetDateTime;

use super::{frame, named};
use crate::{
    console::Console,
    nav::domain_path,
    page::moment,
    parts::{
        facts::{Figure, facts, figures},
        notice,
        table::{Column, Table, figure_cell},
    },
    refusal::Refusal,
    shown::shown,
    words,
};

/// GET /console/domains/{domain_id}/incidents/{incident_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = path.into_inner();
    let here = console.at_domain(&request, &domain, Role::Viewer).await?;
    let id: IncidentId = id.parse().map_err(|_| Refusal::NoPage)?;
    let now = console.parts.clock.now();
    let (domain, found) = tokio::try_join!(named(&console, &here), async {
        Ok::<_, Refusal>(console.parts.monitors.incidents.detail(&here.access, id).await?)
    })?;
    let detail = found.ok_or(Refusal::NoPage)?;
    let incident = &detail.incident;
    let page = frame(&here, words::class(incident.class), "incidents")
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), "incidents"), "Incidents")
        .mark(words::incident(incident.severity, incident.resolved_at.is_none()));
    let content = html! {
        (summary(incident, now))
        @if let Some(why) = &incident.error_message { p { bdi { (shown(why)) } } }
        div.columns {
            (course(&detail))
            (answer(&detail))
        }
        h2 { "The first checks that failed" }
        (checks(&detail))
    };
    Ok(page.with(&content))
}

fn summary(incident: &Incident, now: OffsetDateTime) -> Markup {
    let end = incident.resolved_at.unwrap_or(now);
    let figure = |name, value: String| Figure {
        name,
        value: Some(value),
        note: None,
    };
    figures(&[
        figure("Lasted", words::length(end - incident.started_at)),
        figure(
            "Confirmed after",
            words::length(incident.confirmed_at - incident.started_at),
        ),
        figure("Checks that failed", number(f64::from(incident.checks_failed), 0)),
        figure("Regions", number(incident.regions_affected.len() as f64, 0)),
    ])
}

fn course(detail: &IncidentDetail) -> Markup {
    html! {
        section.card aria-labelledby="course-head" {
            h2 id="course-head" { "Course" }
            ol.course {
                @for entry in &detail.timeline {
                    li {
                        (moment(entry.at))
                        p {
                            (words::event(entry.event))
                            @if let Some(region) = &entry.region { " (" (shown(region)) ")" }
                        }
                        @if let Some(more) = &entry.detail { p.note { bdi { (shown(more)) } } }
                    }
                }
            }
        }
    }
}

fn answer(detail: &IncidentDetail) -> Markup {
    let incident = &detail.incident;
    html! {
        section.card aria-labelledby="answer-head" {
            h2 id="answer-head" { "The first failing answer" }
            (facts([
                ("Status", Some(html! { @match incident.status_code { Some(code) => (code), None => "none: there was no answer" } })),
                ("Address", detail.resolved_ip.map(|ip| html! { (ip) })),
                ("Seen from", Some(html! { (shown(&incident.regions_affected.join(", "))) })),
                ("In maintenance", Some(html! { @if incident.during_maintenance { "yes, in part" } @else { "no" } })),
            ]))
            @if !detail.response_headers.is_empty() {
                h3 { "Headers" }
                dl.facts {
                    @for (name, value) in &detail.response_headers {
                        div { dt { (shown(name)) } dd { code { (shown(value)) } } }
                    }
                }
            }
        }
    }
}

fn checks(detail: &IncidentDetail) -> Markup {
    let table = Table {
        caption: "The first checks that failed",
        columns: &[
            Column::text("Time"),
            Column::text("Region"),
            Column::figure("Status"),
            Column::text("Reason"),
            Column::figure("Took").spare(),
        ],
        rows: detail
            .checks
            .iter()
            .map(|check| {
                vec![
                    moment(check.checked_at),
                    html! { (shown(&check.region)) },
                    html! { @match check.status_code { Some(code) => (code), None => span.none { "none" } } },
                    html! { bdi { (check.error_message.as_deref().map(shown).unwrap_or_default()) } },
                    figure_cell(check.response_ms, millis),
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        "Its checks are no longer kept",
        &html! { p { "Checks are kept for a year." } },
    ))
}
