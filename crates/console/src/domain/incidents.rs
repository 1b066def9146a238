//! The incidents of a domain.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    ids::DomainId,
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
};
use pharos_uptime::{incident::Incident, store::IncidentFilter};
use time::OffsetDateTime;

use super::{frame, named};
use crate::{
    console::Console,
    form::after,
    nav::domain_path,
    page::moment,
    parts::{
        notice,
        table::{Column, Pages, Table},
    },
    period::Days,
    refusal::Refusal,
    shown::shown,
    words,
};

/// How many incidents a page has.
const ON_A_PAGE: usize = 50;

/// GET /console/domains/{domain_id}/incidents
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let now = console.parts.clock.now();
    let query = request.query_string();
    let days = Days::of(Module::Uptime, query, now);
    let list = ListKey::new("console.incidents", here.id().0);
    let page = PageRequest {
        limit: ON_A_PAGE,
        after: after(query, &list)?,
        list,
    };
    let filter = IncidentFilter {
        range: days.window().time_range(),
        class: None,
        status: None,
    };
    let (domain, found) = tokio::try_join!(named(&console, &here), async {
        let incidents = &console.parts.monitors.incidents;
        Ok::<_, Refusal>(incidents.list(&here.access, &filter, &page).await?)
    })?;
    let path = domain_path(here.id(), "incidents");
    let newest = format!("{path}?{}", days.query());
    let before = found
        .page
        .next_cursor
        .as_ref()
        .map(|cursor| format!("{newest}&cursor={cursor}"));
    let shown = match found.page.items.len() {
        1 => "1 incident".to_owned(),
        count => format!("{count} incidents"),
    };
    let content = html! {
        (days.choice_alone(&path, &[]))
        (table(here.id(), &found.page.items, now))
        @if page.after.is_some() || before.is_some() {
            (Pages { shown: &shown, before: page.after.is_some().then_some(newest), after: before }.show())
        }
    };
    let status = if days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(frame(&here, &domain.title, "incidents")
        .status(status)
        .with(&content))
}

/// Incidents, the newest first.
pub(super) fn table(domain: DomainId, incidents: &[Incident], now: OffsetDateTime) -> Markup {
    let path = |incident: &Incident| domain_path(domain, &format!("incidents/{}", incident.id));
    let table = Table {
        caption: "Incidents",
        columns: &[
            Column::text("Began"),
            Column::text("Incident"),
            Column::text("Cause"),
            Column::text("Seen from").spare(),
            Column::figure("Lasted"),
        ],
        rows: incidents
            .iter()
            .map(|incident| {
                let end = incident.resolved_at.unwrap_or(now);
                vec![
                    html! { a href=(path(incident)) { (moment(incident.started_at)) } },
                    words::incident(incident.severity, incident.resolved_at.is_none()),
                    html! { (words::class(incident.class)) @if let Some(code) = incident.status_code { ", " (code) } },
                    html! { (shown(&incident.regions_affected.join(", "))) },
                    html! { (words::length(end - incident.started_at)) },
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        "No incident in these days",
        &html! { p { "An outage that is confirmed shows here with its course." } },
    ))
}
