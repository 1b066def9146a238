//! The errors of a domain's scripts, by kind.

pub(crate) mod one;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{ids::DomainId, module::Module, role::Role};
use pharos_pictures::figure::number;
use pharos_vitals::{
    chosen::ChosenViews,
    errors::{ErrorKind, ErrorQuery, ErrorSort},
    overview::ViewFilter,
};

use super::{frame, named};
use crate::{
    console::Console,
    nav::domain_path,
    page::moment,
    parts::{
        notice,
        table::{Column, Table},
    },
    period::Days,
    refusal::Refusal,
    shown::shown,
};

/// Where the page lies below a domain.
pub(super) const PATH: &str = "rum/errors";
/// How many kinds a page has.
const ON_A_PAGE: usize = 100;

/// GET /console/domains/{domain_id}/rum/errors
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    here.needs(Module::Rum)?;
    let now = console.parts.clock.now();
    let days = Days::of(Module::Rum, request.query_string(), now);
    let domain = named(&console, &here).await?;
    let query = ErrorQuery {
        views: ChosenViews {
            days: days.window(),
            filter: ViewFilter::default(),
        },
        handling: None,
        source: None,
        sort: ErrorSort::Occurrences,
    };
    let found = {
        let _turn = console.page_permits.turn(here.workspace()).await?;
        console.parts.collection.errors.list(&here.access, &query).await?
    };
    let shown = &found.kinds.rows[..found.kinds.rows.len().min(ON_A_PAGE)];
    let content = html! {
        (days.choice_alone(&domain_path(here.id(), PATH), &[]))
        @if found.kinds.rows.len() > shown.len() {
            p.note { "The " (shown.len()) " kinds that happened most, of " (found.totals.groups) "." }
        }
        (table(here.id(), shown))
    };
    let status = if days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(frame(&here, &domain.title, Module::Rum.as_str())
        .part("Errors of scripts")
        .status(status)
        .with(&content))
}

fn table(domain: DomainId, kinds: &[ErrorKind]) -> Markup {
    let path = |kind: &ErrorKind| domain_path(domain, &format!("{PATH}/{}", kind.error_id));
    let table = Table {
        caption: "Errors of scripts",
        columns: &[
            Column::text("Error"),
            Column::figure("Times"),
            Column::figure("Views"),
            Column::text("Page").spare(),
            Column::text("Last seen"),
        ],
        rows: kinds
            .iter()
            .map(|kind| {
                vec![
                    html! {
                        a href=(path(kind)) { bdi { (title(kind)) } }
                        @if kind.is_new { " " span.note { "new" } }
                    },
                    html! { (number(kind.occurrences as f64, 0)) },
                    html! { (number(kind.affected_views as f64, 0)) },
                    html! { bdi { (kind.top_url.as_deref().map(shown).unwrap_or_default()) } },
                    moment(kind.last_seen_at.moment()),
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        "No error in these days",
        &html! { p { "An error that a page tells of shows here with its stack." } },
    ))
}

/// The error in a line: its class, and what it says.
fn title(kind: &ErrorKind) -> String {
    let message = shown(&kind.message);
    match &kind.name {
        Some(name) if !message.is_empty() => format!("{}: {message}", shown(name)),
        Some(name) => shown(name),
        None if message.is_empty() => "An error without a word".to_owned(),
        None => message,
    }
}
