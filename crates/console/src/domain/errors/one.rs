//! One kind of errors: its stack, and where it happens.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{module::Module, role::Role, window::DateRange};
use pharos_pictures::figure::number;
use pharos_vitals::{
    chosen::ChosenViews,
    errors::{ErrorDetail, ErrorPiece, Frame, Handling},
    overview::ViewFilter,
    source_maps::resolved,
};
use time::UtcOffset;
use uuid::Uuid;

use super::{PATH, title};
use crate::{
    console::Console,
    domain::{frame, named},
    nav::domain_path,
    page::moment,
    parts::{
        facts::{Figure, facts, figures},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// The days that the figures are of: those of the API.
const DAYS: u32 = 30;

/// GET /console/domains/{domain_id}/rum/errors/{error_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = path.into_inner();
    let here = console.at_domain(&request, &domain, Role::Viewer).await?;
    here.needs(Module::Rum)?;
    let id: Uuid = id.parse().map_err(|_| Refusal::NoPage)?;
    let today = console.parts.clock.now().to_offset(UtcOffset::UTC).date();
    let views = ChosenViews {
        days: DateRange::ending(today, DAYS),
        filter: ViewFilter::default(),
    };
    let domain = named(&console, &here).await?;
    let collection = &console.parts.collection;
    let detail = {
        let _turn = console.page_permits.turn(here.workspace()).await?;
        let found = collection.errors.view(&here.access, id, &views).await?;
        let mut detail = found.ok_or(Refusal::NoPage)?;
        let first_seen_at = detail.kind.first_seen_at.moment();
        detail.frames = resolved(
            detail.frames,
            &here.access,
            first_seen_at,
            &*collection.source_maps,
        )
        .await?;
        detail
    };
    let title = title(&detail.kind);
    let page = frame(&here, &title, Module::Rum.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), PATH), "Errors");
    let content = html! {
        (summary(&detail))
        (stack(&detail))
        h2 { "Where it happens" }
        div.columns {
            (pieces("Pages", &detail.by_url))
            (pieces("Browsers", &detail.by_browser))
        }
    };
    Ok(page.with(&content))
}

fn summary(detail: &ErrorDetail) -> Markup {
    let kind = &detail.kind;
    let figure = |name, value: u64| Figure {
        name,
        value: Some(number(value as f64, 0)),
        note: Some(html! { "in the last " (DAYS) " days" }),
    };
    html! {
        (figures(&[
            figure("Times", kind.occurrences),
            figure("Views with it", kind.affected_views),
        ]))
        (facts([
            ("First seen", Some(moment(kind.first_seen_at.moment()))),
            ("Last seen", Some(moment(kind.last_seen_at.moment()))),
            ("Caught by the page", Some(html! { (if kind.handling == Handling::Handled { "Yes" } else { "No" }) })),
            ("Script", kind.filename.as_deref().map(|filename| html! { bdi { (shown(filename)) } })),
        ]))
    }
}

/// The frames, the innermost first, and below them the stack as the browser told it.
fn stack(detail: &ErrorDetail) -> Markup {
    html! {
        section.card aria-labelledby="stack-head" {
            h2 id="stack-head" { "Stack" }
            @if detail.frames.is_empty() {
                p.note { "The browser told none." }
            } @else {
                ol {
                    @for frame in &detail.frames { li { (stack_frame(frame)) } }
                }
            }
            @for cause in &detail.causes { p { "Caused by " bdi { (shown(cause)) } } }
            @if let Some(told) = &detail.stack {
                details {
                    summary { "As the browser told it" }
                    div.scroll role="region" tabindex="0" aria-label="The stack as the browser told it" {
                        pre { code { @for line in told.lines() { (shown(line)) "\n" } } }
                    }
                }
            }
        }
    }
}

/// The function with its place; code that is not the site's says so.
fn stack_frame(frame: &Frame) -> Markup {
    let function = frame.function.as_deref().map(shown);
    html! {
        code { bdi { (function.as_deref().unwrap_or("code of no function")) } }
        @if let Some(filename) = &frame.filename {
            " "
            bdi {
                (shown(filename))
                @if let Some(line) = frame.line {
                    ":" (line)
                    @if let Some(column) = frame.column { ":" (column) }
                }
            }
        }
        @if !frame.in_app { " " span.note { "not the site's" } }
    }
}

fn pieces(caption: &str, pieces: &[ErrorPiece]) -> Markup {
    let table = Table {
        caption,
        columns: &[
            Column::text(caption),
            Column::figure("Times"),
            Column::figure("Views"),
        ],
        rows: pieces
            .iter()
            .map(|piece| {
                vec![
                    html! { @match &piece.key { Some(key) => bdi { (shown(key)) }, None => span.none { "not known" } } },
                    html! { (number(piece.occurrences as f64, 0)) },
                    html! { (number(piece.affected_views as f64, 0)) },
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        &format!("Not in the last {DAYS} days"),
        &html! { p { "It was seen before." } },
    ))
}
